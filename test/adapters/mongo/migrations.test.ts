import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { MongoClient, MongoNetworkError, MongoServerError } from "mongodb"
import { DatabaseRefused } from "../../../adapters/database-refused.ts"
import * as Database from "../../../adapters/mongo/database.ts"
import { isRefused } from "../../../adapters/mongo/faults.ts"
import { migrate, plan, unused } from "../../../adapters/mongo/migrations.ts"
import { storeFaultText } from "../../../adapters/process/start-faults.ts"
import { StoreUnavailable } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { schemaVersion } from "../../../domain/storage/schema-version.ts"
import { tables } from "../../../testing/tables.ts"
import { freshMongoUrl } from "../../stores.ts"

const Fields = Schema.Struct({ id: Schema.String, name: Schema.String, nick: Schema.NullOr(Schema.String) })
const Plain = Table.make("person", Fields, { key: "id" })
const Named = Table.make("person", Fields, { key: "id", unique: ["name", "nick"] })
const Indexed = Table.make("person", Fields, { key: "id", indexed: [["name", "nick"]] })

/** A document as the service stores it. */
const ofService = (document: object) => ({ ...document, revision: 1 })

const database = Effect.gen(function* () {
  const url = yield* freshMongoUrl
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new MongoClient(url)),
    (client) => Effect.promise(() => client.close()),
  )
  return { db: client.db(), on: Effect.provide(Database.layer(Redacted.make(url))) }
})

it.live("only collections with documents of the service are reported as unused", () =>
  Effect.gen(function* () {
    const { db, on } = yield* database
    yield* on(migrate(tables))
    yield* Effect.promise(() => db.collection("theirs").insertOne({ name: "not ours" }))
    yield* Effect.promise(() => db.collection("left").insertOne({ revision: 7 }))
    assert.deepStrictEqual(yield* on(unused(tables)), ["left"])
  }).pipe(Effect.scoped),
)

describe("a collection of an application under the name of a table", () => {
  it.live("is not changed: the advice is another database, for migrate and plan alike", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      yield* Effect.promise(() => db.collection<{ _id: number }>("person").insertOne({ _id: 1, name: "Ada" } as { _id: number }))
      for (const attempt of [migrate([Named]), plan([Named])]) {
        const refused = yield* Effect.flip(on(attempt as Effect.Effect<unknown, unknown, Database.Database>))
        assert.instanceOf(refused, DatabaseRefused)
        assert.strictEqual(
          refused.message,
          `Collection "person" exists in database "${db.databaseName}" and is not Sallyport's; name another database in store.url`,
        )
      }
      const indexes = yield* Effect.promise(() => db.collection("person").listIndexes().toArray())
      assert.deepStrictEqual(
        indexes.map(({ name }) => name),
        ["_id_"],
      )
    }).pipe(Effect.scoped),
  )

  it.live("is taken over while it is empty", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      yield* Effect.promise(() => db.createCollection("person"))
      yield* on(migrate([Named]))
      assert.deepStrictEqual(yield* on(plan([Named])), [])
    }).pipe(Effect.scoped),
  )
})

describe("a start that waiting does not help", () => {
  it.live("a login that the server refuses", () =>
    Effect.gen(function* () {
      const url = new URL((yield* freshMongoUrl).replace(/\/\/([^/,]+)[^/]*/, "//$1"))
      url.username = "stranger"
      url.password = "hunter2"
      url.searchParams.set("authSource", "admin")
      const fault = yield* Effect.flip(Effect.provide(migrate([Plain]), Database.layer(Redacted.make(url.href))))
      assert.instanceOf(fault, StoreUnavailable)
      assert.deepInclude(fault, { isFinal: true })
      assert.match(storeFaultText(fault), /^cannot be used \(Authentication failed/)
      assert.notInclude(inspect(fault, { depth: Number.POSITIVE_INFINITY }), "hunter2")
    }).pipe(Effect.scoped),
  )

  it("a missing right, a refused login in Atlas, and a certificate", () => {
    for (const code of [13, 18, 8000]) assert.isTrue(isRefused(new MongoServerError({ code, message: "refused" })), String(code))
    const certificate = Object.assign(new Error("expired"), { code: "CERT_HAS_EXPIRED" })
    assert.isTrue(isRefused(new MongoNetworkError("connection failed", { cause: certificate })))
    for (const code of [91, 189, 10107]) assert.isFalse(isRefused(new MongoServerError({ code, message: "not yet" })), String(code))
    const closed = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
    assert.isFalse(isRefused(new MongoNetworkError("connection failed", { cause: closed })))
  })
})

describe("migrate", () => {
  it.live("creates what is missing, returns the commands, and does nothing the second time", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      const planned = yield* on(plan(tables))
      const done = yield* on(migrate(tables))
      assert.deepStrictEqual(
        done,
        planned.map(({ statement }) => statement),
      )
      assert.include(done, 'db.createCollection("user")')
      assert.include(
        done,
        'db.getCollection("table").createIndex({"shelf": 1, "place": 1}, {"name": "shelf__place__key", "unique": true, "partialFilterExpression": {"place": {"$gte": -Infinity}}})',
      )
      assert.include(done, 'db.getCollection("ticket").createIndex({"owner_id": 1, "_id": 1}, {"name": "owner_id__idx"})')
      assert.deepStrictEqual(yield* on(migrate(tables)), [])
      assert.deepStrictEqual(yield* on(plan(tables)), [])
      const indexes = yield* Effect.promise(() => db.collection("user").listIndexes().toArray())
      assert.deepStrictEqual(
        new Set(indexes.map(({ name }) => name)),
        new Set(["_id_", "email__key", "nickname__key", "nickname__idx", "joined_at__idx", "tag__idx", "visits__idx"]),
      )
    }).pipe(Effect.scoped),
  )

  it.live("can run in several processes at once", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const { on } = yield* database
        yield* Effect.all(
          Array.from({ length: 8 }, () => on(migrate(tables))),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(yield* on(plan(tables)), [])
      }
    }).pipe(Effect.scoped),
  )

  it.live("adds indexes to existing documents, unless the documents violate them", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      yield* on(migrate([Plain]))
      const insert = (documents: ReadonlyArray<object>) =>
        Effect.promise(() => db.collection("person").insertMany(documents.map(ofService)))
      yield* insert(
        [
          { _id: "a", name: "Ada", nick: null },
          { _id: "b", name: "Bob" },
        ].map((document) => document as object),
      )
      yield* on(migrate([Named]))
      assert.deepStrictEqual(yield* on(plan([Named])), [])

      const other = yield* database
      yield* other.on(migrate([Plain]))
      yield* Effect.promise(() => other.db.collection("person").insertMany([{ name: "Ada" }, { name: "Ada" }].map(ofService)))
      const refused = yield* Effect.flip(other.on(migrate([Named])))
      assert.instanceOf(refused, DatabaseRefused)
      assert.include(refused.message, "person have equal values")
      assert.include(refused.message, "name__key")
    }).pipe(Effect.scoped),
  )

  it.live("builds an index beside the one that it replaces, and drops that afterwards", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      const indexes = () => Effect.promise(() => db.collection("person").listIndexes().toArray())
      yield* on(migrate([Named]))
      assert.deepStrictEqual(yield* on(migrate([Indexed])), [
        'db.getCollection("person").createIndex({"name": 1, "nick": 1, "_id": 1}, {"name": "name__nick__idx"})',
        'db.getCollection("person").dropIndex("name__key")',
        'db.getCollection("person").dropIndex("nick__key")',
      ])
      assert.deepStrictEqual(yield* on(plan([Indexed])), [])

      yield* Effect.promise(async () => {
        await db.collection("person").dropIndexes()
        await db.collection("person").createIndex({ nick: 1 }, { name: "nick__key", unique: true })
      })
      const planned = (yield* on(plan([Named]))).map(({ statement }) => statement)
      assert.deepStrictEqual(yield* on(migrate([Named])), planned)
      assert.include(planned.join("\n"), '{"name": "nick__key__2", "unique": true, "partialFilterExpression": {"nick": {"$gte": ""}}}')
      assert.strictEqual(planned.at(-1), 'db.getCollection("person").dropIndex("nick__key")')
      assert.deepStrictEqual(
        new Set((yield* indexes()).map(({ name }) => name)),
        new Set(["_id_", "name__key", "nick__key__2", "nick__idx"]),
      )
      assert.deepStrictEqual(yield* on(plan([Named])), [])
    }).pipe(Effect.scoped),
  )

  it.live("keeps an index of the operator", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      yield* on(migrate([Plain]))
      yield* Effect.promise(() => db.collection("person").createIndex({ nick: -1 }, { name: "mine" }))
      yield* on(migrate([Named]))
      yield* on(migrate([Plain]))
      const left = yield* Effect.promise(() => db.collection("person").listIndexes().toArray())
      assert.deepStrictEqual(new Set(left.map(({ name }) => name)), new Set(["_id_", "mine", "nick__idx"]))
    }).pipe(Effect.scoped),
  )

  it.live("leaves the schema of a later version as it is, or refuses it", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      const later = (oldest: number) =>
        Effect.promise(() =>
          db.collection<{ _id: string }>("sallyport_schema").updateOne({ _id: "schema" }, { $set: { version: 99, oldest } }),
        )
      yield* on(migrate([Named]))
      yield* later(schemaVersion.version)
      assert.deepStrictEqual(yield* on(migrate([Plain])), [])
      yield* later(schemaVersion.version + 1)
      for (const attempt of [migrate([Plain]), plan([Plain])]) {
        const refused = yield* Effect.flip(on(attempt as Effect.Effect<unknown, unknown, Database.Database>))
        assert.instanceOf(refused, DatabaseRefused)
        assert.match(refused.message, /start a later version/)
      }
    }).pipe(Effect.scoped),
  )

  it.live("refuses a collection with a collation", () =>
    Effect.gen(function* () {
      const { db, on } = yield* database
      yield* Effect.promise(() => db.createCollection("person", { collation: { locale: "en", strength: 2 } }))
      assert.include((yield* Effect.flip(on(migrate([Named])))).message, "has a collation")
    }).pipe(Effect.scoped),
  )
})
