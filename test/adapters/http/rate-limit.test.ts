import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Served } from "./served.ts"
import { ask, base, get, post, refused, served } from "./served.ts"

const limited = (requests: object, more: Record<string, unknown> = {}): Served => ({
  settings: { rate_limit: { requests }, trusted_proxies: ["127.0.0.0/8"], ...more },
})
const from = (address: string) => ({ headers: { "x-forwarded-for": address } })

describe("rate limits over HTTP", () => {
  layer(served(limited({ limit: 3, window: 60 })))((it) => {
    it.effect("count every request of an address, report what is left, and end with the window", () =>
      Effect.gen(function* () {
        const client = from("203.0.113.1")
        const first = yield* get("/get-session", client)
        assert.strictEqual(first.headers["ratelimit-limit"], "3")
        assert.strictEqual(first.headers["ratelimit-remaining"], "2")
        assert.match(String(first.headers["ratelimit-reset"]), /^\d+$/)
        assert.isUndefined(first.headers["retry-after"])
        const second = yield* ask("POST", `${base}/sign-out`, { ...client, body: "{" })
        assert.deepStrictEqual([refused(second), second.headers["ratelimit-remaining"]], ["400 invalid_json", "1"])
        const third = yield* get("/nope", client)
        assert.deepStrictEqual([refused(third), third.headers["ratelimit-remaining"]], ["404 not_found", "0"])

        for (const path of ["/get-session", "/nope", "/list-sessions"]) {
          const over = yield* get(path, client)
          assert.strictEqual(refused(over), "429 rate_limited")
          const seconds = Number(over.headers["retry-after"])
          assert.isTrue(seconds >= 1 && seconds <= 60, `retry-after: ${seconds}`)
          assert.strictEqual(over.headers["ratelimit-limit"], "3")
          assert.strictEqual(over.headers["ratelimit-remaining"], "0")
          assert.strictEqual(over.headers["ratelimit-reset"], String(seconds))
        }
        assert.strictEqual((yield* get("/get-session", from("203.0.113.2"))).status, 200)

        const { headers } = yield* get("/get-session", client)
        yield* TestClock.adjust(`${Number(headers["retry-after"])} seconds`)
        assert.strictEqual((yield* get("/get-session", client)).status, 200)
      }),
    )

    it.effect("treat an IPv6 network of 64 bits as one client", () =>
      Effect.gen(function* () {
        for (const host of ["1", "2", "ffff:1:1"]) assert.strictEqual((yield* get("/nope", from(`2001:db8:0:1::${host}`))).status, 404)
        assert.strictEqual((yield* get("/nope", from("2001:db8:0:1:1:2:3:4"))).status, 429)
        assert.strictEqual((yield* get("/nope", from("2001:db8:0:2::1"))).status, 404)
      }),
    )

    it.effect("admit no more concurrent requests than are left", () =>
      Effect.gen(function* () {
        const crowd = yield* Effect.all(
          Array.from({ length: 20 }, () => get("/get-session", from("203.0.113.3"))),
          { concurrency: "unbounded" },
        )
        assert.strictEqual(crowd.filter(({ status }) => status === 200).length, 3)
        assert.strictEqual(crowd.filter(({ status }) => status === 429).length, 17)
      }),
    )
  })

  layer(served(limited({ limit: 20, window: 60 })))((it) => {
    it.effect("count a request once more for each 64 KiB of its body, but not for a body that exceeds the limit", () =>
      Effect.gen(function* () {
        const post = (length: number) =>
          ask("POST", `${base}/sign-out`, { ...from("203.0.113.1"), body: `{"pad":"${"x".repeat(length - 10)}"}` })
        const left: Array<unknown> = []
        for (const length of [65_535, 65_536, 131_072, 1_048_577]) left.push((yield* post(length)).headers["ratelimit-remaining"])
        assert.deepStrictEqual(left, ["19", "17", "14", "13"])
        assert.strictEqual(refused(yield* post(1_048_576)), "429 rate_limited")
        assert.strictEqual((yield* post(100)).headers["ratelimit-remaining"], "12")
      }),
    )
  })

  layer(served(limited({ limit: 3, window: 60 })))((it) => {
    it.effect("admit a request with a large body where the whole budget is smaller than its cost", () =>
      Effect.gen(function* () {
        const body = `{"pad":"${"x".repeat(500_000)}"}`
        const large = yield* ask("POST", `${base}/sign-out`, { ...from("203.0.113.1"), body })
        assert.deepStrictEqual([large.status, large.headers["ratelimit-remaining"]], [200, "0"])
        const chunked = yield* ask("POST", `${base}/sign-out`, { ...from("203.0.113.2"), body: [body] })
        assert.deepStrictEqual([chunked.status, chunked.headers["ratelimit-remaining"]], [200, "0"])
      }),
    )
  })

  layer(served(limited({ limit: 20, window: 60 })))((it) => {
    it.effect("count a body without Content-Length once more for each 64 KiB, while it is read", () =>
      Effect.gen(function* () {
        const chunks = (length: number) => {
          const text = `{"pad":"${"x".repeat(length - 10)}"}`
          return Array.from({ length: Math.ceil(length / 1000) }, (_, index) => text.slice(1000 * index, 1000 * (index + 1)))
        }
        const post = (length: number) => ask("POST", `${base}/sign-out`, { ...from("203.0.113.1"), body: chunks(length) })
        const left: Array<unknown> = []
        for (const length of [100, 65_535, 65_536, 131_072]) left.push((yield* post(length)).headers["ratelimit-remaining"])
        assert.deepStrictEqual(left, ["19", "18", "16", "13"])
        const refusedWhole = yield* post(1_048_000)
        assert.strictEqual(refused(refusedWhole), "429 rate_limited")
        assert.strictEqual(refusedWhole.headers["ratelimit-remaining"], "0")
      }),
    )
  })

  const behindProxy: Served = { settings: { rate_limit: { requests: { limit: 3, window: 60 } }, trusted_proxies: ["10.0.0.0/8"] } }
  layer(served(behindProxy))((it) => {
    it.effect("cannot be bypassed by a header that no trusted proxy wrote", () =>
      Effect.gen(function* () {
        for (const host of [1, 2, 3]) assert.strictEqual((yield* get("/get-session", from(`203.0.113.${host}`))).status, 200)
        assert.strictEqual((yield* get("/get-session", from("203.0.113.4"))).status, 429)
      }),
    )
  })

  const replaced: Served = {
    settings: { rate_limit: { requests: { limit: 2, window: 60 } } },
    pages: { routes: { sign_in: "https://app.example.net/sign-in" } },
  }
  layer(served(replaced))((it) => {
    it.effect("count redirects to a page of the operator's own", () =>
      Effect.gen(function* () {
        const answers = [yield* ask("GET", "/sign-in?a=b"), yield* ask("GET", "/sign-in"), yield* ask("GET", "/sign-in")]
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [303, 303, 429],
        )
        assert.strictEqual(answers[0]?.headers.location, "https://app.example.net/sign-in?a=b")
      }),
    )
  })

  const origins = { trusted_origins: ["https://app.example.net"] }
  layer(served(limited({ limit: 1, window: 60 }, origins)))((it) => {
    it.effect("do not count preflights and requests of untrusted origins", () =>
      Effect.gen(function* () {
        const at = (origin: string) => ({ headers: { origin, "x-forwarded-for": "203.0.113.5" } })
        const client = at("https://app.example.net")
        for (const _ of [1, 2, 3]) {
          assert.strictEqual((yield* ask("OPTIONS", `${base}/get-session`, client)).status, 204)
          assert.strictEqual((yield* get("/get-session", at("https://evil.example"))).status, 403)
        }
        assert.strictEqual((yield* get("/get-session", client)).status, 200)
        const over = yield* get("/get-session", client)
        assert.strictEqual(over.status, 429)
        assert.strictEqual(over.headers["access-control-allow-origin"], "https://app.example.net")
      }),
    )
  })

  const signIns = { rate_limit: { requests: { limit: 100, window: 60 }, sign_in: { limit: 2, window: 300 } } }
  layer(served({ settings: signIns }))((it) => {
    it.effect("of an identifier describe the budget that refused, not the address's", () =>
      Effect.gen(function* () {
        const input = { email: "ada@example.com", password: "a wrong password" }
        for (const _ of [1, 2]) {
          const wrong = yield* post("/sign-in/email", input)
          assert.strictEqual(refused(wrong), "401 invalid_credentials")
        }
        const over = yield* post("/sign-in/email", input)
        assert.strictEqual(refused(over), "429 rate_limited")
        assert.strictEqual(over.headers["ratelimit-limit"], "2")
        assert.strictEqual(over.headers["ratelimit-remaining"], "0")
        assert.strictEqual(over.headers["ratelimit-reset"], over.headers["retry-after"])
      }),
    )
  })

  layer(served())((it) => {
    it.effect("that are disabled add no headers and no rows", () =>
      Effect.gen(function* () {
        const { headers } = yield* get("/get-session")
        assert.deepStrictEqual(
          Object.keys(headers).filter((name) => name.startsWith("ratelimit")),
          [],
        )
      }),
    )
  })
})
