import { Option } from "effect"
import type { Versioned } from "../../domain/ports/store.ts"
import { type AnyTable, completion, indexes, searchedOf } from "../../domain/ports/table.ts"
import { demandOne, fault, fieldsOf } from "../../domain/storage/query-checks.ts"
import { columns, derivedColumns, isText, qualified, quote, revisionColumn, type SqlColumn } from "./columns.ts"

export type Where = Readonly<Record<string, unknown>>
type Values = ReadonlyArray<unknown>

/** Encodes and decodes the rows of one table, and caches the texts of its statements. */
export interface TableRows {
  readonly table: AnyTable
  /** The table's name in a statement. */
  readonly name: string
  /** The name of another table of the same schema. */
  readonly nameOf: (table: AnyTable) => string
  readonly key: SqlColumn
  /** All columns that a write sets: those of the rows, then the derived ones. */
  readonly storedColumns: ReadonlyArray<SqlColumn>
  readonly column: (field: string) => SqlColumn
  /** The select list that `decodeRow` reads; the prefix is the table's alias in the statement. */
  readonly selectList: (prefix?: string) => string
  readonly columnCount: number
  readonly decodeRow: (values: Values, from?: number) => Versioned<Record<string, unknown>>
  /** The row that begins at this value, or none where a `LEFT JOIN` matched no row. */
  readonly decodeJoined: (values: Values, from: number) => Option.Option<Versioned<Record<string, unknown>>>
  /** The parameters of a condition. */
  readonly conditionValues: (where: Where) => Array<unknown>
  /** The parameters of a row, in the order of `storedColumns`. */
  readonly encodeRow: (row: Where) => Values
  /** Builds each kind of text once, after `demand` has accepted the query. */
  readonly cachedText: <A>(kind: string, demand: () => void, build: () => A) => A
  /** The text field of a condition of one field that is unique by itself, and its position in the select list. */
  readonly uniqueField: (where: Where) => { readonly name: string; readonly at: number } | undefined
  /** Demands that at most one row matches these fields. */
  readonly demandOneRow: (where: Where) => () => void
}

/** `schema` is that of all tables; undefined if the connection selects it. */
export const make = (table: AnyTable, schema: string | undefined): TableRows => {
  const all = columns(table)
  const storedColumns = [...all, ...derivedColumns(table)]
  const byName = new Map(storedColumns.map((column) => [column.name, column]))
  if (byName.has(revisionColumn)) throw fault(table, `the name ${revisionColumn} is taken`)
  const names = [...all.map((column) => quote(column.name)), revisionColumn]
  const decodeRow = reader(all, completion(table))
  const column = (field: string) => {
    const found = byName.get(field)
    if (found === undefined) throw fault(table, `has no field ${field}`)
    return found
  }

  const unique = new Map(
    all.flatMap((column, at) =>
      isText(column) && isUnique(table, column.name) ? [[column.name, { name: column.name, at }] as const] : [],
    ),
  )

  const nameOf = ({ name }: AnyTable) => qualified(schema, name)
  return {
    table,
    name: nameOf(table),
    nameOf,
    key: byName.get(table.key)!,
    storedColumns,
    column,
    selectList: (prefix = "") => names.map((name) => `${prefix}${name}`).join(", "),
    columnCount: names.length,
    decodeRow,
    decodeJoined: (values, from) => (values[from + all.length] === null ? Option.none() : Option.some(decodeRow(values, from))),
    conditionValues: (where) => {
      const encoded: Array<unknown> = []
      for (const field of fieldsOf(table, where)) if (where[field] !== null) encoded.push(column(field).encode(where[field]))
      return encoded
    },
    encodeRow: (row) => {
      const stored = storedColumns.length === all.length ? row : { ...row, ...searchedOf(table, row) }
      return storedColumns.map((column) => column.encode(stored[column.name]))
    },
    uniqueField: (where) => {
      const [name, ...others] = Object.keys(where)
      if (name === undefined || others.length > 0 || typeof where[name] !== "string") return undefined
      return unique.get(name)
    },
    cachedText: memo(),
    demandOneRow: (where) => () => demandOne(table, fieldsOf(table, where)),
  }
}

const isUnique = (table: AnyTable, field: string) =>
  field === table.key || indexes(table).some(({ fields, unique }) => unique && fields.length === 1 && fields[0] === field)

/** Decodes the row that begins at a value of the driver's row. A plain loop, since every request runs it. */
const reader = (columns: ReadonlyArray<SqlColumn>, complete: ReturnType<typeof completion>): TableRows["decodeRow"] => {
  const names = columns.map(({ name }) => name)
  const decoders = columns.map(({ decode }) => decode)
  return (values, from = 0) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) {
      const value = values[from + at]
      const decode = decoders[at]
      row[names[at]!] = decode === undefined || value === null ? value : decode(value)
    }
    complete?.(row)
    return { row, revision: Number(values[from + names.length]) }
  }
}

/** The first of the driver's rows, or none. */
export const firstRow = ({ decodeRow }: TableRows, values: ReadonlyArray<Values>) =>
  values.length === 0 ? Option.none() : Option.some(decodeRow(values[0]!))

const memo = (): TableRows["cachedText"] => {
  const cache = new Map<string, unknown>()
  return <A>(kind: string, demand: () => void, build: () => A): A => {
    const cached = cache.get(kind)
    if (cached !== undefined) return cached as A
    demand()
    const text = build()
    cache.set(kind, text)
    return text
  }
}

/** The `demand` of statements that every table supports: it checks nothing. */
export const noDemand = () => {}
