import { Context, Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { type ClientSession, type Db, MongoClient, ReadConcern } from "mongodb"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { offer, poolMeasures } from "../measures.ts"
import { withinBudget } from "../within-budget.ts"
import { isRefused, isUnavailable, selectionFault } from "./faults.ts"
import { transact, write } from "./transact.ts"

/** A database on a replica set or a sharded cluster. Every use has a time limit; an unreachable database is a `StoreUnavailable` defect. */
export class Database extends Context.Service<
  Database,
  {
    readonly db: Db
    /** For one operation. The driver may retry it: a write has a transaction number, so the server applies it only once. */
    readonly run: <A>(operation: (limits: Limits) => Promise<A>) => Effect.Effect<A, unknown>
    /** Whether the server answers: on a connection that no operation of the service can have. */
    readonly ping: Effect.Effect<void, unknown>
    /** For one write that may fail with `Taken` or `Conflict`. */
    readonly write: <A>(operation: (limits: Limits) => Promise<A>) => Effect.Effect<A, unknown>
    /** For several operations: all or none, atomically. The work runs again after a write conflict. */
    readonly transact: <A>(work: (limits: Limits, attempt: number) => Promise<A>) => Effect.Effect<A, unknown>
    /** A separate client without a time limit, for migrations. */
    readonly connect: Effect.Effect<Db, StoreUnavailable | DatabaseRefused, Scope.Scope>
  }
>()("sallyport/mongo/Database") {}

/** The options of every operation. */
export interface Limits {
  readonly maxTimeMS: number
  readonly session?: ClientSession
}

export interface Options {
  readonly maxConnections?: number
  /** The time limit of each use, server selection included. */
  readonly timeout?: Duration.Input
  /** Called for every command that is sent. */
  readonly onCommand?: (name: string, command: Readonly<Record<string, unknown>>) => void
}

export const layer = (url: Redacted.Redacted, options: Options = {}): Layer.Layer<Database> => Layer.effect(Database, make(url, options))

const make = Effect.fnUntraced(function* connectMongo(
  url: Redacted.Redacted,
  { maxConnections = 10, timeout = "5 seconds", onCommand }: Options,
) {
  const millis = Duration.toMillis(timeout)
  const timeouts = { serverSelectionTimeoutMS: millis, waitQueueTimeoutMS: millis, connectTimeoutMS: millis / 2 }
  const client = yield* clientOf(url, {
    ...timeouts,
    maxPoolSize: maxConnections,
    socketTimeoutMS: millis,
    monitorCommands: onCommand !== undefined,
  })
  // Of four connections or more, one only asks whether the server answers.
  const queue = makeQueue(maxConnections > 3 ? maxConnections - 1 : maxConnections)
  const bounded = makeBounded(queue, millis)
  const usage = usageOf(client)
  yield* offer(poolMeasures("primary", () => ({ ...usage, waiting: usage.waiting + queue.waiting.size })))
  if (onCommand !== undefined) client.on("commandStarted", ({ commandName, command }) => onCommand(commandName, command))

  const db = databaseOf(client, url)
  return Database.of({
    db,
    run: bounded,
    ping: Effect.asVoid(makeBounded(makeQueue(1), millis)(({ maxTimeMS }) => db.command({ ping: 1, maxTimeMS }))),
    write: (operation) => bounded((limits) => write(db, (session) => operation({ ...limits, session }))),
    transact: (work) => bounded((limits) => transact(db, limits.maxTimeMS, (session, attempt) => work({ ...limits, session }, attempt))),
    connect: Effect.gen(function* () {
      // The driver closes a client whose first connection fails; this connects it again.
      yield* attempted(() => client.connect())
      const own = yield* clientOf(url, { ...timeouts, maxPoolSize: 1 })
      return yield* demandTransactions(databaseOf(own, url))
    }),
  })
})

/** Counts by the events of the driver's pools. */
const usageOf = (client: MongoClient) => {
  const usage = { open: 0, used: 0, waiting: 0 }
  client.on("connectionCreated", () => usage.open++)
  client.on("connectionClosed", () => usage.open--)
  client.on("connectionCheckOutStarted", () => usage.waiting++)
  client.on("connectionCheckOutFailed", () => usage.waiting--)
  client.on("connectionCheckedOut", () => {
    usage.waiting--
    usage.used++
  })
  client.on("connectionCheckedIn", () => usage.used--)
  return usage
}

type ClientOptions = NonNullable<ConstructorParameters<typeof MongoClient>[1]>

const clientOf = (url: Redacted.Redacted, options: ClientOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => new MongoClient(Redacted.value(url), { ...guarantees, ...options })),
    (client) => Effect.promise(() => client.close()),
  )

/** Override the URL's options. With the concerns below, acknowledged writes are durable, and a query reads one snapshot. */
const guarantees: ClientOptions = {
  appName: "sallyport",
  ignoreUndefined: true,
  retryReads: true,
  retryWrites: true,
  readPreference: "primary",
}

const databaseOf = (client: MongoClient, url: Redacted.Redacted) =>
  client.db(databaseName(url), { readPreference: "primary", readConcern: new ReadConcern("snapshot"), writeConcern: { w: "majority" } })

/** The database that the URL names. */
export const databaseName = (url: Redacted.Redacted) =>
  decodeURIComponent(/^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]+)/.exec(Redacted.value(url))?.[1] ?? "sallyport")

type Queue = ReturnType<typeof makeQueue>

/** Begins works, at most `size` until they are released. One that waits can be removed; in the driver's queue it would be sent at last. */
const makeQueue = (size: number) => {
  const waiting = new Set<() => void>()
  let begun = 0
  const beginNext = () => {
    for (const begin of waiting) {
      if (begun >= size) return
      waiting.delete(begin)
      begun++
      begin()
    }
  }
  const add = (begin: () => void) => {
    waiting.add(begin)
    beginNext()
  }
  const release = () => {
    begun--
    beginNext()
  }
  return { waiting, add, release }
}

/** Waits for the result up to the time limit, or as long as the request has time left. The server gets what is left as its limit. Interrupting the caller does not interrupt an operation in progress. */
const makeBounded =
  (queue: Queue, longest: number) =>
  <A>(work: (limits: Limits) => Promise<A>): Effect.Effect<A, unknown> =>
    withinBudget((resume, { left }) => {
      const timeout = Math.max(1, Math.ceil(Math.min(longest, left)))
      const end = performance.now() + timeout
      const unavailable = (cause: unknown) => resume(Effect.die(new StoreUnavailable({ cause })))
      let isOver = false
      const leave = () => {
        clearTimeout(timer)
        if (!queue.waiting.delete(begin) && !isOver) queue.release()
        isOver = true
      }
      const begin = async () => {
        try {
          resume(Effect.succeed(await work({ maxTimeMS: Math.max(1, Math.ceil(end - performance.now())) })))
        } catch (error) {
          if (isUnavailable(error)) unavailable(error)
          else resume(Effect.fail(error))
        }
        leave()
      }
      const giveUp = () => {
        unavailable(new Error(`No answer within ${timeout} ms`))
        leave()
      }
      // A result that arrived while this process was busy is read before the time-out fires.
      const timer = setTimeout(() => setImmediate(giveUp), timeout)
      queue.add(begin)
      return leave
    })

const attempted = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (error) => new StoreUnavailable({ cause: selectionFault(error), isFinal: isRefused(error) }) })

/** Fails unless the server supports snapshot reads and transactions; a standalone server does not. */
const demandTransactions = (db: Db) =>
  Effect.gen(function* () {
    const hello = yield* attempted(() => db.command({ hello: 1 }))
    if (hello["maxWireVersion"] < oldest.wire) return yield* tooOld
    if (hello["setName"] === undefined && hello["msg"] !== "isdbgrid") return yield* standalone
    return db
  })

/** The first version with snapshot reads outside of transactions. */
const oldest = { wire: 13, version: "5.0" }

const tooOld = DatabaseRefused.because(
  `This MongoDB is older than ${oldest.version}`,
  `mongod of version ${oldest.version} or newer, on the same data`,
)

const standalone = DatabaseRefused.because(
  "This MongoDB is a standalone server, which has no transactions; it has to be a replica set, of at least one member",
  "mongod --replSet rs0 (with its other options, instead of the mongod that runs now), and then once: mongosh --eval 'rs.initiate()'",
)
