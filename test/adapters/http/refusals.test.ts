import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import type { DeclaredError } from "../../../domain/errors.ts"
import { InvalidToken, Overloaded } from "../../../domain/errors.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { Store, StoreUnavailable } from "../../../domain/ports/store.ts"
import { core, mailedToken, password } from "../../world.ts"
import { ask, changed, cookieOf, get, Logged, post, refused, served, signedUp } from "./served.ts"

const made = (path: `/${string}`, errors: ReadonlyArray<DeclaredError>, handler: () => Effect.Effect<never, any>) =>
  Endpoint.make({
    method: "POST",
    path,
    summary: "Fails.",
    access: "public",
    input: Endpoint.NoInput,
    output: Endpoint.Success,
    errors,
    handler,
  })

const failing = Module.define({
  name: "failing",
  settings: Module.NoSettings,
  parts: () => ({
    endpoints: [
      made("/die", [], () => Effect.die(new Error("the reason of the defect"))),
      made("/throws", [], () => {
        throw new TypeError("thrown, not died")
      }),
      made("/misanswers", [], () => Effect.succeed({ body: 1, session: "keep" }) as never),
      made("/unavailable", [], () => Effect.die(new StoreUnavailable({ cause: new Error("connection refused") }))),
      made("/overloaded", [], () => Effect.fail(new Overloaded({ retryAfter: 7 }))),
      made("/overloaded-anyhow", [], () => Effect.fail(new Overloaded())),
      made("/teapot", [[InvalidToken, 418]], () => Effect.fail(new InvalidToken())),
    ],
  }),
}).build({})

const linesOf = (id: unknown) => Logged.useSync((lines) => lines.filter((line) => line.includes(String(id))))

describe("refusals", () => {
  layer(served({ modules: [...core, failing] }), { excludeTestServices: true })((it) => {
    it.effect("of a request with a defect reveal nothing else, and are logged once", () =>
      Effect.gen(function* () {
        for (const [path, reason] of [
          ["/die", "the reason of the defect"],
          ["/throws", "thrown, not died"],
          ["/misanswers", "SchemaError"],
        ] as const) {
          const answer = yield* post(`${path}?token=in-the-query`, {})
          assert.strictEqual(refused(answer), "500 internal_error")
          assert.notInclude(answer.text, reason)
          const id = answer.headers["x-request-id"]
          assert.match(String(id), /^[0-9a-f-]{36}$/)

          const lines = yield* linesOf(id)
          assert.strictEqual(lines.length, 1, path)
          assert.include(lines[0], reason)
          const { level, annotations } = JSON.parse(lines[0] ?? "")
          assert.strictEqual(level, "ERROR")
          assert.deepStrictEqual(annotations, { request_id: id, method: "POST", path: `/api/auth${path}` })
        }
      }),
    )

    it.effect("caused by the store or a time-out say when to retry", () =>
      Effect.gen(function* () {
        const unavailable = yield* post("/unavailable", {})
        assert.deepStrictEqual([refused(unavailable), unavailable.headers["retry-after"]], ["503 unavailable", "1"])
        assert.notInclude(unavailable.text, "connection refused")
        const lines = yield* linesOf(unavailable.headers["x-request-id"])
        assert.strictEqual(lines.length, 1)
        assert.include(lines[0], "connection refused")
        assert.notInclude(lines[0], "    at ")
        const again = yield* post("/unavailable", {})
        assert.strictEqual(refused(again), "503 unavailable")
        assert.deepStrictEqual(yield* linesOf(again.headers["x-request-id"]), [])

        const overloaded = yield* post("/overloaded", {})
        assert.deepStrictEqual([refused(overloaded), overloaded.headers["retry-after"]], ["503 overloaded", "7"])
        const anyhow = yield* post("/overloaded-anyhow", {})
        assert.deepStrictEqual([refused(anyhow), anyhow.headers["retry-after"]], ["503 overloaded", "1"])
        assert.deepStrictEqual(yield* linesOf(overloaded.headers["x-request-id"]), [])
      }),
    )

    it.effect("have the status that the endpoint declares", () =>
      Effect.gen(function* () {
        assert.strictEqual(refused(yield* post("/teapot", {})), "418 invalid_token")
      }),
    )

    it.effect("are not logged when the caller caused them", () =>
      Effect.gen(function* () {
        const before = (yield* Logged).length
        yield* get("/nope")
        yield* get("/list-sessions")
        yield* post("/sign-in/email", { email: "a@example.com", password })
        yield* post("/sign-in/email", 1)
        assert.strictEqual((yield* Logged).length, before)
      }),
    )
  })

  const down = changed(Store, () => {
    const unreachable = Effect.die(new StoreUnavailable({ cause: new Error("connection refused") }))
    const verbs = ["read", "readWithReferenced", "readWithReferencing", "list", "commit"].map((verb) => [verb, () => unreachable])
    return { ...Object.fromEntries(verbs), ping: unreachable }
  })
  layer(served({ instead: down, settings: { rate_limit: { enabled: true } } }), { excludeTestServices: true })((it) => {
    it.effect("come from every endpoint while the store is unavailable, and /readyz reports it", () =>
      Effect.gen(function* () {
        const headers = { cookie: "__Host-session=not.valid" }
        assert.strictEqual((yield* get("/get-session", { headers })).status, 200)
        for (const [path, input] of [
          ["/sign-up/email", { email: "a@example.com", password }],
          ["/sign-in/email", { email: "a@example.com", password }],
          ["/request-password-reset", { email: "a@example.com" }],
          ["/reset-password", { token: "x", new_password: password }],
          ["/verify-email", { token: "x" }],
        ] as const) {
          const answer = yield* post(path, input)
          assert.deepStrictEqual([refused(answer), answer.headers["retry-after"]], ["503 unavailable", "1"], path)
        }
        assert.strictEqual((yield* ask("GET", "/healthz")).status, 200)
        const ready = yield* ask("GET", "/readyz")
        assert.strictEqual(ready.status, 503)
        assert.deepStrictEqual(ready.json, { status: "unavailable", reason: "the store does not answer" })
        assert.notInclude(ready.text, "refused")
      }),
    )
  })

  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("do not come from /healthz and /readyz in normal operation", () =>
      Effect.gen(function* () {
        for (const path of ["/healthz", "/readyz"]) {
          const answer = yield* ask("GET", path)
          assert.deepStrictEqual([answer.status, answer.json], [200, { status: "ok" }])
          assert.strictEqual(answer.headers["cache-control"], "no-store")
          assert.strictEqual((yield* ask("HEAD", path)).status, 200)
          assert.strictEqual(refused(yield* ask("POST", path)), "404 not_found")
        }
      }),
    )

    it.effect("never repeat the input", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp()
        const secret = "a secret that was sent by mistake"
        const values = [secret, [secret], { a: secret }, { [secret]: 1 }, [[[secret]]]]
        const fields = ["email", "password", "name", "token", "session_id", "new_email", "new_password", "current_password", "provider_id"]
        const paths = [
          "/sign-up/email",
          "/sign-in/email",
          "/reset-password",
          "/change-password",
          "/verify-email",
          "/change-email",
          "/unlink-account",
        ]
        for (const path of [...paths, "/revoke-session", "/delete-user", "/send-verification-email"]) {
          for (const value of values) {
            const answer = yield* post(path, Object.fromEntries(fields.map((field) => [field, value])), { headers })
            assert.notInclude(answer.text, secret, path)
            const broken = yield* ask("POST", `/api/auth${path}`, { headers, body: `{"email": "${secret}` })
            assert.notInclude(broken.text, secret, path)
          }
        }
        assert.notInclude((yield* get(`/${secret.replaceAll(" ", "-")}`)).text, "secret")
      }),
    )
  })
})

describe("secrets", () => {
  const secrets = Effect.gen(function* () {
    const email = "ada@example.com"
    const answers = [yield* post("/sign-up/email", { email, password })]
    const credential = cookieOf(answers[0]!)
    const headers = { cookie: credential }
    answers.push(yield* get("/get-session", { headers }))
    answers.push(yield* get("/list-sessions", { headers }))
    answers.push(yield* get("/list-accounts", { headers }))
    answers.push(yield* post("/update-user", { name: "Ada" }, { headers }))
    answers.push(yield* post("/sign-in/email", { email, password }))
    answers.push(yield* post("/sign-in/email", { email, password: `${password}, wrong` }))
    answers.push(yield* post("/request-password-reset", { email }))
    const token = yield* mailedToken
    answers.push(yield* post("/reset-password", { token, new_password: `${password}, reset` }))
    answers.push(yield* post("/reset-password", { token, new_password: `${password}, reset` }))
    return { answers, secrets: [password, token, ...credential.replace("__Host-session=", "").split(".")] }
  })

  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("are in no answer and in no log", () =>
      Effect.gen(function* () {
        const { answers, secrets: all } = yield* secrets
        for (const { text } of answers) {
          for (const secret of [...all, "password_hash", "token_hash", "hash$"]) assert.notInclude(text, secret)
        }
        for (const line of yield* Logged) for (const secret of all) assert.notInclude(line, secret)
      }),
    )
  })

  const broken = Layer.merge(
    changed(Store, () => ({ commit: () => Effect.die(new Error("the disk is full")) })),
    changed(PasswordHasher, () => ({ verify: () => Effect.die(new Error("out of memory")) })),
  )
  layer(served({ instead: broken }), { excludeTestServices: true })((it) => {
    it.effect("are not in the log of a request that dies while it handles them", () =>
      Effect.gen(function* () {
        const email = "ada@example.com"
        const token = "a-token-from-a-letter"
        const credential = `${"A".repeat(43)}.${"B".repeat(43)}`
        const headers = { cookie: `__Host-session=${credential}`, authorization: `Bearer ${credential}` }
        assert.strictEqual(refused(yield* post("/sign-up/email", { email, password }, { headers })), "500 internal_error")
        assert.strictEqual(refused(yield* post("/sign-in/email", { email, password }, { headers })), "500 internal_error")
        assert.strictEqual(refused(yield* post("/request-password-reset", { email }, { headers })), "500 internal_error")
        yield* post(`/reset-password?token=${token}`, { token, new_password: password }, { headers })
        yield* get(`/get-session?token=${token}`, { headers })

        const lines = yield* Logged
        assert.strictEqual(lines.length, 3)
        for (const line of lines) for (const secret of [password, token, credential, "Bearer"]) assert.notInclude(line, secret)
      }),
    )
  })
})
