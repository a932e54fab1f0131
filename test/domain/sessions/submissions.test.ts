import { setImmediate } from "node:timers/promises"
import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { processOnce, Submissions } from "../../../domain/sessions/submissions.ts"
import { rule } from "../../rule.ts"
import { rows, times, whileTimePasses } from "../../world.ts"

const form = "0".repeat(64)

/** Processes a form that takes this many round trips, and counts how often it is processed. */
const counting = (text: string | null = "done") => {
  const count = { begun: 0 }
  const process = Effect.gen(function* () {
    count.begun += 1
    yield* Effect.sleep("100 millis")
    return { answer: { by: count.begun }, text }
  })
  return { count, send: (sent = form) => processOnce(sent, process, () => ({ by: 0 })) }
}

describe("a form that is sent several times", () => {
  rule("at once is processed once, and every request gets the response", function* () {
    const { count, send } = counting()
    const answers = yield* whileTimePasses(
      Effect.all(
        times(20, () => send()),
        { concurrency: "unbounded" },
      ),
    )
    assert.strictEqual(count.begun, 1)
    assert.lengthOf(
      answers.filter(({ by }) => by === 1),
      1,
    )
    assert.deepStrictEqual(
      (yield* rows(Submissions)).map(({ response }) => response?.includes("done")),
      [false],
    )
  })

  rule("within a minute gets the response again, and afterwards is processed again", function* () {
    const { count, send } = counting()
    yield* whileTimePasses(send())
    const [row] = yield* rows(Submissions)
    const end = DateTime.toEpochMillis(row?.expires_at ?? assert.fail("no row"))
    yield* TestClock.setTime(end - 1)
    assert.deepStrictEqual(yield* send(), { by: 0 })
    yield* TestClock.setTime(end)
    yield* whileTimePasses(send())
    assert.strictEqual(count.begun, 2)
  })

  rule("with other values is another form", function* () {
    const { count, send } = counting()
    yield* whileTimePasses(Effect.all([send(), send(`${form}1`)], { concurrency: "unbounded" }))
    assert.strictEqual(count.begun, 2)
  })

  rule("is processed again after a refusal", function* () {
    const { count, send } = counting(null)
    for (const turn of [1, 2]) assert.deepStrictEqual(yield* whileTimePasses(send()), { by: turn })
    assert.strictEqual(count.begun, 2)
    assert.lengthOf(yield* rows(Submissions), 0)
  })

  rule("is processed again after a fault", function* () {
    const failing = processOnce(form, Effect.die("a fault"), () => ({ by: 0 }))
    assert.strictEqual((yield* Effect.exit(failing))._tag, "Failure")
    const { send } = counting()
    assert.deepStrictEqual(yield* whileTimePasses(send()), { by: 1 })
  })

  rule("is processed to its end if the client disconnects, so that the second request gets the response", function* () {
    const { count, send } = counting()
    const first = yield* Effect.forkChild(send())
    while (count.begun === 0) yield* Effect.promise(setImmediate)
    yield* Fiber.interrupt(first)
    assert.deepStrictEqual(yield* whileTimePasses(send()), { by: 0 })
    assert.strictEqual(count.begun, 1)
  })

  rule("is processed again if the process that had it has ended", function* () {
    const never = processOnce(form, Effect.never, () => ({ by: 0 }))
    const first = yield* Effect.forkChild(never)
    while ((yield* rows(Submissions)).length === 0) yield* Effect.promise(setImmediate)
    yield* Fiber.interrupt(first)
    yield* TestClock.adjust("29 seconds")
    const { count, send } = counting()
    assert.deepStrictEqual(yield* whileTimePasses(send()), { by: 1 })
    assert.strictEqual(count.begun, 1)
  })
})
