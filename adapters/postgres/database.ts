import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Cause, Clock, Context, Duration, Effect, Exit, type Fiber, Layer, Redacted, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { offer, poolMeasures } from "../measures.ts"
import { withinBudget } from "../within-budget.ts"
import { isDemoted, isUnavailable } from "./faults.ts"
import type { PooledConnection } from "./pools.ts"
import * as Pools from "./pools.ts"
import * as Servers from "./servers.ts"

type Use<A, E> = (connection: PgConnection.PgConnection) => Effect.Effect<A, E>

/** Connections to one database. Every use has a time limit; an unreachable database is a `StoreUnavailable` defect. */
export class Database extends Context.Service<
  Database,
  {
    /** For a single statement: it is pipelined with the statements of other fibers. */
    readonly withShared: <A, E>(use: Use<A, E>) => Effect.Effect<A, E | SqlError.SqlError>
    /** For a single statement that writes: the commit takes longer than other statements, which therefore avoid its connection. */
    readonly withCommit: <A, E>(use: Use<A, E>) => Effect.Effect<A, E | SqlError.SqlError>
    /** Whether the server answers: on a connection that no statement of the service can block. */
    readonly ping: Effect.Effect<void, SqlError.SqlError>
    /** For a transaction: no other fiber's statement runs in between, and queries that start together are sent together. */
    readonly withExclusive: <A, E>(use: Use<A, E>) => Effect.Effect<A, E | SqlError.SqlError>
    /** The schema of the tables; undefined if the `search_path` of the connections selects it. */
    readonly schema: string | undefined
    /** Whether no other process can be connected: the statements of all connections run one after another. */
    readonly isAlone: boolean
    /** Whether tables whose rows are kept by month are partitioned (`partitions.ts`). */
    readonly isPartitioned: boolean
    /** A separate connection without a time limit, for migrations. */
    readonly connect: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
  }
>()("sallyport/postgres/Database") {}

export interface Options extends Omit<PgConnection.Config, "url" | "stream" | "multiplex"> {
  readonly maxConnections?: number
  readonly schema?: string | undefined
  readonly isAlone?: boolean
  readonly isPartitioned?: boolean
  /** The name of the pool in metrics. */
  readonly pool?: string
  /** The time limit of each use, connecting included. */
  readonly timeout?: Duration.Input
}

/** A PostgreSQL server, or anything that speaks its protocol; with several hosts in the URL, the one that accepts writes. Connects at the first query. */
export const layer = (url: Redacted.Redacted, options: Options = {}): Layer.Layer<Database> =>
  Layer.effect(
    Database,
    Effect.suspend(() => make({ applicationName: "sallyport", ...options, servers: Servers.serversOf(Redacted.value(url)) })),
  )

/**
 * A third of the connections, at least one, is reserved for transactions, each of which needs a connection
 * for itself; single statements share the others. Of four or more, one only asks whether the server answers.
 * With `maxConnections: 1`, one connection serves both in turn.
 */
export const make = Effect.fnUntraced(function* connectPostgres({
  maxConnections = 10,
  timeout = "5 seconds",
  schema,
  isAlone = false,
  isPartitioned = false,
  pool = "primary",
  ...options
}: Options & Servers.Config) {
  const millis = Duration.toMillis(timeout)
  // Half of the time limit: a caller that waited for a hanging attempt has time left for a second one.
  const config = { connectTimeout: millis / 2, preparedStatementCacheSize: 500, ...options }
  const exclusiveSize = Math.max(1, Math.floor(maxConnections / 3))
  const exclusive = Pools.exclusive(config, exclusiveSize)
  const forPing = maxConnections > 3 ? Pools.shared(config, 1) : undefined
  const sharedSize = maxConnections - exclusiveSize - (forPing === undefined ? 0 : 1)
  const shared = sharedSize > 0 ? Pools.shared(config, sharedSize) : undefined
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      exclusive.close()
      shared?.close()
      forPing?.close()
    }),
  )
  const queue: Queue = { waiting: 0 }
  const usage = () => {
    const pools = [exclusive.usage(), shared?.usage(), forPing?.usage()].filter((each) => each !== undefined)
    const sum = (key: keyof Pools.Usage) => pools.reduce((total, each) => total + each[key], 0)
    return { open: sum("open"), used: sum("used"), waiting: queue.waiting }
  }
  yield* offer(poolMeasures(pool, usage))
  const schedule = startedTogether()
  const end = isAlone ? () => {} : makeEnding(() => withPing)
  const withExclusive = bounded(millis, exclusive.use, (start) => start(), queue, end)
  const withShared = shared === undefined ? withExclusive : bounded(millis, withSharedConnection(shared, false), schedule, queue, end)
  // What ends sessions must not end its own.
  const pingPool = forPing ?? shared
  const withPing = bounded(
    Math.min(millis, pingTimeout),
    pingPool === undefined ? exclusive.use : withSharedConnection(pingPool, false),
    schedule,
    queue,
    () => {},
  )
  return Database.of({
    schema,
    isAlone,
    isPartitioned,
    withExclusive,
    ping: Effect.asVoid(withPing((connection) => connection.queryValues("SELECT 1", []))),
    withShared,
    withCommit: shared === undefined ? withExclusive : bounded(millis, withSharedConnection(shared, true), schedule, queue, end),
    connect: withSystemClock(Effect.map(Servers.connect(config), ({ connection }) => connection)),
  })
})

/** Milliseconds after which a server that does not answer counts as away. */
const pingTimeout = 2000

const withSharedConnection =
  (pool: Pools.Pool, isCommit: boolean) =>
  <A, E>(use: (connection: PooledConnection) => Effect.Effect<A, E>): Effect.Effect<A, E | SqlError.SqlError> => {
    const connection = pool.available(isCommit)
    const each = isCommit ? countingCommit(use) : use
    return connection === undefined ? Effect.flatMap(pool.acquire, each) : each(connection)
  }

const countingCommit =
  <A, E>(use: (connection: PooledConnection) => Effect.Effect<A, E>) =>
  (connection: PooledConnection) => {
    connection.commits++
    return Effect.ensuring(
      use(connection),
      Effect.sync(() => connection.commits--),
    )
  }

/** Sockets need the system's clock: a test's clock must neither delay a time-out nor cause one. */
const withSystemClock = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

/** The statements that have no connection yet. */
interface Queue {
  waiting: number
}

type WithPing = ReturnType<typeof bounded>

type WithConnection = <A, E>(use: (connection: PooledConnection) => Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError.SqlError>

/**
 * Waits for a connection and its results up to the time limit, or as long as a request may wait in total, if that is shorter. The use runs
 * in its own fiber, so that interrupting the caller does not interrupt a write in progress. A connection that times out is closed and never
 * used again; `end` ends its session, which would go on to wait for a lock. A use that has no connection yet ends with its request.
 */
const bounded =
  (
    longest: number,
    withConnection: WithConnection,
    schedule: (start: () => void) => void,
    queue: Queue,
    end: (connection: PooledConnection) => void,
  ) =>
  <A, E>(use: Use<A, E>): Effect.Effect<A, E | SqlError.SqlError> =>
    withinBudget((resume, { limit }) => {
      const timeout = Math.min(longest, limit)
      let acquired: PooledConnection | undefined
      let fiber: Fiber.Fiber<A, E | SqlError.SqlError> | undefined
      let isQueued = true
      const leave = () => {
        if (isQueued) queue.waiting--
        isQueued = false
      }
      queue.waiting++
      const attempt = (retriesLeft: number) => {
        fiber = Effect.runFork(
          withConnection((connection) => {
            acquired = connection
            leave()
            if (connection.load++ === 0) connection.since = performance.now()
            return use(connection.connection)
          }),
        )
        fiber.addObserver((exit) => {
          if (acquired !== undefined) {
            acquired.load--
            acquired.since = performance.now()
          } else if (isQueued && retriesLeft > 0 && Exit.isFailure(exit)) {
            retry = setTimeout(attempt, retryDelay, retriesLeft - 1)
            return
          }
          clearTimeout(timer)
          leave()
          if (Exit.isFailure(exit) && Cause.hasFails(exit.cause) && isDemoted(Cause.squash(exit.cause))) acquired?.destroy()
          resume(Exit.isSuccess(exit) ? exit : Effect.catchIf(exit, isUnavailable, (cause) => Effect.die(new StoreUnavailable({ cause }))))
        })
      }
      const drop = () => {
        clearTimeout(timer)
        clearTimeout(retry)
        leave()
        fiber?.interruptUnsafe()
      }
      const giveUp = () => {
        if (acquired !== undefined && fiber?.pollUnsafe() !== undefined) return
        if (acquired !== undefined) {
          acquired.destroy()
          end(acquired)
        }
        resume(Effect.die(new StoreUnavailable({ cause: new Error(`No answer within ${timeout} ms`) })))
        drop()
      }
      // A result that arrived while this process was busy is read before the time-out fires.
      const timer = setTimeout(() => setImmediate(giveUp), timeout)
      let retry: NodeJS.Timeout | undefined
      schedule(() => {
        if (isQueued) attempt(connectAttempts - 1)
      })
      return () => {
        if (acquired === undefined) drop()
      }
    })

/**
 * Ends sessions on the server whose connections were closed: the server would notice that only when their statements end. A session that
 * waits for a synchronous standby stays: ended now, its commit would be visible although a failover could lose it. After a failover, another
 * session can have the same process id, but hardly the same age.
 */
const makeEnding = (ping: () => WithPing) => {
  let ended: Array<PooledConnection> = []
  return (connection: PooledConnection) => {
    if (ended.push(connection) > 1) return
    setImmediate(() => {
      const ids = ended.map(({ connection }) => String(connection.processId))
      const ages = ended.map(({ opened }) => String((performance.now() - opened) / 1000))
      ended = []
      Effect.runFork(Effect.ignoreCause(ping()((own) => own.queryValues(endSessions, [ids, ages]))))
    })
  }
}
const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  JOIN unnest($1::text[]::int4[], $2::text[]::float8[]) AS ended (id, age) ON id = pid
  WHERE usename = current_user AND state <> 'idle' AND wait_event IS DISTINCT FROM 'SyncRep'
    AND abs(extract(epoch FROM now() - backend_start) - age) < 5`

/** Statements of one event-loop turn start together and leave in one packet: a socket write costs more than a statement. */
const startedTogether = () => {
  let waiting: Array<() => void> = []
  const startAll = () => {
    const starts = waiting
    waiting = []
    for (const start of starts) start()
  }
  return (start: () => void) => {
    if (waiting.push(start) === 1) setImmediate(startAll)
  }
}

/** A failed connect is retried, since no statement was sent yet: a server that is starting refuses connections for a moment. */
const connectAttempts = 4
const retryDelay = 50
