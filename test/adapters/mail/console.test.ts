import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestConsole } from "effect/testing"
import * as Console from "../../../adapters/mail/console.ts"
import * as None from "../../../adapters/mail/none.ts"
import { Mailer } from "../../../domain/ports/mailer.ts"
import { mail } from "./server.ts"

it.effect("prints a mail's text without control characters for the terminal", () =>
  Effect.gen(function* () {
    const { send } = yield* Mailer
    yield* send({ ...mail, to: "ada\u001b[2J@example.com\nX: y", text: "Line one\n\u001b]0;title\u0007line two" })
    const lines = yield* TestConsole.logLines
    assert.deepStrictEqual(lines, ["To: ada[2J@example.com X: y\nSubject: Hello\n\nLine one\n]0;titleline two"])
  }).pipe(Effect.provide(Console.layer({ hasPages: false }))),
)

it.effect("adds a hint about the page of a link", () =>
  Effect.gen(function* () {
    const { send } = yield* Mailer
    yield* send({ ...mail, text: "Verify:\nhttps://app.example.com/verify?token=x\n" })
    assert.match(
      String((yield* TestConsole.logLines)[0]),
      /token=x\n\n\(Printed, not sent\. Your application serves the page of the link: .*\)\n$/,
    )
  }).pipe(Effect.provide(Console.layer({ hasPages: false }))),
)

it.effect("says nothing below a link to a page of the service", () =>
  Effect.gen(function* () {
    const { send } = yield* Mailer
    yield* send({ ...mail, text: "Verify:\nhttps://app.example.com/verify?token=x\n" })
    assert.match(String((yield* TestConsole.logLines)[0]), /token=x\n$/)
  }).pipe(Effect.provide(Console.layer({ hasPages: true }))),
)

it.effect("prints nothing without mail", () =>
  Effect.gen(function* () {
    const { send } = yield* Mailer
    yield* send(mail)
    assert.deepStrictEqual(yield* TestConsole.logLines, [])
  }).pipe(Effect.provide(None.layer)),
)
