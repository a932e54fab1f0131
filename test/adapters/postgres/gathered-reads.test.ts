import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { gathered } from "../../../adapters/postgres/gathered-reads.ts"

/** A database with a row for every value except "unknown". It takes the values of a query, and answers it, a turn later each. */
const database = (answer: (values: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<unknown, string>> = rowsOf) => {
  const queries: Array<ReadonlyArray<string>> = []
  const query = (values: () => ReadonlyArray<string>) =>
    Effect.gen(function* () {
      yield* nextTurn
      const asked = values()
      queries.push(asked)
      yield* nextTurn
      return yield* answer(asked)
    })
  return { queries, read: gathered(query) }
}

const rowsOf = (values: ReadonlyArray<string>) =>
  Effect.succeed(new Map(values.filter((value) => value !== "unknown").map((value) => [value, `row ${value}`])))

const nextTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
const all = { concurrency: "unbounded" } as const

describe("reads by a unique field", () => {
  it.effect("that start in one turn are one query, and each gets its own row", () =>
    Effect.gen(function* () {
      const { queries, read } = database()
      const found = yield* Effect.forEach(["b", "unknown", "a", "b"], read, all)
      assert.deepStrictEqual(found, ["row b", undefined, "row a", "row b"])
      assert.deepStrictEqual(queries, [["b", "unknown", "a"]])
    }),
  )

  it.effect("that start in another turn are another query", () =>
    Effect.gen(function* () {
      const { queries, read } = database()
      yield* Effect.all([read("a"), Effect.andThen(nextTurn, read("late"))], all)
      assert.deepStrictEqual(queries, [["a"], ["late"]])
    }),
  )

  it.effect("that start after their query was sent are another query, also in the same turn", () =>
    Effect.gen(function* () {
      const sent: Array<ReadonlyArray<string>> = []
      const read = gathered((values) => {
        sent.push(values())
        return rowsOf(sent.at(-1)!)
      })
      assert.deepStrictEqual(yield* Effect.all([read("a"), read("b")], all), ["row a", "row b"])
      assert.deepStrictEqual(sent, [["a"], ["b"]])
    }),
  )

  it.effect("all fail when their query fails, and the next ones are read again", () =>
    Effect.gen(function* () {
      let isBroken = true
      const { read } = database((values) => (isBroken ? Effect.die("broken") : rowsOf(values)))
      const exits = yield* Effect.forEach(["a", "b"], (value) => Effect.exit(read(value)), all)
      assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true])
      isBroken = false
      assert.strictEqual(yield* read("a"), "row a")
    }),
  )

  it.effect("do not depend on the one that started the query", () =>
    Effect.gen(function* () {
      const { read } = database()
      const first = yield* Effect.forkDetach(read("a"))
      const second = yield* Effect.forkDetach(read("b"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(first)))
      assert.strictEqual(yield* Fiber.join(second), "row b")
    }),
  )
})
