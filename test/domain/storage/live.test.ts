import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { Write } from "../../../domain/ports/store.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { liveAt, readLive, readLiveWithReferenced, takeLive } from "../../../domain/storage/live.ts"
import { Owners, Tickets } from "../../../testing/tables.ts"
import { storeLayer } from "../../stores.ts"
import { rows } from "../../world.ts"

const owner = (now: DateTime.Utc): Write =>
  insert(Owners, {
    id: "ada",
    email: "ada@example.com",
    nickname: null,
    verified: true,
    visits: 0,
    weight: 0,
    joined_at: now,
    left_at: null,
    tags: [],
    settings: null,
  })

/** Tickets that expire in 300 seconds. */
const tickets = Effect.gen(function* () {
  const now = yield* DateTime.now
  const row = { count: 0, owner_id: "ada", expires_at: DateTime.add(now, { seconds: 300 }) }
  const writes = ["a", "b"].map((hash) => insert(Tickets, { ...row, hash }))
  yield* Effect.orDie((yield* Store).commit([owner(now), ...writes]))
})

const [a, b] = [{ hash: "a" }, { hash: "b" }]

describe("a row that expires", () => {
  const shown = (name: string, test: () => Generator<Effect.Effect<any, any, Store>, unknown, never>) =>
    it.effect(name, () => Effect.provide(Effect.andThen(tickets, Effect.gen(test)), storeLayer([Owners, Tickets])))

  shown("is live a second before its end", function* () {
    yield* TestClock.adjust("299 seconds")
    const read = Option.getOrThrow(yield* readLive(Tickets, a))
    assert.deepStrictEqual(yield* (yield* Store).read(Tickets, a), Option.some(read))
    const [ticket, { row }] = Option.getOrThrow(yield* readLiveWithReferenced(Tickets, a, "owner_id"))
    assert.deepStrictEqual([ticket, row.id], [read, "ada"])
    assert.deepStrictEqual(yield* takeLive(Tickets, a), Option.some(read.row))
    assert.deepStrictEqual(yield* takeLive(Tickets, a), Option.none())
  })

  shown("has expired at its end, before the sweeper removes it", function* () {
    yield* TestClock.adjust("300 seconds")
    assert.deepStrictEqual(yield* readLive(Tickets, a), Option.none())
    assert.deepStrictEqual(yield* readLiveWithReferenced(Tickets, a, "owner_id"), Option.none())
    assert.lengthOf(yield* rows(Tickets), 2)
  })

  shown("is removed by a take that finds it expired", function* () {
    yield* TestClock.adjust("300 seconds")
    assert.deepStrictEqual(yield* takeLive(Tickets, a), Option.none())
    assert.deepStrictEqual(
      (yield* rows(Tickets)).map(({ hash }) => hash),
      ["b"],
    )
  })

  shown("is filtered from a list by the same rule", function* () {
    const row = Option.getOrThrow(yield* readLive(Tickets, b)).row
    const at = (seconds: number) => DateTime.add(DateTime.makeUnsafe(0), { seconds })
    const isLive = [0, 299, 300, 301].map((seconds) => liveAt(Tickets, at(seconds))(row))
    assert.deepStrictEqual(isLive, [true, true, false, false])
  })
})
