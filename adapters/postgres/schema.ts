import type { AnyTable } from "../../domain/storage/table.ts"
import { indexes } from "../../domain/storage/table.ts"
import type { SqlColumn } from "./columns.ts"
import { columns, derivedColumns, indexName, quote, revisionColumn, revisionSequence } from "./columns.ts"

/** The columns and indexes of a database, read from its catalog. */
export interface Catalog {
  readonly columns: ReadonlyArray<CatalogColumn>
  readonly indexes: ReadonlyArray<CatalogIndex>
  readonly sequence: boolean
}

interface CatalogColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** Whether an INSERT without this column gives it a value. */
  readonly hasDefault: boolean
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

export const sequence = `CREATE SEQUENCE ${quote(revisionSequence)}`

/** The changes that the declared tables need. */
export const changes = (tables: ReadonlyArray<AnyTable>, catalog: Catalog): ReadonlyArray<Change> =>
  tables.flatMap((table) => {
    const existing = catalog.columns.filter((column) => column.table === table.name)
    if (existing.length === 0) return [created(table), ...indexes(table).map((index) => createdIndex(table, index))]
    const existingIndexes = catalog.indexes.filter((index) => index.table === table.name)
    return [...columnChanges(table, existing), ...keyChanges(table, existingIndexes), ...indexChanges(table, existingIndexes)]
  })

/** The names of tables that have our revision column and are not declared. */
export const undeclared = (tables: ReadonlyArray<AnyTable>, catalog: Catalog): ReadonlyArray<string> =>
  catalog.columns
    .filter(({ name, type, hasDefault }) => name === revision.name && type === revision.type && hasDefault)
    .flatMap(({ table }) => (tables.some(({ name }) => name === table) ? [] : [table]))

/** Its default is used to create the column; the default of an existing column is not compared. */
const revision = { name: revisionColumn, type: "bigint", nullable: false, default: `nextval('${quote(revisionSequence)}')` }

type Declared = Pick<SqlColumn, "name" | "type" | "nullable"> & { readonly default?: string }

const declared = (table: AnyTable): ReadonlyArray<Declared> => [...columns(table), ...derivedColumns(table), revision]

const definition = (column: Declared) =>
  `${quote(column.name)} ${column.type}${column.nullable ? "" : " NOT NULL"}${column.default === undefined ? "" : ` DEFAULT ${column.default}`}`

const created = (table: AnyTable): Change => {
  const key = `CONSTRAINT ${quote(indexName(table, [], "pkey"))} PRIMARY KEY (${quote(table.key)})`
  return { statement: `CREATE TABLE ${quote(table.name)} (${[...declared(table).map(definition), key].join(", ")})` }
}

type Index = ReturnType<typeof indexes>[number]

const nameOf = (table: AnyTable, { fields, unique }: Index) => indexName(table, fields, unique ? "key" : "idx")

const createdIndex = (table: AnyTable, index: Index): Change => {
  const name = nameOf(table, index)
  const fields = index.fields.map(quote).join(", ")
  return { statement: `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${quote(name)} ON ${quote(table.name)} (${fields})`, creates: name }
}

const columnChanges = (table: AnyTable, existing: ReadonlyArray<CatalogColumn>): ReadonlyArray<Change> => {
  const known = new Map(existing.map((column) => [column.name, column]))
  const all = declared(table)
  const undeclared = existing.filter(({ name }) => !all.some((column) => column.name === name))
  return [
    ...all.flatMap((column) => columnChange(table, column, known.get(column.name))),
    ...undeclared.filter(({ nullable, hasDefault }) => !nullable && !hasDefault).map((column) => requiredButUndeclared(table, column)),
  ]
}

const columnChange = (table: AnyTable, column: Declared, existing: CatalogColumn | undefined): ReadonlyArray<Change> => {
  const alter = `ALTER TABLE ${quote(table.name)}`
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

const requiredButUndeclared = (table: AnyTable, { name }: CatalogColumn): Change => ({
  statement: `ALTER TABLE ${quote(table.name)} ALTER COLUMN ${quote(name)} DROP NOT NULL`,
  refusal: `Column ${table.name}.${name} is no longer declared, but rows cannot be added without a value for it`,
})

const keyChanges = (table: AnyTable, existing: ReadonlyArray<CatalogIndex>): ReadonlyArray<Change> => {
  const name = indexName(table, [], "pkey")
  const key = existing.find(({ primary }) => primary)
  if (key?.name === name && key.fields.join() === table.key) return []
  const drop = key === undefined ? "" : `DROP CONSTRAINT ${quote(key.name)}, `
  return [
    {
      statement: `ALTER TABLE ${quote(table.name)} ${drop}ADD CONSTRAINT ${quote(name)} PRIMARY KEY (${quote(table.key)})`,
      refusal: `Table ${table.name} should have ${table.key} as its key`,
    },
  ]
}

const indexChanges = (table: AnyTable, existing: ReadonlyArray<CatalogIndex>): ReadonlyArray<Change> => {
  const all = indexes(table)
  const names = new Set(all.map((index) => nameOf(table, index)))
  const stale = existing.filter(({ name, unique, primary }) => unique && !primary && isOurs(table, name) && !names.has(name))
  return [
    ...all.flatMap((index) =>
      indexChange(
        table,
        index,
        existing.find(({ name }) => name === nameOf(table, index)),
      ),
    ),
    ...stale.map(({ name, fields }) => ({
      statement: `DROP INDEX ${quote(name)}`,
      refusal: `In table ${table.name}, ${fields.join(", ")} must not be unique`,
    })),
  ]
}

const indexChange = (table: AnyTable, index: Index, existing: CatalogIndex | undefined): ReadonlyArray<Change> => {
  const { statement, creates } = createdIndex(table, index)
  if (existing === undefined) return [{ statement, creates: creates! }]
  if (existing.isComplete && existing.unique === index.unique && existing.fields.join() === index.fields.join()) return []
  return [{ statement: `DROP INDEX ${quote(existing.name)}; ${statement}`, refusal: `Index ${existing.name} differs from its declaration` }]
}

const isOurs = (table: AnyTable, name: string) => name.startsWith(`${table.name}__`) && name.endsWith("__key")
