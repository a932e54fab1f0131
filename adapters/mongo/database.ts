import type { Scope } from "effect"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import type { ClientSession, Db } from "mongodb"
import { MongoClient, ReadConcern } from "mongodb"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { isUnavailable, selectionFault } from "./faults.ts"
import { transact, write } from "./transact.ts"

/** One database on a replica set or a sharded cluster. Every use is bounded in time; a database that is away dies with `StoreUnavailable`. */
export class Database extends Context.Service<
  Database,
  {
    readonly db: Db
    /** For one operation. The driver may send it once more: writes carry a number by which the server knows them again. */
    readonly ask: <A>(operation: (limits: Limits) => Promise<A>) => Effect.Effect<A, unknown>
    /** For one that may be refused with `Taken` or `Conflict`. */
    readonly write: <A>(operation: (limits: Limits) => Promise<A>) => Effect.Effect<A, unknown>
    /** For several: all or none, seen by nobody in between. The work runs anew while somebody else is in its way. */
    readonly transact: <A>(work: (limits: Limits, attempt: number) => Promise<A>) => Effect.Effect<A, unknown>
    /** A client of its own, for work that takes as long as it takes. */
    readonly connect: Effect.Effect<Db, StoreUnavailable | DatabaseRefused, Scope.Scope>
  }
>()("sallyport/mongo/Database") {}

/** What every operation is called with. */
export interface Limits {
  readonly maxTimeMS: number
  readonly session?: ClientSession
}

export interface Options {
  readonly maxConnections?: number
  /** How long a verb may take, finding the primary included. */
  readonly patience?: Duration.Input
  /** Told of every command that is sent. */
  readonly onCommand?: (name: string, command: Readonly<Record<string, unknown>>) => void
}

export const layer = (url: Redacted.Redacted, options: Options = {}): Layer.Layer<Database> => Layer.effect(Database, make(url, options))

const make = Effect.fnUntraced(function* (url: Redacted.Redacted, { maxConnections = 10, patience = "5 seconds", onCommand }: Options) {
  const millis = Duration.toMillis(patience)
  const waits = { serverSelectionTimeoutMS: millis, waitQueueTimeoutMS: millis, connectTimeoutMS: millis / 2 }
  const client = yield* clientOf(url, {
    ...waits,
    maxPoolSize: maxConnections,
    socketTimeoutMS: millis,
    monitorCommands: onCommand !== undefined,
  })
  if (onCommand !== undefined) client.on("commandStarted", ({ commandName, command }) => onCommand(commandName, command))

  const limits = { maxTimeMS: millis }
  const db = databaseOf(client, url)
  return Database.of({
    db,
    ask: (operation) => bounded(millis, () => operation(limits)),
    write: (operation) => bounded(millis, () => write(db, (session) => operation({ ...limits, session }))),
    transact: (work) => bounded(millis, () => transact(db, millis, (session, attempt) => work({ ...limits, session }, attempt))),
    connect: Effect.gen(function* () {
      // A client whose first connection fails has closed itself for good, unless it is told to connect again.
      yield* tried(() => client.connect())
      const own = yield* clientOf(url, { ...waits, maxPoolSize: 1 })
      return yield* fit(databaseOf(own, url))
    }),
  })
})

type ClientOptions = NonNullable<ConstructorParameters<typeof MongoClient>[1]>

const clientOf = (url: Redacted.Redacted, options: ClientOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => new MongoClient(Redacted.value(url), { ...certain, ...options })),
    (client) => Effect.promise(() => client.close()),
  )

/** Whatever the URL says: what was acknowledged stays, what was read was acknowledged, and all that one question reads is of one moment. */
const certain: ClientOptions = {
  appName: "sallyport",
  ignoreUndefined: true,
  retryReads: true,
  retryWrites: true,
  readPreference: "primary",
}

const databaseOf = (client: MongoClient, url: Redacted.Redacted) =>
  client.db(databaseName(url), { readPreference: "primary", readConcern: new ReadConcern("snapshot"), writeConcern: { w: "majority" } })

/** The database that the URL names. */
const databaseName = (url: Redacted.Redacted) =>
  decodeURIComponent(/^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]+)/.exec(Redacted.value(url))?.[1] ?? "sallyport")

/** Waits for an answer, but not for ever. A caller who is interrupted leaves what is under way to its end. */
const bounded = <A>(patience: number, work: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.callback((resume) => {
    const unavailable = (cause: unknown) => resume(Effect.die(new StoreUnavailable({ cause })))
    const giveUp = () => unavailable(new Error(`No answer within ${patience} ms`))
    // An answer that has arrived while this process was busy is read before the timer counts.
    const timer = setTimeout(() => setImmediate(giveUp), patience)
    work()
      .finally(() => clearTimeout(timer))
      .then(
        (answer) => resume(Effect.succeed(answer)),
        (error) => (isUnavailable(error) ? unavailable(error) : resume(Effect.fail(error))),
      )
  })

const tried = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (error) => new StoreUnavailable({ cause: selectionFault(error) }) })

/** Whether the server can do what is asked of it here: one on its own has no transactions. */
const fit = (db: Db) =>
  Effect.gen(function* () {
    const hello = yield* tried(() => db.command({ hello: 1 }))
    if (hello["maxWireVersion"] < oldest.wire) return yield* tooOld
    if (hello["setName"] === undefined && hello["msg"] !== "isdbgrid") return yield* standalone
    return db
  })

/** The first version that reads from snapshots outside of transactions. */
const oldest = { wire: 13, version: "5.0" }

const tooOld = new DatabaseRefused({
  reason: `This MongoDB is older than ${oldest.version}`,
  statement: `mongod of version ${oldest.version} or newer, on the same data`,
})

const standalone = new DatabaseRefused({
  reason: "This MongoDB is a server on its own, and those have no transactions; it has to be a replica set, of one member at least",
  statement:
    "mongod --replSet rs0 (with its other options, instead of the mongod that runs now), and then once: mongosh --eval 'rs.initiate()'",
})
