import type { AnyTable } from "../../../domain/ports/table.ts"
import { indexes } from "../../../domain/ports/table.ts"
import { indexName, qualified, quote } from "../columns.ts"
import type { Catalog, CatalogIndex, Change, Place, TableSize } from "./model.ts"

type Index = ReturnType<typeof indexes>[number]

const nameOf = (table: AnyTable, { fields, unique }: Index) => indexName(table, fields, unique ? "key" : "idx")

/** The index of a new table, or one that is built while a table is in use. Of a partitioned table, the partitions have theirs already. */
export const createdIndex = ({ table, name, size }: Place, index: Index): Change => {
  const creates = nameOf(table, index)
  const fields = index.fields.map(quote).join(", ")
  const statement = (concurrently: string) =>
    `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${concurrently}${quote(creates)} ON ${name} (${fields})`
  if (size === undefined) return { statement: statement(""), creates }
  if (size.isPartitioned) return { statement: statement(""), creates, locks: table.name, note: "joins the indexes of the partitions" }
  return { statement: statement("CONCURRENTLY "), creates, isConcurrent: true, note: `${sizeText(size)}: reads and writes go on` }
}

const sizeText = ({ rows, bytes }: TableSize) => {
  const amount = rows < 0 ? "an unknown number of rows" : `about ${rows} rows`
  return `${amount}, ${Math.ceil(bytes / 2 ** 20)} MB`
}

/** The changes that the indexes of a table in use need. */
export const indexChanges = (place: Place, existing: ReadonlyArray<CatalogIndex>, catalog: Catalog): ReadonlyArray<Change> => {
  const { table } = place
  const all = indexes(table)
  const names = new Set(all.map((index) => nameOf(table, index)))
  const stale = existing.filter(({ name, unique, primary }) => unique && !primary && isOurs(table, name) && !names.has(name))
  return [
    ...all.flatMap((index) =>
      indexChange(
        place,
        index,
        existing.find(({ name }) => name === nameOf(table, index)),
        catalog,
      ),
    ),
    ...stale.map(({ name }) => ({ ...dropped(place, name), isRelaxing: true })),
  ]
}

const indexChange = (place: Place, index: Index, existing: CatalogIndex | undefined, catalog: Catalog): ReadonlyArray<Change> => {
  const change = createdIndex(place, index)
  if (existing === undefined) {
    const ofPartitions = place.size?.isPartitioned ? partitionIndexes(place, index, catalog) : []
    return ofPartitions.length > 0 ? ofPartitions : [change]
  }
  // A build that was interrupted leaves an index that is maintained but not used.
  if (!existing.isValid) return [dropped(place, existing.name), change]
  if (existing.isComplete && existing.unique === index.unique && existing.fields.join() === index.fields.join()) return []
  const statement = `${dropped(place, existing.name).statement}; ${change.statement}`
  return [{ statement, refusal: `Index ${existing.name} differs from its declaration` }]
}

/** The indexes that partitions still need: PostgreSQL can build these while the table is used, but not that of the whole table. */
const partitionIndexes = ({ table, schema }: Place, index: Index, { partitions, indexes, sizes }: Catalog): ReadonlyArray<Change> =>
  [...partitions].flatMap(([name, of]) => {
    if (of !== table.name) return []
    const place = { table: { ...table, name }, schema, name: qualified(schema, name), size: sizes.get(name) }
    const same = indexes.filter(
      (each) => each.table === name && each.isComplete && each.unique === index.unique && each.fields.join() === index.fields.join(),
    )
    if (same.some(({ isValid }) => isValid)) return []
    return [...same.map((each) => dropped(place, each.name)), createdIndex(place, index)]
  })

/** PostgreSQL cannot drop the index of a partitioned table while the table is used. */
const dropped = ({ table, schema, size }: Place, name: string): Change =>
  size?.isPartitioned
    ? { statement: `DROP INDEX ${qualified(schema, name)}`, locks: table.name }
    : { statement: `DROP INDEX CONCURRENTLY ${qualified(schema, name)}`, isConcurrent: true, note: "reads and writes go on" }

const isOurs = (table: AnyTable, name: string) => name.startsWith(`${table.name}__`) && name.endsWith("__key")
