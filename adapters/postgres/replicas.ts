import { Cause, Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { Store } from "../../domain/ports/store.ts"
import { SessionReplica, type SessionReplicaService } from "../../domain/sessions/session-replica.ts"
import { Sessions } from "../../domain/sessions/tables.ts"
import { Users } from "../../domain/users/tables.ts"
import { offer } from "../measures.ts"
import * as Database from "./database.ts"
import { layerMigrated } from "./postgres-store.ts"
import * as RecentWrites from "./recent-writes.ts"
import type { Mark } from "./replica-lag.ts"
import * as ReplicaLag from "./replica-lag.ts"

export interface Options {
  readonly replicas: ReadonlyArray<Redacted.Redacted>
  /** A replica that lags behind the primary by more seconds is not used. */
  readonly replica_lag: number
  readonly max_connections: number
  readonly prepare: boolean
  readonly schema?: string | undefined
}

/**
 * Reads sessions from standbys of the primary. A standby is used while it is known to lag by less than the bound; it is checked every
 * second. Sessions and users that this process has just changed are read from the primary.
 */
export const layer = (options: Options): Layer.Layer<Store, never, Store | Database.Database> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const [store, primary] = [yield* Store, yield* Database.Database]
      const replicas = yield* Effect.forEach(options.replicas, (url, index) => connect(url, index, options))
      const recent = RecentWrites.make(options.replica_lag * 1000)
      // A replica that hangs must not delay the checks of the others.
      yield* Effect.forEach(replicas, (replica) => Effect.forkScoped(checking(primary, replica)), { discard: true })
      const commit: typeof store.commit = (writes) =>
        Effect.ensuring(
          store.commit(writes),
          Effect.sync(() => recent.note(writes)),
        )
      return Context.make(Store, { ...store, commit }).pipe(Context.add(SessionReplica, reading(replicas, recent)))
    }),
  )

interface Replica extends SessionReplicaService {
  readonly isUsable: () => boolean
  readonly check: (mark: Mark) => Effect.Effect<void>
}

/** The time limit of each use of a replica. The primary answers a read that waits longer. */
const timeout = "1 second"

const connect = Effect.fnUntraced(function* connectReplica(url: Redacted.Redacted, index: number, options: Options) {
  const name = `replica-${index + 1}`
  const { max_connections: maxConnections, prepare, schema } = options
  const database = Database.layer(url, { maxConnections, prepare, schema, timeout, pool: name })
  const services = yield* Layer.build(Layer.provideMerge(layerMigrated([Users, Sessions]), database))
  const [store, standby] = [Context.get(services, Store), Context.get(services, Database.Database)]
  const lag = ReplicaLag.follow(options.replica_lag * 1000)
  yield* offer([
    {
      name: "sallyport_replica_lag_seconds",
      description: "For how long a replica may have lacked commits; +Inf if it is not known.",
      type: "gauge",
      attributes: { pool: name },
      read: () => lag.behind() / 1000,
    },
  ])
  let wasUsed: boolean | undefined
  const report = (fault: unknown) => {
    const isUsed = lag.isUsable()
    if (isUsed === wasUsed) return Effect.void
    wasUsed = isUsed
    const { host } = new URL(Redacted.value(url))
    const line = isUsed ? Effect.logInfo("replica is used") : Effect.logWarning("replica is not used", Cause.die(fault))
    return Effect.annotateLogs(line, { host })
  }
  const check = (mark: Mark) =>
    ReplicaLag.appliedBy(standby).pipe(
      Effect.map((applied) => lag.compare(mark, applied)),
      Effect.as("it lags"),
      Effect.orDie,
      Effect.catchDefect((fault) => {
        lag.forget()
        return Effect.succeed(fault)
      }),
      Effect.flatMap(report),
    )
  const read: Replica["read"] = (token_hash) =>
    Effect.catchDefect(store.readWithReferenced(Sessions, { token_hash }, "user_id"), () => {
      lag.forget()
      return Effect.succeed(Option.none())
    })
  const replica: Replica = { isUsable: lag.isUsable, check, read }
  return replica
})

/** Takes the replicas in turn, of those that can be used. */
const reading = (replicas: ReadonlyArray<Replica>, recent: RecentWrites.RecentWrites): SessionReplicaService => {
  let turn = 0
  return {
    read: (token_hash) =>
      Effect.suspend(() => {
        const usable = replicas.filter(({ isUsable }) => isUsable())
        const replica = usable[turn++ % usable.length]
        if (replica === undefined) return Effect.succeed(Option.none())
        return Effect.map(
          replica.read(token_hash),
          Option.filter(([session, user]) => !recent.includes(session.row.id, user.row.id)),
        )
      }),
  }
}

/** Without an answer of the primary, the replica becomes unusable within the bound. */
const checking = (primary: Database.Database["Service"], replica: Replica) =>
  ReplicaLag.markOf(primary).pipe(
    Effect.orDie,
    Effect.flatMap(replica.check),
    Effect.catchDefect((fault) => Effect.logDebug("a replica was not compared with the primary", Cause.die(fault))),
    Effect.delay("1 second"),
    Effect.forever,
    // A test's clock must not decide how often.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
  )
