import type { AnyTable } from "../../../domain/ports/table.ts"
import { indexes } from "../../../domain/ports/table.ts"
import { schemaVersion } from "../../../domain/storage/schema-version.ts"
import type { SqlColumn } from "../columns.ts"
import { columns, derivedColumns, indexName, qualified, quote, revisionColumn, revisionSequence } from "../columns.ts"
import { createdIndex, indexChanges } from "./index-changes.ts"
import type { Catalog, CatalogColumn, CatalogIndex, Change, DatabaseVersion, Place } from "./model.ts"
import { otherOf, partitioned } from "./partitions.ts"

/** The statements that the tables need before they can be created. */
export const groundwork = ({ schema, exists, sequence }: Catalog): ReadonlyArray<string> => [
  ...(schema === undefined || exists ? [] : [`CREATE SCHEMA ${quote(schema)}`]),
  ...(sequence ? [] : [`CREATE SEQUENCE ${qualified(schema, revisionSequence)}`]),
]

/** The changes that the declared tables need. */
export const changes = (tables: ReadonlyArray<AnyTable>, catalog: Catalog): ReadonlyArray<Change> => {
  const all = [...tableChanges(tables, catalog), ...versionChanges(catalog)]
  // Later code has made the schema: only what this code misses is added.
  return catalog.version.version > schemaVersion.version
    ? all.filter(({ refusal, isRelaxing = false }) => refusal === undefined && !isRelaxing)
    : all
}

const tableChanges = (tables: ReadonlyArray<AnyTable>, catalog: Catalog): ReadonlyArray<Change> =>
  tables.flatMap((table) => {
    const { schema, isPartitioned } = catalog
    const place = { table, schema, name: qualified(schema, table.name), size: catalog.sizes.get(table.name) }
    const existing = catalog.columns.filter((column) => column.table === table.name)
    if (existing.length === 0) return [...created(place, isPartitioned), ...indexes(table).map((index) => createdIndex(place, index))]
    const existingIndexes = catalog.indexes.filter((index) => index.table === table.name)
    const changes = [
      ...columnChanges(place, existing),
      ...keyChanges(place, existingIndexes),
      ...indexChanges(place, existingIndexes, catalog),
    ]
    return changes.length === 0 && isPartitioned && table.isByMonth && place.size?.isPartitioned === false
      ? [madePartitioned(place, existingIndexes)]
      : changes
  })

/** The comment of the revision sequence has the version of the schema: it needs no table, and dumps contain it. */
const versionChanges = ({ schema, version }: Catalog): ReadonlyArray<Change> => {
  if (version.version >= schemaVersion.version) return []
  const text = `sallyport schema ${schemaVersion.version}, oldest ${schemaVersion.oldest}`
  return [{ statement: `COMMENT ON SEQUENCE ${qualified(schema, revisionSequence)} IS '${text}'`, isVersion: true }]
}

/** The version in such a comment. */
export const versionIn = (comment: string): DatabaseVersion => {
  const [, version = 0, oldest = 0] = comment.match(/^sallyport schema (\d+), oldest (\d+)$/) ?? []
  return { version: Number(version), oldest: Number(oldest) }
}

/**
 * Why the declared tables cannot be created beside what the schema contains, such as an application's own table `user`. A change for such
 * a table would damage the application. Undefined if no name is in use.
 */
export const occupied = ({ name, schema, columns, occupants }: Catalog): string | undefined => {
  const ours = ownTables(columns)
  const found = occupants.filter((occupant) => !ours.has(occupant.name))
  if (found.length === 0) return undefined
  const list = found
    .map(({ name, kind }, at) => `${at === 0 ? kind.charAt(0).toUpperCase() + kind.slice(1) : kind} ${quote(name)}`)
    .join(", ")
  const verbs = found.length === 1 ? ["exists", "is"] : ["exist", "are"]
  const remedy = `use ${schema === undefined ? 'store.schema: "auth"' : "another store.schema"} or another database`
  return `${list} ${verbs[0]} in schema ${quote(name)} and ${verbs[1]} not Sallyport's; ${remedy}`
}

/** The names of the tables that have our revision column. */
const ownTables = (columns: Catalog["columns"]): ReadonlySet<string> =>
  new Set(columns.flatMap(({ table, name, isRevision }) => (name === revisionColumn && isRevision ? [table] : [])))

/** The names of our tables that are not declared. */
export const undeclared = (tables: ReadonlyArray<AnyTable>, { columns, partitions }: Catalog): ReadonlyArray<string> =>
  [...ownTables(columns)].filter((table) => !tables.some(({ name }) => name === (partitions.get(table) ?? table)))

const revisionOf = (schema: string | undefined): Declared => {
  const sequence = qualified(schema, revisionSequence)
  return { name: revisionColumn, type: "bigint", nullable: false, default: `nextval('${sequence.replaceAll("'", "''")}')` }
}

type Declared = Pick<SqlColumn, "name" | "type" | "nullable" | "default">

const declared = ({ table, schema }: Place): ReadonlyArray<Declared> => [...columns(table), ...derivedColumns(table), revisionOf(schema)]

const definition = (column: Declared) =>
  `${quote(column.name)} ${column.type}${column.nullable ? "" : " NOT NULL"}${column.default === undefined ? "" : ` DEFAULT ${column.default}`}`

const created = (place: Place, isPartitioned: boolean): ReadonlyArray<Change> => {
  const { table, schema, name } = place
  const key = `CONSTRAINT ${quote(indexName(table, [], "pkey"))} PRIMARY KEY (${quote(table.key)})`
  const statement = `CREATE TABLE ${name} (${[...declared(place).map(definition), key].join(", ")})`
  if (!isPartitioned || !table.isByMonth) return [{ statement, newTable: table.name }]
  return [
    { newTable: table.name, statement: `${statement} PARTITION BY RANGE (${quote(table.key)})` },
    { statement: `CREATE TABLE ${qualified(schema, otherOf(table))} PARTITION OF ${name} DEFAULT` },
  ]
}

const madePartitioned = (place: Place, existing: ReadonlyArray<CatalogIndex>): Change => {
  const created = indexes(place.table).map((index) => createdIndex({ ...place, size: undefined }, index).statement)
  const names = existing.map(({ name }) => name)
  return {
    statement: partitioned(place.table, place.schema, names, created),
    locks: place.table.name,
    note: "locks the table for an instant and moves no row; tried again while a transaction uses it",
  }
}

/** A change of the definition of a table in use. It takes an instant, but has to wait for every transaction that uses the table. */
const altered = ({ table, name }: Place, action: string): Change => ({
  statement: `ALTER TABLE ${name} ${action}`,
  locks: table.name,
  note: "locks the table for an instant; tried again while a transaction uses it",
})

const columnChanges = (place: Place, existing: ReadonlyArray<CatalogColumn>): ReadonlyArray<Change> => {
  const known = new Map(existing.map((column) => [column.name, column]))
  const all = declared(place)
  const undeclared = existing.filter(({ name }) => !all.some((column) => column.name === name))
  return [
    ...all.flatMap((column) => columnChange(place, column, known.get(column.name))),
    ...undeclared.filter(({ nullable, hasDefault }) => !nullable && !hasDefault).map((column) => requiredButUndeclared(place, column)),
  ]
}

const columnChange = (place: Place, column: Declared, existing: CatalogColumn | undefined): ReadonlyArray<Change> => {
  const label = `${place.table.name}.${column.name}`
  const name = quote(column.name)
  if (existing === undefined) return [added(place, label, column)]
  if (existing.type !== column.type) {
    const [type] = column.type.split(" COLLATE")
    const change = altered(place, `ALTER COLUMN ${name} TYPE ${column.type} USING ${name}::${type}`)
    return [{ ...change, refusal: `Column ${label} is ${existing.type} and should be ${column.type}` }]
  }
  if (existing.nullable && !column.nullable) {
    return [{ ...altered(place, `ALTER COLUMN ${name} SET NOT NULL`), refusal: `Column ${label} must not allow null` }]
  }
  if (!existing.nullable && column.nullable) return [{ ...altered(place, `ALTER COLUMN ${name} DROP NOT NULL`), isRelaxing: true }]
  if (column.default !== undefined && !existing.hasDefault) return [altered(place, `ALTER COLUMN ${name} SET DEFAULT ${column.default}`)]
  return []
}

const added = (place: Place, label: string, column: Declared): Change => {
  const canBeAdded = column.nullable || column.default !== undefined
  if (canBeAdded) return altered(place, `ADD COLUMN ${definition(column)}`)
  const filled = definition({ ...column, default: placeholders[column.type]! })
  return {
    ...altered(place, `ADD COLUMN ${filled}`),
    refusal: `Column ${label} is missing, and existing rows need a value for it (replace the default with your own)`,
  }
}

/** Default values for the statement of a refusal, which the operator replaces by values that suit the existing rows. */
const placeholders: Readonly<Record<string, string>> = {
  'text COLLATE "C"': "''",
  bigint: "0",
  "double precision": "0",
  boolean: "false",
  "timestamp with time zone": "now()",
  jsonb: "'{}'",
}

/** Rows could not be added otherwise. */
const requiredButUndeclared = (place: Place, { name }: CatalogColumn): Change => ({
  ...altered(place, `ALTER COLUMN ${quote(name)} DROP NOT NULL`),
  isRelaxing: true,
})

const keyChanges = (place: Place, existing: ReadonlyArray<CatalogIndex>): ReadonlyArray<Change> => {
  const { table } = place
  const name = indexName(table, [], "pkey")
  const key = existing.find(({ primary }) => primary)
  if (key?.name === name && key.fields.join() === table.key) return []
  const drop = key === undefined ? "" : `DROP CONSTRAINT ${quote(key.name)}, `
  return [
    {
      ...altered(place, `${drop}ADD CONSTRAINT ${quote(name)} PRIMARY KEY (${quote(table.key)})`),
      refusal: `Table ${table.name} should have ${table.key} as its key`,
    },
  ]
}
