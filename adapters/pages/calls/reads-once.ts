import { Effect } from "effect"
import type { StoreService } from "../../../domain/ports/store.ts"

/**
 * A store that reads each row and list once, until a commit. For the calls of one request that only read: most of them look up the same
 * session and the same membership.
 */
export const readsOnce = (store: StoreService): StoreService => {
  const known = new Map<string, unknown>()
  const once = <A>(query: ReadonlyArray<unknown>, read: Effect.Effect<A>): Effect.Effect<A> =>
    Effect.suspend(() => {
      const key = JSON.stringify(query)
      if (known.has(key)) return Effect.succeed(known.get(key) as A)
      return Effect.tap(read, (rows) => Effect.sync(() => known.set(key, rows)))
    })
  return {
    ...store,
    read: (table, where) => once(["read", table.name, where], store.read(table, where)),
    readWithReferenced: (table, where, field) =>
      once(["referenced", table.name, where, field], store.readWithReferenced(table, where, field)),
    readWithReferencing: (table, where, other, field, rest) =>
      once(["referencing", table.name, where, other.name, field, rest], store.readWithReferencing(table, where, other, field, rest)),
    list: (table, where, options) => once(["list", table.name, where, options], store.list(table, where, options)),
    commit: (writes) =>
      Effect.andThen(
        Effect.sync(() => known.clear()),
        store.commit(writes),
      ),
  }
}
