import { Effect } from "effect"
import { Store } from "../ports/store.ts"
import type { AnyTable } from "../ports/table.ts"
import { Keys } from "../tokens/keys.ts"
import * as SealedText from "../tokens/sealed-text.ts"
import { type Column, columnsOf, idOf, lastingColumns, nameOf } from "./sealing.ts"

/** How many stored values are sealed under one listed secret. */
export interface SealedCount {
  /** The id of the secret in sealed values; null for values of earlier versions, which have none. */
  readonly id: string | null
  readonly count: number
  /** Whether a count of a column stopped at its limit. */
  readonly more: boolean
}

type Row = Readonly<Record<string, unknown>>

const page = 100

/**
 * Counts the sealed values by the id of their secret: first the listed secrets, the newest first, then values without an id. Of a column and
 * a secret it counts at most about `most`.
 */
export const sealedCounts = Effect.fnUntraced(function* sealedCounts(tables: ReadonlyArray<AnyTable>, most = 10_000) {
  const lasting = lastingColumns(tables)
  const lastingNames = new Set(lasting.map(nameOf))
  const scanned = yield* Effect.forEach(
    columnsOf(tables).filter((column) => !lastingNames.has(nameOf(column))),
    (column) => scan(column, most),
  )
  return yield* Effect.forEach([...(yield* Keys).ids, null], (id) =>
    Effect.map(
      Effect.forEach(lasting, (column) => countIn(column, id, most)),
      (indexed): SealedCount =>
        summed(id, [...indexed, ...scanned.map(({ ids, more }) => ({ count: ids.filter((each) => each === id).length, more }))]),
    ),
  )
})

interface Counted {
  readonly count: number
  readonly more: boolean
}

const summed = (id: string | null, counts: ReadonlyArray<Counted>): SealedCount => ({
  id,
  count: counts.reduce((sum, { count }) => sum + count, 0),
  more: counts.some(({ more }) => more),
})

/** The ids of a column without an index, such as that of waiting mails: its rows are read one by one. */
const scan = Effect.fnUntraced(function* scanColumn(column: Column, most: number) {
  const { table } = column
  const store = yield* Store
  const ids: Array<string | null> = []
  let after: Row | undefined = { [table.key]: "" }
  while (after !== undefined && ids.length < most) {
    const rows: ReadonlyArray<Row> = yield* store.list(table, {}, { limit: page, order: table.key, after })
    ids.push(...rows.map((row) => idOf(column, row)))
    after = rows.length < page ? undefined : rows.at(-1)
  }
  return { ids, more: after !== undefined }
})

/** Reads only the rows with this id: the index on the column begins with the id. Values without an id sort after all others. */
const countIn = Effect.fnUntraced(function* countIn(column: Column, id: string | null, most: number) {
  const { table, field } = column
  const store = yield* Store
  let count = 0
  let after: Row | undefined = { [field]: id === null ? SealedText.endOfIds : SealedText.written(id, ""), [table.key]: "" }
  while (after !== undefined && count < most) {
    const rows: ReadonlyArray<Row> = yield* store.list(table, {}, { limit: page, order: field, after })
    const matching = rows.filter((row) => idOf(column, row) === id)
    count += matching.length
    after = matching.length < page ? undefined : rows.at(-1)
  }
  return { count, more: after !== undefined }
})
