import type { AnyTable } from "../../domain/ports/table.ts"
import { indexes } from "../../domain/ports/table.ts"
import type { SqlColumn } from "./columns.ts"
import { columns, derivedColumns, indexName, qualified, quote, revisionColumn, revisionSequence } from "./columns.ts"

/** What a schema of the database contains, read from its catalog. */
export interface Catalog {
  /** The schema's name. */
  readonly name: string
  /** The configured schema; undefined if the `search_path` of the connection selects it. */
  readonly schema: string | undefined
  readonly exists: boolean
  readonly columns: ReadonlyArray<CatalogColumn>
  readonly indexes: ReadonlyArray<CatalogIndex>
  readonly sequence: boolean
  /** What has the name of a declared table. */
  readonly occupants: ReadonlyArray<{ readonly name: string; readonly kind: string }>
}

interface CatalogColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** Whether an INSERT without this column gives it a value. */
  readonly hasDefault: boolean
  /** Whether its default is the next value of our sequence. */
  readonly isRevision: boolean
}

interface CatalogIndex {
  readonly table: string
  readonly name: string
  readonly fields: ReadonlyArray<string>
  readonly unique: boolean
  readonly primary: boolean
  /** Whether the index covers all rows, has only plain columns, and is fully built. */
  readonly isComplete: boolean
}

/** A statement that makes the database match the declared tables. */
export interface Change {
  readonly statement: string
  /** Why the operator has to decide on the change; absent where no data can be lost. */
  readonly refusal?: string
  /** The index it creates. */
  readonly creates?: string
}

/** The statements that the tables need before they can be created. */
export const groundwork = ({ schema, exists, sequence }: Catalog): ReadonlyArray<string> => [
  ...(schema === undefined || exists ? [] : [`CREATE SCHEMA ${quote(schema)}`]),
  ...(sequence ? [] : [`CREATE SEQUENCE ${qualified(schema, revisionSequence)}`]),
]

/** The changes that the declared tables need. */
export const changes = (tables: ReadonlyArray<AnyTable>, { schema, ...catalog }: Catalog): ReadonlyArray<Change> =>
  tables.flatMap((table) => {
    const place = { table, schema, name: qualified(schema, table.name) }
    const existing = catalog.columns.filter((column) => column.table === table.name)
    if (existing.length === 0) return [created(place), ...indexes(table).map((index) => createdIndex(place, index))]
    const existingIndexes = catalog.indexes.filter((index) => index.table === table.name)
    return [...columnChanges(place, existing), ...keyChanges(place, existingIndexes), ...indexChanges(place, existingIndexes)]
  })

/** A declared table, its schema, and its name in a statement. */
interface Place {
  readonly table: AnyTable
  readonly schema: string | undefined
  readonly name: string
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
export const undeclared = (tables: ReadonlyArray<AnyTable>, { columns }: Catalog): ReadonlyArray<string> =>
  [...ownTables(columns)].filter((table) => !tables.some(({ name }) => name === table))

const revisionOf = (schema: string | undefined): Declared => {
  const sequence = qualified(schema, revisionSequence)
  return { name: revisionColumn, type: "bigint", nullable: false, default: `nextval('${sequence.replaceAll("'", "''")}')` }
}

type Declared = Pick<SqlColumn, "name" | "type" | "nullable" | "default">

const declared = ({ table, schema }: Place): ReadonlyArray<Declared> => [...columns(table), ...derivedColumns(table), revisionOf(schema)]

const definition = (column: Declared) =>
  `${quote(column.name)} ${column.type}${column.nullable ? "" : " NOT NULL"}${column.default === undefined ? "" : ` DEFAULT ${column.default}`}`

const created = (place: Place): Change => {
  const { table, name } = place
  const key = `CONSTRAINT ${quote(indexName(table, [], "pkey"))} PRIMARY KEY (${quote(table.key)})`
  return { statement: `CREATE TABLE ${name} (${[...declared(place).map(definition), key].join(", ")})` }
}

type Index = ReturnType<typeof indexes>[number]

const nameOf = (table: AnyTable, { fields, unique }: Index) => indexName(table, fields, unique ? "key" : "idx")

const createdIndex = ({ table, name }: Place, index: Index): Change => {
  const creates = nameOf(table, index)
  const fields = index.fields.map(quote).join(", ")
  return { statement: `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${quote(creates)} ON ${name} (${fields})`, creates }
}

const columnChanges = (place: Place, existing: ReadonlyArray<CatalogColumn>): ReadonlyArray<Change> => {
  const known = new Map(existing.map((column) => [column.name, column]))
  const all = declared(place)
  const undeclared = existing.filter(({ name }) => !all.some((column) => column.name === name))
  return [
    ...all.flatMap((column) => columnChange(place, column, known.get(column.name))),
    ...undeclared.filter(({ nullable, hasDefault }) => !nullable && !hasDefault).map((column) => requiredButUndeclared(place, column)),
  ]
}

const columnChange = ({ table, name: tableName }: Place, column: Declared, existing: CatalogColumn | undefined): ReadonlyArray<Change> => {
  const alter = `ALTER TABLE ${tableName}`
  const place = `${table.name}.${column.name}`
  const name = quote(column.name)
  if (existing === undefined) return [added(alter, place, column)]
  if (existing.type !== column.type) {
    const [type] = column.type.split(" COLLATE")
    const statement = `${alter} ALTER COLUMN ${name} TYPE ${column.type} USING ${name}::${type}`
    return [{ statement, refusal: `Column ${place} is ${existing.type} and should be ${column.type}` }]
  }
  if (existing.nullable && !column.nullable) {
    return [{ statement: `${alter} ALTER COLUMN ${name} SET NOT NULL`, refusal: `Column ${place} must not allow null` }]
  }
  if (!existing.nullable && column.nullable) {
    return [{ statement: `${alter} ALTER COLUMN ${name} DROP NOT NULL`, refusal: `Column ${place} must allow null` }]
  }
  if (column.default !== undefined && !existing.hasDefault) {
    return [{ statement: `${alter} ALTER COLUMN ${name} SET DEFAULT ${column.default}` }]
  }
  return []
}

const added = (alter: string, place: string, column: Declared): Change => {
  const canBeAdded = column.nullable || column.default !== undefined
  if (canBeAdded) return { statement: `${alter} ADD COLUMN ${definition(column)}` }
  const filled = definition({ ...column, default: placeholders[column.type]! })
  return {
    statement: `${alter} ADD COLUMN ${filled}`,
    refusal: `Column ${place} is missing, and existing rows need a value for it (replace the default with your own)`,
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

const requiredButUndeclared = ({ table, name: tableName }: Place, { name }: CatalogColumn): Change => ({
  statement: `ALTER TABLE ${tableName} ALTER COLUMN ${quote(name)} DROP NOT NULL`,
  refusal: `Column ${table.name}.${name} is no longer declared, but rows cannot be added without a value for it`,
})

const keyChanges = ({ table, name: tableName }: Place, existing: ReadonlyArray<CatalogIndex>): ReadonlyArray<Change> => {
  const name = indexName(table, [], "pkey")
  const key = existing.find(({ primary }) => primary)
  if (key?.name === name && key.fields.join() === table.key) return []
  const drop = key === undefined ? "" : `DROP CONSTRAINT ${quote(key.name)}, `
  return [
    {
      statement: `ALTER TABLE ${tableName} ${drop}ADD CONSTRAINT ${quote(name)} PRIMARY KEY (${quote(table.key)})`,
      refusal: `Table ${table.name} should have ${table.key} as its key`,
    },
  ]
}

const indexChanges = (place: Place, existing: ReadonlyArray<CatalogIndex>): ReadonlyArray<Change> => {
  const { table, schema } = place
  const all = indexes(table)
  const names = new Set(all.map((index) => nameOf(table, index)))
  const stale = existing.filter(({ name, unique, primary }) => unique && !primary && isOurs(table, name) && !names.has(name))
  return [
    ...all.flatMap((index) =>
      indexChange(
        place,
        index,
        existing.find(({ name }) => name === nameOf(table, index)),
      ),
    ),
    ...stale.map(({ name, fields }) => ({
      statement: `DROP INDEX ${qualified(schema, name)}`,
      refusal: `In table ${table.name}, ${fields.join(", ")} must not be unique`,
    })),
  ]
}

const indexChange = (place: Place, index: Index, existing: CatalogIndex | undefined): ReadonlyArray<Change> => {
  const { statement, creates } = createdIndex(place, index)
  if (existing === undefined) return [{ statement, creates: creates! }]
  if (existing.isComplete && existing.unique === index.unique && existing.fields.join() === index.fields.join()) return []
  return [
    {
      statement: `DROP INDEX ${qualified(place.schema, existing.name)}; ${statement}`,
      refusal: `Index ${existing.name} differs from its declaration`,
    },
  ]
}

const isOurs = (table: AnyTable, name: string) => name.startsWith(`${table.name}__`) && name.endsWith("__key")
