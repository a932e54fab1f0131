import { Array, Effect } from "effect"
import { retryOnConflict, Store, update } from "../ports/store.ts"
import type { AnyTable, Where } from "../ports/table.ts"

/** Milliseconds between two rounds, of which only those during and after an upgrade find something. */
const every = 60_000
const batch = 100
/** The pause after a batch, so that a round of many rows leaves the store to the requests. */
const pause = "100 millis"

/**
 * Background work that gives rows which an earlier version of the program wrote the texts by which they are searched: a write derives them.
 * `unfilled` selects these rows, so one of the texts is never null. Several processes can do it at once.
 * `busyOf` returns those of the keys whose rows wait for a later round.
 */
export const searchedTexts = <T extends AnyTable>(
  table: T,
  unfilled: Where<T>,
  busyOf: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, never, Store> = () => Effect.succeed(new Set()),
) => {
  const fillBatch = Effect.gen(function* fillBatch() {
    const { commit, list, read } = yield* Store
    const rows = yield* list(table, unfilled, { limit: batch })
    const busy = yield* busyOf(rows.map((row) => String(row[table.key])))
    const idle = rows.filter((row) => !busy.has(String(row[table.key])))
    const keys = idle.map((row) => ({ [table.key]: row[table.key] }) as Where<T>)
    const found = Array.getSomes(yield* Effect.forEach(keys, (key) => read(table, key), { concurrency: 4 }))
    if (found.length > 0) yield* commit(found.map((each) => update(table, each, {})))
    return rows.length === batch && found.length > 0
  }).pipe(retryOnConflict)
  const run = Effect.gen(function* fillSearchedTexts() {
    while (yield* fillBatch) yield* Effect.sleep(pause)
  })
  return { every, run }
}
