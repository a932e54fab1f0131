import type { Collection, Db, Document, Filter } from "mongodb"
import type { Versioned } from "../../domain/ports/store.ts"
import { type AnyTable, completion, indexes, searchedOf } from "../../domain/ports/table.ts"
import { cachedDemand, demandOne, fault } from "../../domain/storage/query-checks.ts"
import { derivedFields, type Field, fields, revisionPath } from "./fields.ts"

export type Where = Readonly<Record<string, unknown>>
type Key = string | number | boolean | Date
export type Stored = Document & { readonly _id: Key }

/** Encodes and decodes the rows of one table as documents, and builds filters. */
export interface TableRows {
  readonly table: AnyTable
  readonly documents: Collection<Stored>
  readonly key: Field
  readonly field: (name: string) => Field
  readonly decodeDocument: (document: Document) => Versioned<Record<string, unknown>>
  /** The document of a row. */
  readonly encodeRow: (row: Where, revision: number) => Stored
  readonly filter: (where: Where) => Filter<Stored>
  /** Finds one row. `known`: further fields of it, of which the filter contains the shard key. */
  readonly byKey: (key: unknown, revision?: number, known?: Where) => Filter<Stored>
  /** The fields that a list in this order is sorted by. */
  readonly sortedBy: (order: string) => ReadonlyArray<Field>
  /** Checks each kind of query once, since every request runs it. */
  readonly demand: ReturnType<typeof cachedDemand>
  /** Demands that at most one row matches these fields. */
  readonly demandOneRow: (where: Where) => void
}

export const make = (table: AnyTable, db: Db): TableRows => {
  const all = fields(table)
  const storedFields = [...all, ...derivedFields(table)]
  const byName = new Map(storedFields.map((field) => [field.name, field]))
  const key = byName.get(table.key)!
  const uniques = new Set(indexes(table).flatMap((index) => (index.unique && index.fields.length === 1 ? index.fields : [])))
  const demand = cachedDemand(table)
  const field = (name: string) => {
    const found = byName.get(name)
    if (found === undefined) throw fault(table, `has no field ${name}`)
    return found
  }

  const shardFields = (table.shardKey ?? []).map(field)

  return {
    table,
    documents: db.collection<Stored>(table.name),
    key,
    field,
    decodeDocument: reader(all, completion(table)),
    encodeRow: (row, revision) => {
      const document: Record<string, unknown> = {}
      const stored = storedFields.length === all.length ? row : { ...row, ...searchedOf(table, row) }
      for (const { name, path, encode } of storedFields) document[path] = encode(stored[name])
      return { ...document, _id: document["_id"] as Key, [revisionPath]: revision }
    },
    filter: (where) => {
      const filter: Record<string, unknown> = {}
      for (const name in where) filter[field(name).path] = { $eq: field(name).encode(where[name]) }
      return filter
    },
    byKey: (id, revision, known = {}) => {
      const filter: Filter<Stored> = { _id: { $eq: key.encode(id) as Key } }
      const located = shardFields.filter((field) => field !== key && known[field.name] !== undefined)
      const shard = Object.fromEntries(located.map(({ name, path, encode }) => [path, { $eq: encode(known[name]) }]))
      return { ...filter, ...shard, ...(revision === undefined ? {} : { [revisionPath]: { $eq: revision } }) }
    },
    sortedBy: (order) => (order === table.key || uniques.has(order) ? [field(order)] : [field(order), key]),
    demand,
    demandOneRow: (where) => demand("one", where, (names) => demandOne(table, names)),
  }
}

const reader =
  (all: ReadonlyArray<Field>, complete: ReturnType<typeof completion>): TableRows["decodeDocument"] =>
  (document) => {
    const row: Record<string, unknown> = {}
    for (const { name, path, decode } of all) row[name] = decode(document[path])
    complete?.(row)
    return { row, revision: Number(document[revisionPath]) }
  }
