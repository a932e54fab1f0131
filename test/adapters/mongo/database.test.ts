import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, DateTime, Effect, Exit, Fiber, Layer, Option, Redacted, Schema } from "effect"
import { MongoClient } from "mongodb"
import { DatabaseRefused } from "../../../adapters/database-refused.ts"
import * as Database from "../../../adapters/mongo/database.ts"
import * as MongoStore from "../../../adapters/mongo/mongo-store.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import * as OutboxTables from "../../../domain/mail/outbox-tables.ts"
import { find, insert, put, remove, Store, StoreUnavailable, Taken, update } from "../../../domain/ports/store.ts"
import { StoreBudget } from "../../../domain/ports/store-budget.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Owners, Tickets, tables } from "../../../testing/tables.ts"
import { startMongod } from "../../mongo-server.ts"
import { freshMongo, freshMongoUrl } from "../../stores.ts"
import { core, endpoints, signedUp, world } from "../../world.ts"
import { wire } from "./wire.ts"

const auth = AuthOf.make(core)

const noon = DateTime.makeUnsafe("2026-03-29T02:30:00.123Z")
const ticket = (hash: string, count = 0) => ({ hash, count, owner_id: "unknown", expires_at: noon })
const pair = (name: string) => [put(Tickets, ticket(`${name} left`)), put(Tickets, ticket(`${name} right`))]
const storeOn = (url: string, options: Database.Options = {}) =>
  MongoStore.layer(tables).pipe(Layer.provide(Database.layer(Redacted.make(url), options)))
const built = <A, E>(layer: Layer.Layer<A, E>) => Effect.flip(Effect.scoped(Layer.build(layer)))

const unavailable = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.isFailure(exit))
    assert.instanceOf(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined, StoreUnavailable)
  })

/** The store behind a TCP proxy (`wire`). With `directConnection` the driver cannot bypass the proxy. */
const overWire = Effect.gen(function* () {
  const straight = new URL(yield* freshMongoUrl)
  const way = yield* wire(Number(straight.port))
  const url = `mongodb://127.0.0.1:${way.port}${straight.pathname}?directConnection=true`
  const services = yield* Layer.build(Layer.orDie(storeOn(url, { timeout: "1 second", maxConnections: 3 })))
  return { way, store: yield* Effect.provide(Store, services) }
})

const server = (replicaSet?: string) =>
  Effect.acquireRelease(
    Effect.promise(() => startMongod(replicaSet)),
    ({ stop }) => Effect.promise(stop),
  )

/** A store, and the names of the commands that it sends. */
const commandsOf = Effect.fnUntraced(function* () {
  const sent: Array<string> = []
  const services = yield* Layer.build(
    Layer.orDie(MongoStore.layer(tables).pipe(Layer.provide(freshMongo({ onCommand: (name) => sent.push(name) })))),
  )
  const store = yield* Effect.provide(Store, services)
  const during = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      sent.length = 0
      return Effect.map(Effect.exit(effect), () => sent.filter((name) => name !== "endSessions"))
    })
  return { store, during }
})

describe("Database", () => {
  it.live("dies with StoreUnavailable when connections break during work, and no commit is applied in part", () =>
    Effect.gen(function* () {
      const { way, store } = yield* overWire
      let broken = 0
      for (let round = 0; round < 30; round++) {
        const [exit] = yield* Effect.all(
          [Effect.exit(store.commit(pair(`${round}`))), Effect.andThen(Effect.sleep(round % 6), Effect.sync(way.cut))],
          { concurrency: "unbounded" },
        )
        if (Exit.isFailure(exit)) assert.instanceOf(Cause.squash(exit.cause), StoreUnavailable)
        yield* Effect.sleep("20 millis")
        // In one query: a commit whose answer was lost may still be applied between two queries.
        const [left, right] = yield* store.listForEach(Tickets, "hash", [`${round} left`, `${round} right`], { limit: 1 })
        assert.strictEqual(left?.length, right?.length)
        if (Exit.isSuccess(exit)) assert.lengthOf(left!, 1)
        else broken += 1
      }
      assert.isBelow(broken, 30)
    }).pipe(Effect.scoped),
  )

  it.live("does no write twice when the connection breaks before its answer", () =>
    Effect.gen(function* () {
      const { way, store } = yield* overWire
      let answered = 0
      for (let round = 0; round < 30; round++) {
        const row = ticket(`once ${round}`)
        const [added] = yield* Effect.all(
          [Effect.exit(store.commit([insert(Tickets, row)])), Effect.andThen(Effect.sleep(round % 4), Effect.sync(way.cut))],
          { concurrency: "unbounded" },
        )
        // A second attempt would find the row of the first one and fail with `Taken`.
        if (Exit.isFailure(added)) assert.instanceOf(Cause.squash(added.cause), StoreUnavailable)
        else answered += 1
        const held = yield* store.read(Tickets, { hash: row.hash })
        if (Option.isNone(held)) continue
        const [changed] = yield* Effect.all(
          [
            Effect.exit(store.commit([update(Tickets, held.value, { count: 1 })])),
            Effect.andThen(Effect.sleep(round % 4), Effect.sync(way.cut)),
          ],
          { concurrency: "unbounded" },
        )
        if (Exit.isFailure(changed)) assert.instanceOf(Cause.squash(changed.cause), StoreUnavailable)
        const now = Option.getOrThrow(yield* store.read(Tickets, { hash: row.hash }))
        assert.include([held.value.revision, held.value.revision + 1], now.revision)
      }
      assert.isAbove(answered, 0)
    }).pipe(Effect.scoped),
  )

  it.live("dies within the time limit while the server hangs, with any number of callers, and recovers", () =>
    Effect.gen(function* () {
      const { way, store } = yield* overWire
      yield* store.ping
      way.silent = true
      const start = performance.now()
      const asking = [
        ...Array.from({ length: 200 }, (_, index) => unavailable(store.read(Tickets, { hash: `${index}` }))),
        ...Array.from({ length: 20 }, (_, index) => unavailable(store.commit(pair(`silent ${index}`)))),
      ]
      yield* Effect.all(asking, { concurrency: "unbounded" })
      yield* unavailable(store.ping)
      assert.isBelow(performance.now() - start, 3500)
      way.silent = false
      const recovered = Effect.exit(store.commit(pair("after"))).pipe(Effect.repeat({ until: Exit.isSuccess, times: 10 }))
      assert.isTrue(Exit.isSuccess(yield* recovered))
      assert.isTrue(Option.isSome(yield* store.read(Tickets, { hash: "after right" })))
    }).pipe(Effect.scoped),
  )

  it.live("dies within the time limit while the server refuses connections, and recovers", () =>
    Effect.gen(function* () {
      const { way, store } = yield* overWire
      way.refusing = true
      way.cut()
      const start = performance.now()
      yield* Effect.all(
        Array.from({ length: 50 }, () => unavailable(store.ping)),
        { concurrency: "unbounded" },
      )
      assert.isBelow(performance.now() - start, 2500)
      way.refusing = false
      const recovered = Effect.exit(store.ping).pipe(Effect.repeat({ until: Exit.isSuccess, times: 10 }))
      assert.isTrue(Exit.isSuccess(yield* recovered))
    }).pipe(Effect.scoped),
  )

  it.live("fails to build without a server", () =>
    Effect.gen(function* () {
      assert.instanceOf(yield* built(storeOn("mongodb://127.0.0.1:1/none", { timeout: "500 millis" })), StoreUnavailable)
    }),
  )

  it.live("refuses a standalone server, in one line with the two commands that make it a replica set", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const refused = yield* built(storeOn(url))
      assert.instanceOf(refused, DatabaseRefused)
      assert.notInclude(refused.message, "\n")
      assert.match(refused.message, /mongod --replSet rs0 .* mongosh --eval 'rs\.initiate\(\)'$/)
    }).pipe(Effect.scoped),
  )

  it.live("reports a replica set that was never initiated, and keeps waiting for it", () =>
    Effect.gen(function* () {
      const { url } = yield* server("rs0")
      const away = yield* built(storeOn(url, { timeout: "2 seconds" }))
      assert.instanceOf(away, StoreUnavailable)
      assert.include(String(away.cause), "mongosh --eval 'rs.initiate()'")
    }).pipe(Effect.scoped),
  )

  it.live("uses its own read and write concerns, whatever the URL sets", () =>
    Effect.gen(function* () {
      const commands: Array<Readonly<Record<string, any>>> = []
      const url = `${yield* freshMongoUrl}&w=0&readConcernLevel=local&retryWrites=false&readPreference=secondary`
      const services = yield* Layer.build(storeOn(url, { onCommand: (_, command) => commands.push(command) }))
      const store = yield* Effect.provide(Store, services)
      yield* store.commit([insert(Tickets, ticket("a"))])
      assert.isTrue(Option.isSome(yield* store.read(Tickets, { hash: "a" })))
      const [inserted, found] = commands
      assert.strictEqual(inserted?.["writeConcern"]?.w, "majority")
      assert.isDefined(inserted?.["txnNumber"])
      assert.strictEqual(found?.["readConcern"]?.level, "snapshot")
    }).pipe(Effect.scoped),
  )

  it.live("what a request gave up before it had a connection is never sent; the server is asked whether it answers all the same", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const url = Redacted.make(yield* freshMongoUrl)
      const database = Database.layer(url, { maxConnections: 4, onCommand: (name) => sent.push(name) })
      const context = yield* Layer.build(Layer.orDie(Layer.provideMerge(MongoStore.layer(tables), database)))
      const { commit, ping, read } = Context.get(context, Store)
      const { db, run } = Context.get(context, Database.Database)
      yield* commit([insert(Tickets, ticket("a"))])
      sent.length = 0
      const slow = run((limits) => db.collection("ticket").findOne({ $where: "sleep(4000) || true" }, limits))
      const working = yield* Effect.forkChild(Effect.all([slow, slow, slow], { concurrency: "unbounded" }))
      yield* Effect.sleep("200 millis")
      const limit = 200
      const waiting = Effect.provideService(unavailable(read(Tickets, { hash: "a" })), StoreBudget, { left: limit, limit })
      yield* Effect.all(
        Array.from({ length: 20 }, () => waiting),
        { concurrency: "unbounded" },
      )
      yield* ping
      assert.isUndefined(working.pollUnsafe())
      yield* Fiber.join(working)
      yield* read(Tickets, { hash: "a" })
      assert.deepStrictEqual(sent, ["find", "find", "find", "ping", "find"])
    }).pipe(Effect.scoped),
  )

  it.live("works with one connection", () =>
    Effect.gen(function* () {
      const { commit, read } = yield* Store
      const writes = Array.from({ length: 20 }, (_, index) => commit(pair(`${index}`)))
      yield* Effect.all([...writes, ...Array.from({ length: 50 }, () => read(Tickets, { hash: "0 left" }))], { concurrency: "unbounded" })
      assert.isTrue(Option.isSome(yield* read(Tickets, { hash: "19 right" })))
    }).pipe(Effect.provide(Layer.orDie(MongoStore.layer(tables).pipe(Layer.provide(freshMongo({ maxConnections: 1 })))))),
  )
})

describe("commands", () => {
  it.live("are one for a read, a list, a take and a commit of one write, and one transaction for the rest", () =>
    Effect.gen(function* () {
      const { store, during } = yield* commandsOf()
      const row = ticket("a")
      const owner = {
        id: "o",
        email: "e",
        nickname: null,
        verified: false,
        visits: 0,
        weight: 0,
        joined_at: noon,
        left_at: null,
        tags: [],
        settings: null,
      }
      assert.deepStrictEqual(yield* during(store.commit([insert(Tickets, row)])), ["insert"])
      assert.deepStrictEqual(yield* during(store.commit([put(Tickets, row)])), ["update"])
      assert.deepStrictEqual(yield* during(store.read(Tickets, { hash: "a" })), ["find"])
      assert.deepStrictEqual(yield* during(store.list(Tickets, { owner_id: "unknown" }, { limit: 1000 })), ["find"])
      assert.deepStrictEqual(yield* during(store.readWithReferenced(Tickets, { hash: "a" }, "owner_id")), ["aggregate"])
      assert.deepStrictEqual(yield* during(store.readWithReferencing(Tickets, { hash: "a" }, Owners, "email", {})), ["aggregate"])
      assert.deepStrictEqual(yield* during(store.take(Tickets, { hash: "a" })), ["findAndModify"])
      assert.deepStrictEqual(yield* during(store.commit([remove(Tickets, "a")])), ["delete"])
      const several = [insert(Tickets, ticket("b")), insert(Tickets, ticket("c")), insert(Owners, owner)]
      assert.deepStrictEqual(yield* during(store.commit(several)), ["insert", "insert", "commitTransaction"])
      const taken = ["findAndModify", "find", "delete", "commitTransaction"]
      assert.deepStrictEqual(yield* during(store.take(Owners, { id: "o" })), taken)
      const refused = ["insert", "abortTransaction", "find"]
      assert.deepStrictEqual(yield* during(store.commit([insert(Owners, owner), insert(Owners, owner)])), refused)
      const twice = [insert(Owners, owner), insert(Owners, { ...owner, id: "p" })]
      assert.deepStrictEqual({ ...(yield* Effect.flip(store.commit(twice))) }, { ...new Taken({ table: "user", field: "email" }) })
    }).pipe(Effect.scoped),
  )
})

describe("get-session", () => {
  it.live("is one command", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const all = [...auth.tables, ...OutboxTables.tables]
      const services = yield* Layer.build(
        Layer.orDie(MongoStore.layer(all).pipe(Layer.provide(freshMongo({ onCommand: (name) => sent.push(name) })))),
      )
      yield* Effect.gen(function* () {
        const their = yield* signedUp("ada@example.com")
        sent.length = 0
        const { user } = yield* their.body(endpoints.getSession)
        assert.strictEqual(user?.email, "ada@example.com")
        assert.deepStrictEqual(sent, ["aggregate"])
      }).pipe(Effect.provide(services), Effect.provide(world()))
    }).pipe(Effect.scoped),
  )
})

const Note = Schema.Struct({ id: Schema.String, meta: Schema.Record(Schema.String, Schema.Unknown) })
const Notes = Table.make("note", Note, { key: "id" })
const Later = Table.make("note", Schema.Struct({ ...Note.fields, color: Schema.NullOr(Schema.String) }), { key: "id", indexed: ["color"] })
const Demanding = Table.make("note", Schema.Struct({ ...Note.fields, size: Schema.Int }), { key: "id" })

describe("documents", () => {
  it.live("store JSON with member names that MongoDB or its driver would interpret", () =>
    Effect.gen(function* () {
      const { commit } = yield* Store
      const metas = [
        { $gt: "" },
        { deep: [{ $ref: "user", $id: 1, $db: "x" }] },
        { "a.b": 1, ".": 2, "": 3, $: 4 },
        { _bsontype: "ObjectId", id: "aaaaaaaaaaaa" },
        { "\\$gt": 1, "\\\\_bsontype": 2, "\\": 3 },
        JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toString": null}'),
        { big: 2 ** 53, small: 5e-324, whole: -(2 ** 31) },
      ]
      for (const [index, meta] of metas.entries()) {
        for (const write of [insert(Notes, { id: `${index}`, meta }), put(Notes, { id: `${index}`, meta })]) {
          yield* commit([write])
          assert.deepStrictEqual(yield* find(Notes, { id: `${index}` }), Option.some({ id: `${index}`, meta }))
        }
      }
    }).pipe(Effect.provide(Layer.orDie(MongoStore.layer([Notes]).pipe(Layer.provide(freshMongo()))))),
  )

  it.live("have null where they were written before a column was declared, and a fault where it cannot be null", () =>
    Effect.gen(function* () {
      const url = yield* freshMongoUrl
      const on = <T extends Table.AnyTable>(table: T) =>
        Effect.map(
          Layer.build(Layer.orDie(MongoStore.layer([table]).pipe(Layer.provide(Database.layer(Redacted.make(url)))))),
          (services) => Effect.provide(services),
        )
      yield* Effect.flatMap(Store, ({ commit }) => commit([insert(Notes, { id: "a", meta: {} })])).pipe(yield* on(Notes))
      yield* Effect.gen(function* () {
        const { commit, list, read } = yield* Store
        const held = Option.getOrThrow(yield* read(Later, { id: "a" }))
        assert.deepStrictEqual(held.row, { id: "a", meta: {}, color: null })
        assert.lengthOf(yield* list(Later, { color: null }, { limit: 9 }), 1)
        yield* commit([update(Later, held, { color: "red" })])
        assert.lengthOf(yield* list(Later, { color: "red" }, { limit: 9 }), 1)
      }).pipe(yield* on(Later))
      const exit = yield* Effect.exit(find(Demanding, { id: "a" })).pipe(yield* on(Demanding))
      assert.include(Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "", "a document has no size")
    }).pipe(Effect.scoped),
  )

  it.live("are one for each row, with the key as _id and times as dates", () =>
    Effect.gen(function* () {
      const url = yield* freshMongoUrl
      const services = yield* Layer.build(Layer.orDie(storeOn(url)))
      yield* Effect.flatMap(Store, ({ commit }) => commit([insert(Tickets, ticket("a"))])).pipe(Effect.provide(services))
      const documents = yield* Effect.promise(async () => {
        await using client = new MongoClient(url)
        return await client.db().collection("ticket").find().toArray()
      })
      const [document] = documents
      assert.lengthOf(documents, 1)
      assert.deepInclude(document ?? {}, { _id: "a", count: 0, owner_id: "unknown", expires_at: DateTime.toDateUtc(noon) })
      assert.isTrue(Number.isSafeInteger(document?.["revision"]))
    }).pipe(Effect.scoped),
  )
})
