import { randomUUID } from "node:crypto"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { PGlite } from "@electric-sql/pglite"
import { Context, Effect, Layer, Redacted } from "effect"
import { MongoClient } from "mongodb"
import * as StoreMemory from "../adapters/memory/memory-store.ts"
import * as MongoDatabase from "../adapters/mongo/database.ts"
import * as MongoStore from "../adapters/mongo/mongo-store.ts"
import { qualified } from "../adapters/postgres/columns.ts"
import * as Database from "../adapters/postgres/database.ts"
import { connected } from "../adapters/postgres/embedded.ts"
import { Session } from "../adapters/postgres/embedded-session.ts"
import * as PostgresStore from "../adapters/postgres/postgres-store.ts"
import { Store } from "../domain/ports/store.ts"
import type { AnyTable } from "../domain/ports/table.ts"
import { keeping } from "./kept-stores.ts"

/** The store of the tests: `memory`, `embedded`, `postgres` or `mongo`. */
export const storeName = process.env["STORE"] ?? "memory"

/** Longer than the service's time limit, so that tests with many callers pass on a slow machine. `contention.test.ts` uses the service's own. */
const storeTimeout = "60 seconds"

const keptPostgres = keeping(
  Effect.fnUntraced(function* (tables) {
    const layer = Layer.provideMerge(PostgresStore.layer(tables), freshDatabase())
    const context = yield* Layer.build(Layer.fresh(Layer.orDie(layer)))
    const database = Context.get(context, Database.Database)
    const empty = (written: ReadonlyArray<AnyTable>) => {
      const removals = written.map(({ name }, index) => `t${index} AS (DELETE FROM ${qualified(database.schema, name)})`)
      const statement = `WITH ${removals.join(", ")} SELECT 1`
      return removals.length === 0 ? Effect.void : Effect.orDie(database.withShared((connection) => connection.query(statement)))
    }
    return { store: Context.get(context, Store), empty }
  }),
)

const keptMongo = keeping(
  Effect.fnUntraced(function* (tables) {
    const layer = Layer.provideMerge(MongoStore.layer(tables), freshMongo({ timeout: storeTimeout }))
    const context = yield* Layer.build(Layer.fresh(Layer.orDie(layer)))
    const { db } = Context.get(context, MongoDatabase.Database)
    const empty = (written: ReadonlyArray<AnyTable>) =>
      Effect.promise(() => Promise.all(written.map(({ name }) => db.collection(name).deleteMany({}))))
    return { store: Context.get(context, Store), empty }
  }),
)

/** The store that `STORE` names, empty each time it is built. */
export const storeLayer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store> => {
  if (storeName === "memory") return StoreMemory.layer(tables)
  return storeName === "mongo" ? keptMongo(tables) : keptPostgres(tables)
}

/** An empty PostgreSQL database, on the server or embedded. */
export const freshDatabase = (): Layer.Layer<Database.Database> => {
  if (storeName !== "postgres") return freshEmbedded
  return poolerUrl === undefined ? freshServer({ timeout: storeTimeout }) : freshPooled(poolerUrl)
}

/** The URL of a PgBouncer in front of the server. */
const poolerUrl = process.env["POOLER_URL"]

export const databaseUrl = Redacted.make(process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres")

interface ServerOptions extends Omit<Database.Options, "url" | "startupParameters"> {
  /** The session's time zone. */
  readonly zone?: string
}

/** A new schema on the server, dropped at the end. */
export const freshServer = ({ zone = "UTC", ...options }: ServerOptions = {}): Layer.Layer<Database.Database> =>
  Layer.unwrap(
    Effect.map(freshSchema, (search_path) =>
      Database.layer(databaseUrl, { ...options, startupParameters: { search_path, TimeZone: zone } }),
    ),
  )

export const freshSchema = Effect.acquireRelease(
  Effect.gen(function* () {
    const name = `test_${randomUUID().replaceAll("-", "")}`
    yield* onServer(`CREATE SCHEMA ${name}`)
    return name
  }),
  (name) => onServer(`SET client_min_messages = warning; DROP SCHEMA ${name} CASCADE`),
)

/** A schema of its own on the server, which the migration creates, through PgBouncer: it ignores the `search_path` of a connection. */
const freshPooled = (pooler: string): Layer.Layer<Database.Database> =>
  Layer.unwrap(
    Effect.map(freshSchemaName, (schema) => Database.layer(Redacted.make(pooler), { timeout: storeTimeout, prepare: false, schema })),
  )

/** The name of a schema that does not exist yet. It is dropped at the end. */
export const freshSchemaName = Effect.acquireRelease(
  Effect.sync(() => `test-${randomUUID()}`),
  (name) => onServer(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${name}" CASCADE`),
)

/** Runs statements on a separate connection. */
export const onServer = (text: string) =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make({ url: databaseUrl })
    const results = yield* Effect.forEach(text.split(";"), (statement) => connection.query(statement, [], false))
    return results.at(-1)!
  }).pipe(Effect.scoped, Effect.orDie)

/** One database, and so one session, for the whole worker, since creating a database takes a second. It serves all connections in turn. */
let worker: Promise<Session> | undefined

/** The schema of each connection. */
const schemas = new WeakMap<object, string>()

const startWorker = async (): Promise<Session> => {
  const pglite = await PGlite.create()
  await pglite.exec("SET client_min_messages = warning")
  let current: string | undefined
  return new Session(pglite, async (connection) => {
    const schema = schemas.get(connection)
    if (current === schema) return
    current = schema
    await pglite.exec(`SET search_path TO ${schema}`)
  })
}

/** A new schema in the worker's database, dropped at the end. */
export const freshEmbedded: Layer.Layer<Database.Database> = Layer.effect(
  Database.Database,
  Effect.gen(function* () {
    worker ??= startWorker()
    const session = yield* Effect.promise(() => worker!)
    const name = `test_${randomUUID().replaceAll("-", "")}`
    const connect = () => {
      const connection = session.connect()
      schemas.set(connection, name)
      return connection
    }
    const database = yield* connected({ connect })
    const run = (statement: string) => Effect.orDie(database.withExclusive((connection) => connection.query(statement)))
    yield* Effect.acquireRelease(run(`CREATE SCHEMA ${name}`), () => run(`DROP SCHEMA ${name} CASCADE`))
    return database
  }),
)

/** A new database on the server of MONGODB_URL, dropped at the end. */
export const freshMongo = (options: MongoDatabase.Options = {}): Layer.Layer<MongoDatabase.Database> =>
  Layer.unwrap(Effect.map(freshMongoUrl, (url) => MongoDatabase.layer(Redacted.make(url), options)))

export const freshMongoUrl = Effect.acquireRelease(
  Effect.sync(() => mongoUrl(`test_${process.env["SALLYPORT_TEST_RUN"]}_${randomUUID().replaceAll("-", "")}`)),
  (url) =>
    Effect.promise(async () => {
      await using client = new MongoClient(url)
      await client.db().dropDatabase()
    }),
)

/** A database on the server of MONGODB_URL, which may have several hosts. */
const mongoUrl = (name: string) => (process.env["MONGODB_URL"] ?? "").replace(/^(\w+(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`)
