import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { gatheredReads } from "../../../adapters/postgres/gathered-reads.ts"

type Statement = readonly [text: string, values: ReadonlyArray<unknown>]

/** A database with one row per value, except for "unknown". It answers a turn after each statement. */
const database = (answer: (values: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>> = rowsOf) => {
  const statements: Array<Statement> = []
  const queryValues = (text: string, [values]: ReadonlyArray<unknown>) => {
    statements.push([text, values as ReadonlyArray<unknown>])
    return Effect.andThen(nextTurn, answer(values as ReadonlyArray<string>))
  }
  const withShared = (use: (connection: PgConnection) => Effect.Effect<any, any>) =>
    Effect.andThen(
      nextTurn,
      Effect.suspend(() => use({ queryValues } as unknown as PgConnection)),
    )
  return { statements, read: gatheredReads({ withShared }) }
}

const rowsOf = (values: ReadonlyArray<string>) => Effect.succeed(values.filter((value) => value !== "unknown").map((value) => [1, value]))

const nextTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
const sessions = { text: "sessions", column: 1 }
const users = { text: "users", column: 1 }

describe("reads by a unique field", () => {
  it.effect("that start in one turn are one statement, and each gets its own row", () =>
    Effect.gen(function* () {
      const { statements, read } = database()
      const found = yield* Effect.forEach(["b", "unknown", "a", "b"], (value) => read(sessions, value), { concurrency: "unbounded" })
      assert.deepStrictEqual(found, [[[1, "b"]], [], [[1, "a"]], [[1, "b"]]])
      assert.deepStrictEqual(statements, [["sessions", ["b", "unknown", "a"]]])
    }),
  )

  it.effect("that start in another turn, or of another statement, are statements of their own", () =>
    Effect.gen(function* () {
      const { statements, read } = database()
      const late = Effect.andThen(nextTurn, read(sessions, "late"))
      yield* Effect.all([read(sessions, "a"), read(users, "a"), late], { concurrency: "unbounded" })
      assert.deepStrictEqual(statements, [
        ["sessions", ["a"]],
        ["users", ["a"]],
        ["sessions", ["late"]],
      ])
    }),
  )

  it.effect("all fail when their statement fails, and the next ones are read again", () =>
    Effect.gen(function* () {
      let isBroken = true
      const { read } = database((values) => (isBroken ? Effect.die("broken") : rowsOf(values)))
      const exits = yield* Effect.forEach(["a", "b"], (value) => Effect.exit(read(sessions, value)), { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true])
      isBroken = false
      assert.deepStrictEqual(yield* read(sessions, "a"), [[1, "a"]])
    }),
  )

  it.effect("do not depend on the one that started the statement", () =>
    Effect.gen(function* () {
      const { read } = database()
      const first = yield* Effect.forkDetach(read(sessions, "a"))
      const second = yield* Effect.forkDetach(read(sessions, "b"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(first)))
      assert.deepStrictEqual(yield* Fiber.join(second), [[1, "b"]])
    }),
  )
})
