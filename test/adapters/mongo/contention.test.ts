import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import * as MongoStore from "../../../adapters/mongo/mongo-store.ts"
import { check, insert, put, Store, update } from "../../../domain/ports/store.ts"
import { Tickets, tables } from "../../../testing/tables.ts"
import { freshMongo } from "../../stores.ts"

const store = Layer.provide(MongoStore.layer(tables), freshMongo())

const noon = DateTime.makeUnsafe("2026-03-04T12:00:00.000Z")
const ticket = (hash: string) => ({ hash, count: 0, owner_id: "unknown", expires_at: noon })

describe("a row on which others commit without a pause", () => {
  it.live("is changed within the time limit, even by a long commit that writes it last", () =>
    Effect.gen(function* () {
      const { commit, read } = yield* Store
      const held = Effect.fnUntraced(function* (hash: string) {
        return Option.getOrThrow(yield* read(Tickets, { hash }))
      })
      yield* commit(["a", "b", "hot"].map((hash) => insert(Tickets, ticket(hash))))
      let over = false
      let passed = 0
      const other = Effect.fnUntraced(function* (name: number) {
        for (let at = 0; !over; at++) {
          yield* Effect.ignore(commit([check(Tickets, yield* held("hot")), put(Tickets, ticket(`${name}.${at}`))]))
          passed += 1
        }
      })
      const long = Effect.gen(function* () {
        yield* Effect.sleep("200 millis")
        for (let round = 0; round < 5; round++) {
          const rows = yield* Effect.forEach(["a", "b", "hot"], held)
          const between = Array.from({ length: 10 }, (_, index) => put(Tickets, ticket(`between ${index}`)))
          yield* commit([
            update(Tickets, rows[0]!, {}),
            update(Tickets, rows[1]!, {}),
            ...between,
            update(Tickets, rows[2]!, { count: round }),
          ])
        }
      }).pipe(Effect.ensuring(Effect.sync(() => (over = true))))
      yield* Effect.all([long, ...Array.from({ length: 8 }, (_, name) => other(name))], { concurrency: "unbounded" })
      assert.strictEqual((yield* held("hot")).row.count, 4)
      assert.isAbove(passed, 10)
    }).pipe(Effect.provide(store)),
  )
})
