import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import type { Fiber, Scope } from "effect"
import { Clock, Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { StoreUnavailable } from "../../application/ports/Store.ts"
import { isUnavailable } from "./faults.ts"

type Use<A, E> = (connection: PgConnection.PgConnection) => Effect.Effect<A, E>

/** Connections to one database. Every use is bounded in time; a database that is away dies with `StoreUnavailable`. */
export class Database extends Context.Service<
  Database,
  {
    /** For a single statement: it travels in one pipeline with those of other fibers. */
    readonly share: <A, E>(use: Use<A, E>) => Effect.Effect<A, E | SqlError.SqlError>
    /** For a transaction: nobody else's statements come in between, and what is queried at once is sent at once. */
    readonly own: <A, E>(use: Use<A, E>) => Effect.Effect<A, E | SqlError.SqlError>
    /** A connection outside the pool, for work that takes as long as it takes. */
    readonly connect: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
  }
>()("sallyport/postgres/Database") {}

export interface Options extends PgConnection.Config {
  readonly maxConnections?: number
  /** How long a verb may take, connecting included. */
  readonly patience?: Duration.Input
}

/** A PostgreSQL server, or anything that speaks its protocol. */
export const layer = (url: Redacted.Redacted, options: Options = {}): Layer.Layer<Database> =>
  Layer.effect(Database, make({ applicationName: "sallyport", keepAlive: "10 seconds", ...options, url }))

/**
 * A third of the connections, one at least, is kept for transactions, which need theirs
 * to themselves; the statements that stand alone share the rest. One connection does both, in turns.
 */
export const make = Effect.fnUntraced(function* ({ maxConnections = 10, patience = "5 seconds", ...options }: Options) {
  const millis = Duration.toMillis(patience)
  // Half of the patience, so that whoever waits behind an attempt that hangs has time for one of its own.
  const config = { connectTimeout: millis / 2, ...options, preparedStatementCacheSize: 500, multiplex: true }
  const owned = Math.max(1, Math.floor(maxConnections / 3))
  const own = yield* pool({ ...config, maxConnections: owned, multiplexConcurrency: 1 })
  const shared = maxConnections - owned
  const share = shared < 1 ? own : yield* pool({ ...config, maxConnections: shared, multiplexConcurrency: 64 })
  return Database.of({
    share: bounded(share, millis),
    own: bounded(own, millis),
    connect: inRealTime(PgConnection.make({ ...config, multiplex: false })),
  })
})

const pool = (config: PgPool.Config) => Effect.orDie(inRealTime(PgPool.make(config)))

/** Sockets do not live in a test's time: its clock must neither hold back a time-out nor cause one. */
const inRealTime = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

/**
 * Waits for a connection and its answer, but not for ever. The use runs in a fiber of its own, so that
 * a caller who is interrupted leaves a write that is under way to its end. A connection that gave no
 * answer in time is never used again: what it was asked may still happen.
 */
const bounded =
  (pool: PgPool.PgPool, patience: number) =>
  <A, E>(use: Use<A, E>): Effect.Effect<A, E | SqlError.SqlError> =>
    Effect.callback((resume) => {
      let held: PgConnection.PgConnection | undefined
      let fiber: Fiber.Fiber<A, E | SqlError.SqlError>
      const attempt = (left: number) => {
        fiber = Effect.runFork(
          pool.use((connection) => {
            held = connection
            return use(connection)
          }),
        )
        fiber.addObserver((exit) => {
          if (left > 0 && held === undefined && Exit.isFailure(exit)) {
            setTimeout(attempt, between, left - 1)
            return
          }
          clearTimeout(timer)
          resume(Exit.isSuccess(exit) ? exit : Effect.catchIf(exit, isUnavailable, (cause) => Effect.die(new StoreUnavailable({ cause }))))
        })
      }
      const giveUp = () => {
        if (fiber.pollUnsafe() !== undefined && held !== undefined) return
        if (held !== undefined) Effect.runFork(pool.invalidate(held))
        fiber.interruptUnsafe()
        resume(Effect.die(new StoreUnavailable({ cause: new Error(`No answer within ${patience} ms`) })))
      }
      // An answer that has arrived while this process was busy is read before the timer counts.
      const timer = setTimeout(() => setImmediate(giveUp), patience)
      attempt(attempts - 1)
    })

/** Nothing was asked yet where connecting fails, and a server that has just come back still fails the attempts begun before. */
const attempts = 4
const between = 50
