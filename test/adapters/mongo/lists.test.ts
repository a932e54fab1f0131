import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import type { Document } from "mongodb"
import * as MongoDatabase from "../../../adapters/mongo/database.ts"
import * as MongoStore from "../../../adapters/mongo/mongo-store.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { examine } from "../../explain.ts"
import { freshMongoUrl } from "../../stores.ts"

const Tool = Schema.Struct({ id: Schema.String, owner_id: Schema.String, order: Schema.Int, shelf: Schema.String })
const Tools = Table.make("tool", Tool, {
  key: "id",
  indexed: [["owner_id", "id"], ["owner_id", "order"], "shelf"],
})

const count = 1000

/** Two of a hundred owners have many tools, with ten in each place of the order. The others have four. */
const owners = Array.from({ length: 100 }, (_, index) => `owner-${index}`)
const rowsOf = (owner_id: string, index: number) =>
  Array.from({ length: index < 2 ? count : 4 }, (_, each) => ({
    id: `${owner_id}-${String(each).padStart(4, "0")}`,
    owner_id,
    order: Math.floor(each / 10),
    shelf: each % 2 === 0 ? "left" : "right",
  }))

/** The store with these tools, and what MongoDB examines for a query of it. */
const seeded = Effect.gen(function* () {
  const commands: Array<Document> = []
  const onCommand = (_: string, command: Document) => commands.push(command)
  const database = MongoDatabase.layer(Redacted.make(yield* freshMongoUrl), { onCommand, timeout: "60 seconds" })
  const services = yield* Layer.build(MongoStore.layer([Tools]).pipe(Layer.provideMerge(database), Layer.orDie))
  const withServices = Effect.provide(services)
  yield* withServices(Store.use(({ commit }) => commit(owners.flatMap(rowsOf).map((row) => insert(Tools, row)))))
  return Effect.fnUntraced(function* <A>(query: Effect.Effect<A, never, Store>) {
    commands.length = 0
    const result = yield* query
    const { db } = yield* MongoDatabase.Database
    assert.lengthOf(commands, 1)
    return { result, ...(yield* examine(db, commands[0]!)) }
  }, withServices)
})

const middle = { order: 50, id: "owner-0-0504" }
const cases = [
  ["by key", { limit: 3 }],
  ["by key, descending", { limit: 3, descending: true }],
  ["by an indexed field", { limit: 3, order: "order" }],
  ["by an indexed field, descending", { limit: 3, order: "order", descending: true }],
  ["after a row, by key", { limit: 3, after: middle }],
  ["after a row", { limit: 3, order: "order", after: middle }],
  ["after a row, descending", { limit: 3, order: "order", descending: true, after: middle }],
  ["with an indexed condition", { limit: 3, where: { order: 50 } }],
  ["with an indexed condition, after a row, descending", { limit: 3, where: { order: 50 }, descending: true, after: middle }],
] as const

describe("lists of many values, of which one has many more rows than the limit", () => {
  it.live("read only what they return, and one document to begin with", () =>
    Effect.gen(function* () {
      const examining = yield* seeded
      for (const [name, options] of cases) {
        const lists = Store.use(({ listForEach }) => listForEach(Tools, "owner_id", owners, options))
        const { result, documents, keys, stages } = yield* examining(lists)
        const rows = result.flat().length
        assert.isAtLeast(result[0]!.length + result[1]!.length, 3, name)
        assert.isAtMost(documents, rows + 1, name)
        assert.isAtMost(keys, rows + owners.length, name)
        assert.notInclude(stages, "SORT", name)
      }
    }).pipe(Effect.scoped),
  )

  it.live("of a unique field read each row once", () =>
    Effect.gen(function* () {
      const examining = yield* seeded
      const ids = owners.map((owner_id) => `${owner_id}-0001`)
      const { result, command, documents, keys } = yield* examining(
        Store.use(({ listForEach }) => listForEach(Tools, "id", ids, { limit: 1 })),
      )
      assert.strictEqual(command, "find tool")
      assert.deepStrictEqual(
        result.map((rows) => rows.map(({ id }) => id)),
        ids.map((id) => [id]),
      )
      assert.isAtMost(documents, ids.length)
      assert.isAtMost(keys, 2 * ids.length)
    }).pipe(Effect.scoped),
  )

  it.live("with a condition that is not in the same index read until the limit, not to the end", () =>
    Effect.gen(function* () {
      const examining = yield* seeded
      const where = { shelf: "left" }
      const lists = Store.use(({ listForEach }) => listForEach(Tools, "owner_id", owners.slice(0, 2), { limit: 3, order: "order", where }))
      const { result, documents } = yield* examining(lists)
      assert.deepStrictEqual(
        result.map((rows) => rows.length),
        [3, 3],
      )
      assert.isAtMost(documents, 2 * 5 + 1)
    }).pipe(Effect.scoped),
  )

  it.live("with values that look like expressions or patterns find nothing", () =>
    Effect.gen(function* () {
      const examining = yield* seeded
      const { result } = yield* examining(
        Store.use(({ listForEach }) => listForEach(Tools, "owner_id", ["$_id", "$$ROOT", "", "owner-2"], { limit: 9 })),
      )
      assert.deepStrictEqual(
        result.map((rows) => rows.length),
        [0, 0, 0, 4],
      )
    }).pipe(Effect.scoped),
  )
})
