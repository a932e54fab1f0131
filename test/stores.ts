import { randomUUID } from "node:crypto"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer, Redacted } from "effect"
import { MongoClient } from "mongodb"
import * as MongoDatabase from "../adapters/mongo/Database.ts"
import * as MongoStore from "../adapters/mongo/MongoStore.ts"
import * as Database from "../adapters/postgres/Database.ts"
import { connected } from "../adapters/postgres/Embedded.ts"
import { Session } from "../adapters/postgres/EmbeddedSession.ts"
import * as PostgresStore from "../adapters/postgres/PostgresStore.ts"
import type { Store } from "../application/ports/Store.ts"
import * as StoreMemory from "../application/ports/StoreMemory.ts"
import type { AnyTable } from "../application/Table.ts"

/** Which store the tests run on: `memory`, `embedded`, `postgres` or `mongo`. */
export const storeName = process.env["STORE"] ?? "memory"

/** The store that `STORE` names, fresh and empty each time it is built. */
export const storeLayer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store> => {
  if (storeName === "memory") return StoreMemory.layer(tables)
  if (storeName === "mongo") return MongoStore.layer(tables).pipe(Layer.provide(freshMongo()), Layer.orDie)
  return PostgresStore.layer(tables).pipe(Layer.provide(freshDatabase()), Layer.orDie)
}

/** The empty database under the store, where there is one. */
export const freshDatabase = (): Layer.Layer<Database.Database> => (storeName === "postgres" ? freshServer() : freshEmbedded)

export const databaseUrl = Redacted.make(process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres")

interface ServerOptions extends Omit<Database.Options, "url" | "startupParameters"> {
  /** The session's time zone. */
  readonly zone?: string
}

/** A schema of its own on the server, dropped at the end. */
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

/** Runs statements on a connection of their own. */
export const onServer = (text: string) =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make({ url: databaseUrl })
    const results = yield* Effect.forEach(text.split(";"), (statement) => connection.query(statement, [], false))
    return results.at(-1)!
  }).pipe(Effect.scoped, Effect.orDie)

/** One database for the whole worker, since making one takes a second. */
let worker: Promise<PGlite> | undefined
let current = ""

/** A schema of its own in the worker's database: whoever has the session sets the path first. */
export const freshEmbedded: Layer.Layer<Database.Database> = Layer.effect(
  Database.Database,
  Effect.gen(function* () {
    const pglite = yield* Effect.promise(() => (worker ??= PGlite.create()))
    const name = `test_${randomUUID().replaceAll("-", "")}`
    const enter = async () => {
      if (current === name) return
      current = name
      await pglite.exec(`SET search_path TO ${name}`)
    }
    yield* Effect.acquireRelease(
      Effect.promise(() => pglite.exec(`CREATE SCHEMA ${name}`)),
      () => Effect.promise(() => pglite.exec(`SET client_min_messages = warning; DROP SCHEMA ${name} CASCADE`)),
    )
    return yield* connected(new Session(pglite, enter))
  }),
)

/** A database of its own on the server of MONGODB_URL, dropped at the end. */
export const freshMongo = (options: MongoDatabase.Options = {}): Layer.Layer<MongoDatabase.Database> =>
  Layer.unwrap(Effect.map(freshMongoUrl, (url) => MongoDatabase.layer(Redacted.make(url), options)))

export const freshMongoUrl = Effect.acquireRelease(
  Effect.sync(() => mongoUrl(`test_${randomUUID().replaceAll("-", "")}`)),
  (url) =>
    Effect.promise(async () => {
      await using client = new MongoClient(url)
      await client.db().dropDatabase()
    }),
)

/** A database on the server of MONGODB_URL, which may have several hosts. */
const mongoUrl = (name: string) => (process.env["MONGODB_URL"] ?? "").replace(/^(\w+(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`)
