import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { sender, server } from "../../../adapters/mail/smtp-settings.ts"

const read = (url: string) => server(Redacted.make(url))

describe("the URL of a mail server", () => {
  it.effect.each([
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
    ["smtp://mail.example.com:25/?tls=off", { host: "mail.example.com", port: 25, secure: false, requireTLS: false, ignoreTLS: true }],
    ["smtps://mail.example.com", { host: "mail.example.com", port: 465, secure: true, requireTLS: false, ignoreTLS: false }],
    ["smtps://127.0.0.1:1465", { host: "127.0.0.1", port: 1465, secure: true, requireTLS: false, ignoreTLS: false }],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, secure: false, requireTLS: false, ignoreTLS: true }],
    ["smtp://localhost?tls=required", { host: "localhost", port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
    ["smtp://127.9.9.9", { host: "127.9.9.9", port: 587, secure: false, requireTLS: false, ignoreTLS: true }],
    ["smtp://[::1]:25", { host: "::1", port: 25, secure: false, requireTLS: false, ignoreTLS: true }],
    ["smtp://128.0.0.1", { host: "128.0.0.1", port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
    ["smtp://notlocalhost", { host: "notlocalhost", port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
    ["smtp://localhost.example.com", { host: "localhost.example.com", port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
  ] as const)("%s", ([url, expected]) => Effect.map(read(url), (options) => assert.deepStrictEqual<unknown>(options, expected)))

  it.effect("contains a user and a password", () =>
    Effect.gen(function* () {
      const { auth } = yield* read("smtps://me%40example.com:a%3Ab%2Fc@mail.example.com")
      assert.deepStrictEqual(auth, { user: "me@example.com", pass: "a:b/c" })
    }),
  )

  it.effect.each([
    "",
    "mail.example.com",
    "http://mail.example.com",
    "smtp://",
    "smtp:mail.example.com",
    "smtp://mail.example.com/path",
    "smtp://mail.example.com?tls=maybe",
    "smtp://mail.example.com?rejectUnauthorized=false",
    "smtps://mail.example.com?tls=off",
    "smtp://s3cret:%zz@mail.example.com",
  ])("%j is refused, and not repeated", (url) =>
    Effect.gen(function* () {
      const fault = yield* Effect.flip(read(url))
      assert.strictEqual(fault.key, "url")
      assert.notInclude(fault.message, "s3cret")
    }),
  )
})

describe("the sender", () => {
  it.effect.each([
    ["no-reply@example.com", { name: "", address: "no-reply@example.com", domain: "example.com" }],
    ["Grüße <a@example.com>", { name: "Grüße", address: "a@example.com", domain: "example.com" }],
    ['"Example, Inc." <a@example.com>', { name: "Example, Inc.", address: "a@example.com", domain: "example.com" }],
  ] as const)("%s", ([from, expected]) => Effect.map(sender(from), (read) => assert.deepStrictEqual<unknown>(read, expected)))

  it.effect.each([
    "",
    "Example",
    "a@example.com, b@example.com",
    "List: a@example.com;",
    "a@example.com\r\nBcc: b@example.com",
    "Ex\r\nX: y <a@example.com>",
  ])("%j is refused", (from) => Effect.map(Effect.flip(sender(from)), ({ key }) => assert.strictEqual(key, "from")))
})
