import * as PgConnection from "@effect/sql-pg/PgConnection"
import type { Fiber, Scope } from "effect"
import { Clock, Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { isUnavailable } from "./faults.ts"
import type { Line } from "./lines.ts"
import * as Lines from "./lines.ts"
import { dialer } from "./url.ts"

type Use<A, E> = (connection: PgConnection.PgConnection) => Effect.Effect<A, E>

/** Connections to one database. Every use is bounded in time; a database that is away dies with `StoreUnavailable`. */
export class Database extends Context.Service<
  Database,
  {
    /** For a single statement: it travels in one pipeline with those of other fibers. */
    readonly share: <A, E>(use: Use<A, E>) => Effect.Effect<A, E | SqlError.SqlError>
    /** For a transaction: nobody else's statements come in between, and what is queried at once is sent at once. */
    readonly own: <A, E>(use: Use<A, E>) => Effect.Effect<A, E | SqlError.SqlError>
    /** A connection by itself, for work that takes as long as it takes. */
    readonly connect: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
  }
>()("sallyport/postgres/Database") {}

export interface Options extends Omit<PgConnection.Config, "url" | "stream" | "multiplex"> {
  readonly maxConnections?: number
  /** How long a verb may take, connecting included. */
  readonly patience?: Duration.Input
}

/** A PostgreSQL server, or anything that speaks its protocol. Connects when it is first asked. */
export const layer = (url: Redacted.Redacted, options: Options = {}): Layer.Layer<Database> =>
  Layer.effect(
    Database,
    Effect.suspend(() => make({ applicationName: "sallyport", ...options, url, stream: dialer(Redacted.value(url)) })),
  )

/**
 * A third of the connections, one at least, is kept for transactions, which need theirs
 * to themselves; the statements that stand alone share the rest. One connection does both, in turns.
 */
export const make = Effect.fnUntraced(function* connectPostgres({
  maxConnections = 10,
  patience = "5 seconds",
  ...options
}: Options & Lines.Config) {
  const millis = Duration.toMillis(patience)
  // Half of the patience, so that whoever waits behind an attempt that hangs has time for one of its own.
  const config = { connectTimeout: millis / 2, preparedStatementCacheSize: 500, ...options }
  const kept = Math.max(1, Math.floor(maxConnections / 3))
  const owned = Lines.owned(config, kept)
  const shared = maxConnections > kept ? Lines.shared(config, maxConnections - kept) : undefined
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      owned.hangUp()
      shared?.hangUp()
    }),
  )
  const own = bounded(millis, owned.use, (start) => start())
  return Database.of({
    own,
    share: shared === undefined ? own : bounded(millis, sharing(shared), gathering()),
    connect: inRealTime(PgConnection.make(config)),
  })
})

const sharing =
  (lines: Lines.Lines) =>
  <A, E>(use: (line: Line) => Effect.Effect<A, E>): Effect.Effect<A, E | SqlError.SqlError> => {
    const line = lines.ready()
    return line === undefined ? Effect.flatMap(lines.get, use) : use(line)
  }

/** Sockets do not live in a test's time: its clock must neither hold back a time-out nor cause one. */
const inRealTime = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

type Lend = <A, E>(use: (line: Line) => Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError.SqlError>

/**
 * Waits for a connection and its answer, but not for ever. The use runs in a fiber of its own, so that
 * a caller who is interrupted leaves a write that is under way to its end. A connection that gave no
 * answer in time is never used again: what it was asked may still happen.
 */
const bounded =
  (patience: number, lend: Lend, when: (start: () => void) => void) =>
  <A, E>(use: Use<A, E>): Effect.Effect<A, E | SqlError.SqlError> =>
    Effect.callback((resume) => {
      let held: Line | undefined
      let fiber: Fiber.Fiber<A, E | SqlError.SqlError>
      const attempt = (left: number) => {
        fiber = Effect.runFork(
          lend((line) => {
            held = line
            line.load++
            return use(line.connection)
          }),
        )
        fiber.addObserver((exit) => {
          if (held !== undefined) held.load--
          else if (left > 0 && Exit.isFailure(exit)) {
            retry = setTimeout(attempt, between, left - 1)
            return
          }
          clearTimeout(timer)
          resume(Exit.isSuccess(exit) ? exit : Effect.catchIf(exit, isUnavailable, (cause) => Effect.die(new StoreUnavailable({ cause }))))
        })
      }
      const giveUp = () => {
        if (held !== undefined && fiber.pollUnsafe() !== undefined) return
        clearTimeout(retry)
        held?.cut()
        fiber.interruptUnsafe()
        resume(Effect.die(new StoreUnavailable({ cause: new Error(`No answer within ${patience} ms`) })))
      }
      // An answer that has arrived while this process was busy is read before the timer counts.
      const timer = setTimeout(() => setImmediate(giveUp), patience)
      let retry: NodeJS.Timeout | undefined
      when(() => attempt(attempts - 1))
    })

/** Statements of requests that arrived together start together, and so leave in one packet: a write costs more than the statement. */
const gathering = () => {
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

/** Nothing was asked yet where connecting failed, so it is tried anew: a server that has just come back is still refusing. */
const attempts = 4
const between = 50
