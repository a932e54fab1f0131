import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../world.ts"
import type { Answer } from "./served.ts"
import { ask, base, get, post, refused, served, signedUp } from "./served.ts"

const always = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
}

const answers = Effect.gen(function* () {
  const headers = yield* signedUp()
  return [
    yield* get("/get-session", { headers }),
    yield* post("/sign-out", {}, { headers }),
    yield* get("/list-sessions"),
    yield* get("/nope"),
    yield* post("/sign-up/email", {}),
    yield* ask("POST", `${base}/sign-up/email`, { body: "{" }),
    yield* ask("POST", `${base}/sign-up/email`, { body: "x".repeat(2_000_000) }),
    yield* get("/get-session", { headers: { origin: "https://evil.example" } }),
    yield* ask("OPTIONS", `${base}/get-session`, { headers: { origin: "https://app.example.net" } }),
    yield* ask("HEAD", `${base}/get-session`),
    yield* ask("GET", "/%zz"),
  ]
})

describe("the headers of every answer", () => {
  const trusted_origins = ["https://app.example.net"]
  layer(served({ settings: { trusted_origins } }), { excludeTestServices: true })((it) => {
    it.effect("forbid caches, frames and content sniffing, and carry a request id", () =>
      Effect.gen(function* () {
        const ids = new Set<string>()
        for (const answer of yield* answers) {
          for (const [name, value] of Object.entries(always)) assert.strictEqual(answer.headers[name], value, `${answer.status} ${name}`)
          assert.isUndefined(answer.headers["strict-transport-security"])
          assert.isUndefined(answer.headers["x-powered-by"])
          assert.isUndefined(answer.headers.server)
          const id = String(answer.headers["x-request-id"])
          assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
          ids.add(id)
          if (answer.text !== "") assert.strictEqual(answer.headers["content-type"], "application/json")
        }
        assert.strictEqual(ids.size, 11)
      }),
    )

    it.effect("ignore a request id that the caller sends", () =>
      Effect.gen(function* () {
        const { headers } = yield* get("/get-session", { headers: { "x-request-id": "mine" } })
        assert.notStrictEqual(headers["x-request-id"], "mine")
      }),
    )
  })

  layer(served({ settings: { session: { update_age: 0 } } }), { excludeTestServices: true })((it) => {
    it.effect("say that the session changed when it begins, may have changed or ends, but not when it is extended", () =>
      Effect.gen(function* () {
        const changed = ({ headers }: Answer) => headers["session-changed"]
        const headers = yield* signedUp("changes@example.com")
        const answers = [
          yield* post("/sign-in/email", { email: "changes@example.com", password }),
          yield* post("/update-user", { name: "A" }, { headers }),
          yield* get("/get-session", { headers }),
          yield* post("/update-user", { name: "A" }),
          yield* post("/sign-out", {}, { headers }),
        ]
        assert.deepStrictEqual(answers.map(changed), ["?1", "?1", undefined, undefined, "?1"])
        assert.isDefined(answers[2]?.headers["set-cookie"])
      }),
    )
  })

  layer(served({ settings: { public_url: "https://auth.example.org", trusted_origins } }), { excludeTestServices: true })((it) => {
    it.effect("require https where the service is reached by it", () =>
      Effect.gen(function* () {
        for (const { headers } of yield* answers) {
          assert.strictEqual(headers["strict-transport-security"], "max-age=31536000; includeSubDomains")
        }
        assert.strictEqual(refused(yield* get("/nope")), "404 not_found")
      }),
    )
  })
})
