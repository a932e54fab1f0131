import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { modules } from "../../everything.ts"
import { ask, get, refused, served } from "./served.ts"

const rate_limit = { requests: { limit: 1000, window: 60 } }
const settings = { rate_limit, trusted_proxies: ["127.0.0.0/8"], public_url: "http://localhost:3000" }

describe("a request", () => {
  layer(served({ settings }), { excludeTestServices: true })((it) => {
    const statusOf = (headers: Record<string, string>) => Effect.map(get("/get-session", { headers }), ({ status }) => status)

    it.effect("with a header field above its maximum is refused, and counted", () =>
      Effect.gen(function* () {
        for (const [name, longest] of [
          ["cookie", 15_000],
          ["authorization", 8192],
          ["x-of-a-module", 8192],
          ["content-type", 1000],
          ["x-forwarded-for", 2000],
        ] as const) {
          assert.strictEqual(yield* statusOf({ [name]: "a".repeat(longest) }), 200, name)
          if (name === "cookie") continue
          const long = yield* get("/get-session", { headers: { [name]: "a".repeat(longest + 1) } })
          assert.strictEqual(refused(long), "431 invalid_request", name)
          assert.isDefined(long.headers["ratelimit-remaining"], name)
        }
      }),
    )

    it.effect("with a long Origin is refused like any other from an unknown origin", () =>
      Effect.gen(function* () {
        for (const length of [999, 1000, 5000]) {
          const answer = yield* get("/get-session", { headers: { origin: `https://${"a".repeat(length - 8)}` } })
          assert.strictEqual(answer.status, length > 1000 ? 431 : 403)
        }
      }),
    )

    it.effect("with long preferences is answered", () =>
      Effect.gen(function* () {
        for (const name of ["accept", "accept-language", "user-agent"])
          assert.strictEqual(yield* statusOf({ [name]: "a,".repeat(7000) }), 200, name)
      }),
    )

    it.effect("may have a parameter of 8,192 characters in its query, and no more", () =>
      Effect.gen(function* () {
        const of = (length: number) => get(`/get-session?${"n".repeat(10)}=${"a".repeat(length)}`)
        assert.strictEqual((yield* of(8192)).status, 200)
        assert.strictEqual(refused(yield* of(8193)), "400 invalid_request")
      }),
    )
  })

  layer(served({ modules, pages: {}, settings }), { excludeTestServices: true })((it) => {
    it.effect("of a browser is refused with a page, and one of a client in its protocol", () =>
      Effect.gen(function* () {
        const long = { "x-long": "a".repeat(8193) }
        const page = yield* ask("GET", "/sign-in", { headers: { ...long, accept: "text/html" } })
        assert.deepStrictEqual([page.status, page.headers["content-type"]], [431, "text/html; charset=utf-8"])
        const headers = { ...long, "content-type": "application/x-www-form-urlencoded" }
        const token = yield* ask("POST", "/api/auth/oauth2/token", { headers, body: "grant_type=client_credentials" })
        assert.deepStrictEqual([token.status, token.json.error], [431, "invalid_request"])
      }),
    )

    it.effect("may have a field of 65,536 characters in its form, and no more", () =>
      Effect.gen(function* () {
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const of = (length: number) => ask("POST", "/api/auth/oauth2/introspect", { headers, body: `token=${"a".repeat(length)}` })
        // The provider has a limit of its own for its parameters.
        assert.match((yield* of(65_536)).json.error_description, /8192/)
        assert.notMatch((yield* of(65_537)).json.error_description, /8192/)
      }),
    )
  })
})
