import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { logRepeated } from "../../../domain/storage/repeated-log.ts"

it.effect("one line in ten seconds stands for all, with the number of the others", () => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return Effect.gen(function* () {
    for (const _ of [1, 2, 3]) yield* logRepeated("away")
    yield* logRepeated("something else")
    assert.strictEqual(lines.length, 2)
    yield* TestClock.adjust("9999 millis")
    yield* logRepeated("away")
    assert.strictEqual(lines.length, 2)
    yield* TestClock.adjust("1 millis")
    yield* logRepeated("away")
    assert.deepInclude(JSON.parse(lines[2] ?? ""), { message: "away", level: "ERROR", annotations: { unlogged: 3 } })
  }).pipe(Effect.provide(Logger.layer([logger])))
})
