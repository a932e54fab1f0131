import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { isCommitted, replace, Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { hasEnded } from "./live.ts"

// The number of all rows of a table. No store counts a large table in one short statement, and a counter that every insert writes would
// make inserts wait for each other.

/** The number of rows in one read of a count. */
export const page = 500
/** Between two reads, so that a count does not keep the database busy. */
const pause = Duration.millis(100)
/** How long others leave a count alone after a page of it. A process that ends without a word is replaced then. */
const turn = Duration.minutes(1)
/** Between two counts. */
const every = Duration.hours(1)

const Tally = Schema.Struct({
  /** The name of the table. */
  id: Schema.String,
  /** The result of the last count, and when it ended; null before the first. */
  count: Schema.NullOr(Schema.Int),
  as_of: Schema.NullOr(Schema.DateTimeUtc),
  /** The rows that the present count has found, and the key of the last one; null: no count goes on. */
  counted: Schema.Int,
  place: Schema.NullOr(Schema.String),
  /** Until then a process works on the present count. */
  leased_until: Schema.NullOr(Schema.DateTimeUtc),
})
type Tally = typeof Tally.Type

/** The counts of large tables, which the background work of modules repeats. */
export const Tallies = Table.make("tally", Tally, { key: "id" })

const uncounted = { count: null, as_of: null, counted: 0, place: null, leased_until: null }

/** Whether a process may count the next page: `isMine`, if it has counted the one before. */
const isDue = ({ as_of, place, leased_until }: Tally, now: DateTime.Utc, isMine: boolean) => {
  if (place !== null) return isMine || hasEnded(leased_until, now)
  return !isMine && (as_of === null || hasEnded(DateTime.addDuration(as_of, every), now))
}

/** Counts the next page, unless another process did it meanwhile. Whether the count goes on here. */
const countPage = Effect.fnUntraced(function* countPage<T extends Table.AnyTable>(table: T, isMine: boolean) {
  const { list, read } = yield* Store
  const found = yield* read(Tallies, { id: table.name })
  const now = yield* DateTime.now
  const tally: Tally = Option.match(found, { onNone: () => ({ id: table.name, ...uncounted }), onSome: ({ row }) => row })
  if (!isDue(tally, now, isMine)) return false
  const after = tally.place === null ? {} : { after: { [table.key]: tally.place } as Partial<Table.Row<T>> }
  const rows = yield* list(table, {}, { limit: page, order: table.key, ...after })
  const counted = tally.counted + rows.length
  const isOver = rows.length < page
  const next = isOver
    ? { ...uncounted, count: counted, as_of: now }
    : { counted, place: rows.at(-1)?.[table.key], leased_until: DateTime.addDuration(now, turn) }
  return (yield* isCommitted([replace(Tallies, found, { ...tally, ...next })])) && !isOver
})

/**
 * Counts the rows of a table once an hour, in pages, one process at a time. Each page is committed with the place of the next one: a count
 * goes on where a killed process has left it, and no page counts twice.
 */
export const counting = (table: Table.AnyTable) => ({
  every: 60_000,
  run: Effect.gen(function* countRows() {
    let goesOn = yield* countPage(table, false)
    while (goesOn) {
      yield* Effect.sleep(pause)
      goesOn = yield* countPage(table, true)
    }
  }),
})

/** The result of the last count of a table; none before the first has ended. */
export const lastCount = Effect.fnUntraced(function* lastCount({ name }: Table.AnyTable) {
  const found = yield* (yield* Store).read(Tallies, { id: name })
  return Option.flatMap(found, ({ row: { count, as_of } }) =>
    count === null || as_of === null ? Option.none() : Option.some({ count, as_of }),
  )
})
