import type { AnyTable } from "../../domain/storage/table.ts"
import { indexes } from "../../domain/storage/table.ts"
import type { SqlColumn } from "./columns.ts"
import { columns, indexName, quote, revisionColumn, revisionSequence, searchedColumns } from "./columns.ts"

/** What a database holds, as its catalog says. */
export interface Found {
  readonly columns: ReadonlyArray<FoundColumn>
  readonly indexes: ReadonlyArray<FoundIndex>
  readonly sequence: boolean
}

interface FoundColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** Whether a row that does not name this column gets a value. */
  readonly filled: boolean
}

interface FoundIndex {
  readonly table: string
  readonly name: string
  readonly fields: ReadonlyArray<string>
  readonly unique: boolean
  readonly primary: boolean
  /** Over all rows, over plain columns, and finished. */
  readonly whole: boolean
}

/** A statement that brings the database nearer to what is declared. */
export interface Change {
  readonly statement: string
  /** Why it is left to the owner of the database; absent where nothing can be lost. */
  readonly refused?: string
  /** The index it creates. */
  readonly creates?: string
}

export const sequence = `CREATE SEQUENCE ${quote(revisionSequence)}`

/** Everything that tables need and a database does not have. */
export const changes = (tables: ReadonlyArray<AnyTable>, found: Found): ReadonlyArray<Change> =>
  tables.flatMap((table) => {
    const held = found.columns.filter((column) => column.table === table.name)
    if (held.length === 0) return [created(table), ...indexes(table).map((index) => createdIndex(table, index))]
    const there = found.indexes.filter((index) => index.table === table.name)
    return [...columnChanges(table, held), ...keyChanges(table, there), ...indexChanges(table, there)]
  })

/** By name: tables that count revisions as ours do, and are not declared. */
export const undeclared = (tables: ReadonlyArray<AnyTable>, found: Found): ReadonlyArray<string> =>
  found.columns
    .filter(({ name, type, filled }) => name === revision.name && type === revision.type && filled)
    .flatMap(({ table }) => (tables.some(({ name }) => name === table) ? [] : [table]))

/** With its default: what fills the column counts, and is not compared. */
const revision = { name: revisionColumn, type: "bigint", nullable: false, default: `nextval('${quote(revisionSequence)}')` }

type Declared = Pick<SqlColumn, "name" | "type" | "nullable"> & { readonly default?: string }

const declared = (table: AnyTable): ReadonlyArray<Declared> => [...columns(table), ...searchedColumns(table), revision]

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

const columnChanges = (table: AnyTable, held: ReadonlyArray<FoundColumn>): ReadonlyArray<Change> => {
  const known = new Map(held.map((column) => [column.name, column]))
  const all = declared(table)
  const undeclared = held.filter(({ name }) => !all.some((column) => column.name === name))
  return [
    ...all.flatMap((column) => columnChange(table, column, known.get(column.name))),
    ...undeclared.filter(({ nullable, filled }) => !nullable && !filled).map((column) => abandoned(table, column)),
  ]
}

const columnChange = (table: AnyTable, column: Declared, held: FoundColumn | undefined): ReadonlyArray<Change> => {
  const alter = `ALTER TABLE ${quote(table.name)}`
  const place = `${table.name}.${column.name}`
  const name = quote(column.name)
  if (held === undefined) return [added(alter, place, column)]
  if (held.type !== column.type) {
    const [type] = column.type.split(" COLLATE")
    const statement = `${alter} ALTER COLUMN ${name} TYPE ${column.type} USING ${name}::${type}`
    return [{ statement, refused: `Column ${place} is ${held.type} and should be ${column.type}` }]
  }
  if (held.nullable && !column.nullable) {
    return [{ statement: `${alter} ALTER COLUMN ${name} SET NOT NULL`, refused: `Column ${place} may hold null and should not` }]
  }
  if (!held.nullable && column.nullable) {
    return [{ statement: `${alter} ALTER COLUMN ${name} DROP NOT NULL`, refused: `Column ${place} refuses null and should hold it` }]
  }
  return []
}

const added = (alter: string, place: string, column: Declared): Change => {
  const fills = column.nullable || column.default !== undefined
  if (fills) return { statement: `${alter} ADD COLUMN ${definition(column)}` }
  const filled = definition({ ...column, default: zeros[column.type]! })
  return {
    statement: `${alter} ADD COLUMN ${filled}`,
    refused: `Column ${place} is missing, and the rows that are there need a value for it (put yours in the place of the default)`,
  }
}

/** Something to begin with, where existing rows need a value that nobody but their owner knows. */
const zeros: Readonly<Record<string, string>> = {
  'text COLLATE "C"': "''",
  bigint: "0",
  "double precision": "0",
  boolean: "false",
  "timestamp with time zone": "now()",
  jsonb: "'{}'",
}

const abandoned = (table: AnyTable, { name }: FoundColumn): Change => ({
  statement: `ALTER TABLE ${quote(table.name)} ALTER COLUMN ${quote(name)} DROP NOT NULL`,
  refused: `Column ${table.name}.${name} is declared by no table any more, but no row can be added without it`,
})

const keyChanges = (table: AnyTable, held: ReadonlyArray<FoundIndex>): ReadonlyArray<Change> => {
  const name = indexName(table, [], "pkey")
  const key = held.find(({ primary }) => primary)
  if (key?.name === name && key.fields.join() === table.key) return []
  const drop = key === undefined ? "" : `DROP CONSTRAINT ${quote(key.name)}, `
  return [
    {
      statement: `ALTER TABLE ${quote(table.name)} ${drop}ADD CONSTRAINT ${quote(name)} PRIMARY KEY (${quote(table.key)})`,
      refused: `Table ${table.name} should have ${table.key} as its key`,
    },
  ]
}

const indexChanges = (table: AnyTable, held: ReadonlyArray<FoundIndex>): ReadonlyArray<Change> => {
  const all = indexes(table)
  const names = new Set(all.map((index) => nameOf(table, index)))
  const stale = held.filter(({ name, unique, primary }) => unique && !primary && isOurs(table, name) && !names.has(name))
  return [
    ...all.flatMap((index) =>
      indexChange(
        table,
        index,
        held.find(({ name }) => name === nameOf(table, index)),
      ),
    ),
    ...stale.map(({ name, fields }) => ({
      statement: `DROP INDEX ${quote(name)}`,
      refused: `Table ${table.name} still has ${fields.join(", ")} unique, and should not`,
    })),
  ]
}

const indexChange = (table: AnyTable, index: Index, held: FoundIndex | undefined): ReadonlyArray<Change> => {
  const { statement, creates } = createdIndex(table, index)
  if (held === undefined) return [{ statement, creates: creates! }]
  if (held.whole && held.unique === index.unique && held.fields.join() === index.fields.join()) return []
  return [{ statement: `DROP INDEX ${quote(held.name)}; ${statement}`, refused: `Index ${held.name} is not what it should be` }]
}

const isOurs = (table: AnyTable, name: string) => name.startsWith(`${table.name}__`) && name.endsWith("__key")
