import { DateTime, Effect, Option } from "effect"
import { Store } from "../ports/store.ts"
import type { ExpiringTable, Row, Where } from "../ports/table.ts"

// The store returns expired rows until the sweeper removes them. These functions skip them.

/** Whether a row has not expired at a moment. At exactly the time in its `expires` column, a row is expired. */
export const liveAt =
  <T extends ExpiringTable>(table: T, now: DateTime.Utc) =>
  (row: Row<T>): boolean => {
    const end: DateTime.Utc = row[table.expires]
    return DateTime.isLessThan(now, end)
  }

/** Whether something with this end has ended; null: it has none. For rows that stay after it. */
export const hasEnded = (end: DateTime.Utc | null, now: DateTime.Utc): boolean => end !== null && DateTime.isLessThanOrEqualTo(end, now)

/** `Store.read` without expired rows. A session also ends at its `max_lifetime`: read sessions by `sessions.ts`. */
export const readLive = Effect.fnUntraced(function* readLive<T extends ExpiringTable>(table: T, where: Where<T>) {
  const stored = yield* (yield* Store).read(table, where)
  const isLive = liveAt(table, yield* DateTime.now)
  return Option.filter(stored, ({ row }) => isLive(row))
})

/** `Store.readWithReferenced` without expired rows of the first table. The row that it references may have expired. */
export const readLiveWithReferenced = Effect.fnUntraced(function* readLiveWithReferenced<
  T extends ExpiringTable,
  F extends keyof T["references"] & string,
>(table: T, where: Where<T>, field: F) {
  const stored = yield* (yield* Store).readWithReferenced(table, where, field)
  const isLive = liveAt(table, yield* DateTime.now)
  return Option.filter(stored, ([{ row }]) => isLive(row))
})

/** `Store.take` without expired rows: an expired row is removed, but not returned. Of several concurrent calls, only one gets the row. */
export const takeLive = Effect.fnUntraced(function* takeLive<T extends ExpiringTable>(table: T, where: Where<T>) {
  const taken = yield* (yield* Store).take(table, where)
  return Option.filter(taken, liveAt(table, yield* DateTime.now))
})
