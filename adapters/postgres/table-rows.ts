import { Option } from "effect"
import type { Versioned } from "../../domain/ports/store.ts"
import { demandOne, fault, fieldsOf } from "../../domain/storage/store-question.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import { searchedOf } from "../../domain/storage/table.ts"
import type { SqlColumn } from "./columns.ts"
import { columns, quote, revisionColumn, searchedColumns } from "./columns.ts"

export type Where = Readonly<Record<string, unknown>>
type Values = ReadonlyArray<unknown>

/** The rows of one table on their way there and back, and the texts that were made for it. */
export interface TableRows {
  readonly table: AnyTable
  /** The table's name in a statement. */
  readonly name: string
  readonly key: SqlColumn
  /** What is written: the columns of the rows, then those that are kept beside them. */
  readonly kept: ReadonlyArray<SqlColumn>
  readonly column: (field: string) => SqlColumn
  /** What a statement lists to be read by `held`; the prefix says of which of its tables. */
  readonly listed: (prefix?: string) => string
  readonly width: number
  readonly held: (values: Values, from?: number) => Versioned<Record<string, unknown>>
  /** The row at a place where a `LEFT JOIN` may have put nothing. */
  readonly joined: (values: Values, from: number) => Option.Option<Versioned<Record<string, unknown>>>
  /** The values that a condition compares with. */
  readonly values: (where: Where) => Array<unknown>
  /** The values of a row, as `kept`. */
  readonly encoded: (row: Where) => Values
  /** Makes each kind of text once, after the question has been found fit. */
  readonly text: <A>(kind: string, demand: () => void, build: () => A) => A
  /** Demands that these fields lead to one row at most. */
  readonly one: (where: Where) => () => void
}

export const make = (table: AnyTable): TableRows => {
  const all = columns(table)
  const kept = [...all, ...searchedColumns(table)]
  const byName = new Map(kept.map((column) => [column.name, column]))
  if (byName.has(revisionColumn)) throw fault(table, `the name ${revisionColumn} is taken`)
  const names = [...all.map((column) => quote(column.name)), revisionColumn]
  const held = reader(all)
  const column = (field: string) => {
    const found = byName.get(field)
    if (found === undefined) throw fault(table, `has no field ${field}`)
    return found
  }

  return {
    table,
    name: quote(table.name),
    key: byName.get(table.key)!,
    kept,
    column,
    listed: (prefix = "") => names.map((name) => `${prefix}${name}`).join(", "),
    width: names.length,
    held,
    joined: (values, from) => (values[from + all.length] === null ? Option.none() : Option.some(held(values, from))),
    values: (where) => {
      const encoded: Array<unknown> = []
      for (const field of fieldsOf(table, where)) if (where[field] !== null) encoded.push(column(field).encode(where[field]))
      return encoded
    },
    encoded: (given) => {
      const row = kept.length === all.length ? given : { ...given, ...searchedOf(table, given) }
      return kept.map((column) => column.encode(row[column.name]))
    },
    text: memo(),
    one: (where) => () => demandOne(table, fieldsOf(table, where)),
  }
}

/** The row at a place in the driver's values, as a plain loop: this is what every request waits for. */
const reader = (columns: ReadonlyArray<SqlColumn>): TableRows["held"] => {
  const names = columns.map(({ name }) => name)
  const decoders = columns.map(({ decode }) => decode)
  return (values, from = 0) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) {
      const value = values[from + at]
      const decode = decoders[at]
      row[names[at]!] = decode === undefined || value === null ? value : decode(value)
    }
    return { row, revision: Number(values[from + names.length]) }
  }
}

/** The first of the driver's rows, if there is any. */
export const firstHeld = ({ held }: TableRows, found: ReadonlyArray<Values>) =>
  found.length === 0 ? Option.none() : Option.some(held(found[0]!))

const memo = (): TableRows["text"] => {
  const made = new Map<string, unknown>()
  return <A>(kind: string, demand: () => void, build: () => A): A => {
    const known = made.get(kind)
    if (known !== undefined) return known as A
    demand()
    const text = build()
    made.set(kind, text)
    return text
  }
}

/** For texts that are the same whatever is asked. */
export const always = () => {}
