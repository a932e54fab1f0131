import { Context, Effect, Layer, Option } from "effect"
import { SessionReplica, type SessionReplicaService } from "../../domain/ports/session-replica.ts"
import { Store, type StoreService, type Write } from "../../domain/ports/store.ts"
import { Sessions, Users } from "../../domain/storage/tables.ts"
import * as CachedSessions from "./cached-sessions.ts"

/**
 * Keeps sessions in the memory of this process, for requests that only read them. A commit of this process removes what it changes before
 * it is answered, so that a revoked session is refused at once. Changes of other processes are noticed when a session reaches `max_age`.
 */
export const layer = (options: CachedSessions.Options): Layer.Layer<Store, never, Store> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const [store, replica] = [yield* Store, yield* SessionReplica]
      const cache = CachedSessions.make(options)
      return Context.make(Store, remembering(store, cache)).pipe(Context.add(SessionReplica, reading(cache, replica)))
    }),
  )

const reading = (cache: CachedSessions.CachedSessions, replica: SessionReplicaService): SessionReplicaService => ({
  read: (token_hash) =>
    Effect.suspend(() => {
      const found = cache.get(token_hash)
      return found === undefined ? replica.read(token_hash) : Effect.succeed(Option.some(found))
    }),
})

/** The store, whose reads of sessions fill the cache, and whose writes empty it. */
const remembering = (store: StoreService, cache: CachedSessions.CachedSessions): StoreService => ({
  ...store,
  readWithReferenced: (table, where, field) => {
    const read = store.readWithReferenced(table, where, field)
    return table.name === Sessions.name && "token_hash" in where ? Effect.suspend(() => Effect.map(read, cache.fill())) : (read as any)
  },
  take: (table, where) => (isCached(table.name) ? cache.changing(undefined, store.take(table, where)) : store.take(table, where)),
  commit: (writes) => {
    const ids = writes.flatMap(idsOf)
    return ids.length === 0 ? store.commit(writes) : cache.changing(ids, store.commit(writes))
  },
})

const isCached = (table: string) => table === Sessions.name || table === Users.name

/** The ids of the sessions and users that a write changes or removes. */
const idsOf = (write: Write): ReadonlyArray<string> => {
  if (!isCached(write.table.name) || write._tag === "insert" || write._tag === "check") return []
  if (write._tag === "put") return [String(write.row["id"])]
  if (write._tag === "removeAll") return Object.values(write.where).map(String)
  return write._tag === "removeEach" ? write.keys.map(String) : [String(write.key)]
}
