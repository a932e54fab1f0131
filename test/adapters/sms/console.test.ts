import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestConsole } from "effect/testing"
import * as Console from "../../../adapters/sms/console.ts"
import * as None from "../../../adapters/sms/none.ts"
import { SmsSender } from "../../../domain/ports/sms-sender.ts"
import { sms } from "./server.ts"

it.effect("prints a message without control characters for the terminal", () =>
  Effect.gen(function* () {
    const { send } = yield* SmsSender
    yield* send({ ...sms, to: "+1555\u001b[2J\nX: y", text: "Line one\n\u001b]0;title\u0007line two" })
    assert.deepStrictEqual(yield* TestConsole.logLines, ["SMS to: +1555[2J X: y\n\nLine one\n]0;titleline two"])
  }).pipe(Effect.provide(Console.layer)),
)

it.effect("prints nothing without SMS", () =>
  Effect.gen(function* () {
    const { send } = yield* SmsSender
    yield* send(sms)
    assert.deepStrictEqual(yield* TestConsole.logLines, [])
  }).pipe(Effect.provide(None.layer)),
)
