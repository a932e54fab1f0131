import { readFileSync } from "node:fs"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { assert, describe, expect, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { Document } from "mongodb"
import * as Database from "../../../adapters/mongo/database.ts"
import * as MongoStore from "../../../adapters/mongo/mongo-store.ts"
import * as ImportTables from "../../../application/import/tables.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import { Counters } from "../../../domain/limits/rate-limits.ts"
import * as OutboxTables from "../../../domain/mail/outbox-tables.ts"
import { check, detach, put, removeVersioned, Store, update } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { indexes } from "../../../domain/ports/table.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import { modules } from "../../everything.ts"
import { freshMongoUrl } from "../../stores.ts"
import { browser, core, endpoints, password, world } from "../../world.ts"

const everyTable: ReadonlyArray<AnyTable> = [...AuthOf.make(modules).tables, ...OutboxTables.tables, Counters, ...ImportTables.tables]
const sharded = everyTable.filter((table) => table.shardKey !== undefined)

/** The shard key of a table as document paths. */
const shardKeyOf = ({ shardKey = [], key }: AnyTable) => shardKey.map((field) => (field === key ? "_id" : field))

/** What the commands for `mongosh` in a text shard. They need the indexes that a start creates. */
const shardedBy = (commands: string) => {
  const calls: Array<string> = []
  const shardCollection = (name: string, key: object) => void calls.push(`${name}: ${Object.keys(key).join(", ")}`)
  runInNewContext(commands, { sh: { shardCollection } })
  return calls
}

describe("shard keys", () => {
  it.each(sharded.map((table) => [table.name, table] as const))("every unique index of %s begins with its shard key", (_, table) => {
    const key = table.shardKey ?? []
    for (const { fields, unique } of indexes(table)) if (unique) expect(fields.slice(0, key.length)).toEqual(key)
  })

  it.each(sharded.map((table) => [table.name, table] as const))("an index of %s supports its shard key", (_, table) => {
    const key = table.shardKey ?? []
    const all = [[table.key], ...indexes(table).map(({ fields }) => fields)]
    expect(all.some((fields) => key.every((field, index) => fields[index] === field))).toBe(true)
  })

  it("the commands in the README of the adapter shard each collection", () => {
    const readme = readFileSync(join(import.meta.dirname, "../../../adapters/mongo/README.md"), "utf8")
    const [, commands = ""] = readme.match(/```js\n(.+?)```/s) ?? []
    const expected = sharded.map((table) => `sallyport.${table.name}: ${shardKeyOf(table).join(", ")}`)
    expect(shardedBy(commands).toSorted()).toEqual(expected.toSorted())
  })
})

const tables = [...AuthOf.make(core).tables, ...OutboxTables.tables, Counters]

/** A store on MongoDB, and the commands that it has sent. */
const recorded = Effect.gen(function* () {
  const commands: Array<Document> = []
  const onCommand = (_: string, command: Document) => void commands.push(command)
  const database = Database.layer(Redacted.make(yield* freshMongoUrl), { onCommand, timeout: "60 seconds" })
  const services = yield* Layer.build(MongoStore.layer(tables).pipe(Layer.provide(database), Layer.orDie))
  return { store: Context.get(services, Store), commands }
})

/** The filters of a command, by collection. */
const filtersOf = (command: Document): ReadonlyArray<readonly [collection: string, filter: Document]> => {
  if ("find" in command) return [[command["find"], command["filter"]]]
  if ("findAndModify" in command) return [[command["findAndModify"], command["query"]]]
  if ("aggregate" in command) return [[command["aggregate"], command["pipeline"][0].$match]]
  if ("update" in command) return command["updates"].map(({ q }: Document) => [command["update"], q])
  if ("delete" in command) return command["deletes"].map(({ q }: Document) => [command["delete"], q])
  return []
}

/** The filters on sharded collections that do not contain the shard key, so that every shard is asked. */
const broadcast = (commands: ReadonlyArray<Document>) =>
  commands.flatMap(filtersOf).flatMap(([collection, filter]) => {
    const table = sharded.find(({ name }) => name === collection)
    if (table === undefined) return []
    const missing = shardKeyOf(table).filter((path) => filter[path]?.$eq === undefined)
    return missing.length === 0 ? [] : [`${collection} by ${Object.keys(filter)}`]
  })

describe("the filters on sharded collections", () => {
  it.effect("contain the shard key when a user signs in and reads the session, and in every write", () =>
    Effect.gen(function* () {
      const { store, commands } = yield* recorded
      const email = "ada@example.com"
      yield* Effect.gen(function* () {
        const their = browser()
        yield* their.body(endpoints.signUpEmail, { email, password, name: "Ada" })
        commands.length = 0
        yield* their.body(endpoints.getSession)
        yield* browser().body(endpoints.signInEmail, { email, password })
        assert.deepStrictEqual(broadcast(commands), [])

        yield* TestClock.adjust("2 days")
        yield* their.body(endpoints.getSession)
        yield* their.body(endpoints.stepUp, { password })
        yield* their.body(endpoints.signOut)
        const writes = commands.filter((command) => "update" in command || "delete" in command || "findAndModify" in command)
        assert.deepStrictEqual(broadcast(writes), [])
        const changed = writes.flatMap(filtersOf).filter(([name]) => name === "session")
        assert.lengthOf(changed, 3)
      }).pipe(Effect.provideService(Store, store), Effect.provide(world()))
    }).pipe(Effect.scoped),
  )

  it.live("contain the shard key as it was read, for every conditional write of a row", () =>
    Effect.gen(function* () {
      const { store, commands } = yield* recorded
      const at = DateTime.makeUnsafe(0)
      const account = {
        id: "1",
        user_id: "ada",
        provider_id: "credential",
        account_id: "ada",
        password_hash: null,
        created_at: at,
        updated_at: at,
      }
      yield* store.commit([put(Accounts, account)])
      const read = Effect.map(store.read(Accounts, { id: "1" }), Option.getOrThrow)
      const before = yield* read
      commands.length = 0
      yield* store.commit([update(Accounts, before, { account_id: "grace" })])
      const after = yield* Effect.map(store.read(Accounts, { provider_id: "credential", account_id: "grace" }), Option.getOrThrow)
      yield* store.commit([check(Accounts, after)])
      yield* store.commit([removeVersioned(Accounts, after)])
      yield* store.commit([put(Accounts, account)])
      const again = yield* Effect.map(store.read(Accounts, { provider_id: "credential", account_id: "ada" }), Option.getOrThrow)
      yield* store.commit([detach(Accounts, again)])
      assert.deepStrictEqual(broadcast(commands), [])
      assert.deepStrictEqual(yield* store.list(Sessions, { user_id: "ada" }, { limit: 1 }), [])
      assert.strictEqual(broadcast(commands).length, 1)
    }).pipe(Effect.scoped),
  )
})
