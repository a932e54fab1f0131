import { assert, describe, layer } from "@effect/vitest"
import naughty from "big-list-of-naughty-strings" with { type: "json" }
import { Effect, type Schema } from "effect"
import * as PasswordHasher from "../../../adapters/passwords/password-hasher.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import { isStorable } from "../../../domain/ports/store.ts"
import { storeName } from "../../stores.ts"
import { core, password } from "../../world.ts"
import type { Answer } from "./served.ts"
import { ask, base, cookieOf, get, Logged, post, refused, served, signedUp } from "./served.ts"

const auth = AuthOf.make(core)

/** Valid and malicious strings that the list of naughty strings lacks. */
const strings: ReadonlyArray<string> = [
  ...naughty,
  "",
  " ",
  "\t\v\f\u0085\u00a0\u2028\u2029\ufeff",
  "\u0001\u0007\u001b\u007f\u0080\u009f",
  "\ufffe\uffff\u{10ffff}",
  "\u202e\u2066\u200b\u200d\u{e0001}",
  "e\u0301 \u00e9",
  "ﷺ".repeat(200),
  "👨‍👩‍👧‍👦".repeat(30),
  "hasOwnProperty",
  "__proto__",
  "{0} %n %@ {{7*7}} $(id)",
  "\r\nset-cookie: a=b",
]

const unstorable = ["\0", "a\0b", "\ud800", "\udfff", "\udc00\ud800", "name\ud83d"]

/** JSON of every type but strings. */
const wrong: ReadonlyArray<string> = [
  "null",
  "0",
  "-1",
  "1e308",
  "1e999",
  "false",
  "[]",
  '["text"]',
  "{}",
  '{"toString": "x", "valueOf": 1, "length": 3, "then": 1}',
  '{"__proto__": {"admin": true}}',
  '{"constructor": {"prototype": {"admin": true}}}',
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
]

const endpoints = Object.values(auth.endpoints)
const fieldsOf = (input: Schema.Top): ReadonlyArray<string> => ("fields" in input ? Object.keys(input.fields as object) : [])

/** Valid values of the core's fields. */
const right: Readonly<Record<string, unknown>> = {
  email: "right@example.com",
  new_email: "new@example.com",
  password,
  current_password: password,
  new_password: password,
  name: "Ada",
  image: "https://example.com/ada.png",
  locale: "en",
  token: "x".repeat(43),
  flow: "f".repeat(43),
  code: "000000",
  session_id: "0190a1b2-0000-7000-8000-000000000000",
  provider_id: "credential",
  revoke_other_sessions: false,
  remove_other_credentials: false,
}

/** The valid input of an endpoint with other JSON in one field. */
const spoilt = (fields: ReadonlyArray<string>, field: string, json: string) =>
  `{${fields.map((name) => `${JSON.stringify(name)}: ${name === field ? json : JSON.stringify(right[name])}`).join(", ")}}`

const quoted = (texts: ReadonlyArray<string>) => texts.map((text) => JSON.stringify(text))

const assertFine = (answer: Answer, what: string) => {
  assert.isTrue(
    answer.status === 200 || (answer.status >= 400 && answer.status < 500),
    `${what}: ${answer.status} ${answer.text.slice(0, 200)}`,
  )
  if (answer.status !== 200) refused(answer)
}

describe("hostile input", () => {
  const hasher = PasswordHasher.layer({ memory_kib: 8, passes: 1, lanes: 1 })
  layer(served({ instead: hasher }), { excludeTestServices: true })((it) => {
    let users = 0
    /** Where the values are distributed, each field gets some of them, and the next field the next ones. */
    const everyField = Effect.fnUntraced(function* (values: ReadonlyArray<string>, check: typeof assertFine, share = 1) {
      let place = 0
      for (const { method, path, input } of endpoints) {
        if (method !== "POST") continue
        const fields = fieldsOf(input)
        for (const field of fields) {
          assert.property(right, field, `${path} has a field without a good value`)
          const { cookie } = yield* signedUp(`user${users++}@example.com`)
          const turn = place++ % share
          yield* Effect.forEach(
            values.filter((_, index) => index % share === turn),
            (value) => {
              const body = spoilt(fields, field, value)
              return Effect.map(ask("POST", `${base}${path}`, { headers: { cookie }, body }), (answer) =>
                check(answer, `${path} ${field} ${value.slice(0, 100)}`),
              )
            },
            { concurrency: 16 },
          )
        }
      }
    })

    it.effect("of a wrong type is invalid_request in every field", () =>
      everyField(wrong, (answer, what) => {
        if (what.includes(" revoke_other_sessions ") || / (remove_other_credentials false|(name|image|locale) null)$/.test(what))
          return assertFine(answer, what)
        assert.strictEqual(refused(answer), "400 invalid_request", what)
      }),
    )

    it.effect("that no database can store is refused in every field without a defect", () => everyField(quoted(unstorable), assertFine))

    // Fewer values on a database: only storage differs between stores, and names are tested below.
    const share = storeName === "memory" ? 3 : 10
    it.effect(
      "from the list of naughty strings is refused or accepted in every field without a defect",
      () => everyField(quoted(strings), assertFine, share),
      60_000,
    )

    it.effect("of a megabyte is refused or accepted in every field without a defect", () =>
      everyField(quoted(["x".repeat(1_000_000), "é".repeat(500_000)]), assertFine),
    )

    it.effect("does not change the prototypes of objects", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("proto@example.com")
        for (const body of [
          '{"__proto__": {"name": "polluted", "email_verified": true}}',
          '{"constructor": {"prototype": {"name": "polluted"}}}',
          '{"email_verified": true, "id": "1", "email": "other@example.com", "password_hash": "x"}',
        ]) {
          const { json } = yield* ask("POST", `${base}/update-user`, { headers, body })
          assert.deepStrictEqual([json.user.name, json.user.email, json.user.email_verified], [null, "proto@example.com", false])
        }
        assert.isUndefined(({} as Record<string, unknown>).name)
        assert.strictEqual(
          refused(yield* ask("POST", `${base}/sign-in/email`, { body: '{"__proto__": {"email": "a@b.c", "password": "x"}}' })),
          "400 invalid_request",
        )
      }),
    )

    it.effect("in a name or a picture is returned byte for byte, also when read again", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("names@example.com")
        for (const text of strings) {
          const image = `https://example.com/?${encodeURIComponent(text)}`.slice(0, 2048)
          const changed = yield* post("/update-user", { name: text, image }, { headers })
          assert.deepStrictEqual([changed.json?.user?.name, changed.json?.user?.image], [text, image])
          const { json } = yield* get("/get-session", { headers })
          assert.deepStrictEqual([json.user.name, json.user.image], [text, image])
        }
        for (const text of unstorable)
          assert.strictEqual(refused(yield* post("/update-user", { name: text }, { headers })), "400 invalid_request")
        const big = { name: "é".repeat(256), image: `https://example.com/${"é".repeat(2028)}` }
        yield* post("/update-user", big, { headers })
        const { name, image } = (yield* get("/get-session", { headers })).json.user
        assert.deepStrictEqual({ name, image }, big)
      }),
    )

    it.effect("as a picture is refused unless it is an http or https URL or a path, so that no page runs it as a script", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("pictures@example.com")
        for (const image of [
          ...strings.filter((text, index) => index % 10 === 0 && !/^(https?:|\/|$)/i.test(text)),
          "javascript:alert(1)",
          " https://example.com",
        ])
          assert.strictEqual(refused(yield* post("/update-user", { image }, { headers })), "400 invalid_request", image)
        assert.isNull((yield* get("/get-session", { headers })).json.user.image)
      }),
    )

    it.effect(
      "signs up and in again as a password and as a name, whatever the string",
      () =>
        Effect.gen(function* () {
          const tried = [...strings, ...unstorable].filter((text) => [...text.normalize("NFC")].length <= 100)
          assert.isAbove(tried.length, 400)
          yield* Effect.forEach(
            tried,
            Effect.fnUntraced(function* (text, index) {
              const email = `naughty${index}@example.com`
              const typed = `${text}12345678`
              const name = isStorable(text) ? { name: text } : {}
              const up = yield* post("/sign-up/email", { email, password: typed, ...name })
              assert.strictEqual(up.status, 200, JSON.stringify(text))
              assert.strictEqual(up.json.user.name, name.name ?? null)
              const back = yield* post("/sign-in/email", { email, password: typed })
              assert.strictEqual(back.status, 200, JSON.stringify(text))
              const session = yield* get("/get-session", { headers: { cookie: cookieOf(back) } })
              assert.strictEqual(session.json.user.name, name.name ?? null)
              assert.strictEqual(refused(yield* post("/sign-in/email", { email, password: `${typed}9` })), "401 invalid_credentials")
            }),
            { concurrency: 8 },
          )
        }),
      60_000,
    )

    it.effect("in a query, a header or a cookie is treated as plain text", () =>
      Effect.gen(function* () {
        for (const text of strings) {
          const encoded = encodeURIComponent(text).slice(0, 1000)
          const headers = { cookie: `__Host-session=${encoded}`, "user-agent": encoded, "x-forwarded-for": encoded, origin: encoded }
          assert.strictEqual((yield* get(`/get-session?${encoded}=${encoded}`, { headers: { cookie: headers.cookie } })).status, 200)
          assertFine(yield* get(`/list-sessions?a=${encoded}`, { headers }), encoded)
          assert.strictEqual((yield* get(`/nope/${encoded}`)).status, 404)
        }
      }),
    )

    it.effect("caused no defect", () => Effect.map(Logged, (lines) => assert.deepStrictEqual(lines, [])))
  })
})
