import { Context, Effect, Layer, Option } from "effect"
import { Store, type StoreService } from "../../domain/ports/store.ts"
import { changedIds, isOfSessions } from "../../domain/sessions/changed-sessions.ts"
import { SessionReplica, type SessionReplicaService } from "../../domain/sessions/session-replica.ts"
import { Sessions } from "../../domain/sessions/tables.ts"
import { type Measure, offer } from "../measures.ts"
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
      yield* offer(measuresOf(cache))
      return Context.make(Store, remembering(store, cache)).pipe(Context.add(SessionReplica, reading(cache, replica)))
    }),
  )

const measuresOf = ({ uses }: CachedSessions.CachedSessions): ReadonlyArray<Measure> =>
  (["hit", "miss"] as const).map((result) => ({
    name: "sallyport_session_cache_reads_total",
    description: "Reads of sessions that the cache could answer, and those that it could not.",
    type: "counter",
    attributes: { result },
    read: () => uses[result],
  }))

const reading = (cache: CachedSessions.CachedSessions, replica: SessionReplicaService | undefined): SessionReplicaService => ({
  read: (token_hash) =>
    Effect.suspend(() => {
      const found = cache.get(token_hash)
      if (found !== undefined) return Effect.succeed(Option.some(found))
      return replica === undefined ? Effect.succeedNone : replica.read(token_hash)
    }),
})

/** The store, whose reads of sessions fill the cache, and whose writes empty it. */
const remembering = (store: StoreService, cache: CachedSessions.CachedSessions): StoreService => ({
  ...store,
  readWithReferenced: (table, where, field) => {
    const read = store.readWithReferenced(table, where, field)
    return table.name === Sessions.name && "token_hash" in where ? Effect.suspend(() => Effect.map(read, cache.fill())) : (read as any)
  },
  take: (table, where) => (isOfSessions(table.name) ? cache.changing(undefined, store.take(table, where)) : store.take(table, where)),
  commit: (writes) => {
    const ids = writes.flatMap(changedIds)
    return ids.length === 0 ? store.commit(writes) : cache.changing(ids, store.commit(writes))
  },
})
