import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeOriginClassifier } from "../../../domain/values/origins.ts"
import { ask, base, get, post, rawAnswer, refused, served } from "./served.ts"

describe("origins", () => {
  it("are the service's own, listed, matched by a wildcard, or untrusted", () => {
    const standing = makeOriginClassifier("https://auth.example.org", [
      "https://app.example.net",
      "https://*.example.com",
      "https://*.example.io:8443",
    ])
    const expected = {
      none: [undefined],
      own: ["https://auth.example.org"],
      trusted: [
        "https://app.example.net",
        "https://a.example.com",
        "https://a.b.c.example.com",
        "https://xn--bcher-kva.example.com",
        "https://a.example.io:8443",
      ],
      untrusted: [
        "",
        "null",
        "https://auth.example.org:8443",
        "http://auth.example.org",
        "https://auth.example.org.evil.example",
        "https://sub.auth.example.org",
        "https://app.example.net:444",
        "http://app.example.net",
        "https://APP.example.net",
        "https://example.com",
        "https://.example.com",
        "http://a.example.com",
        "https://evilexample.com",
        "https://a.example.com.evil.example",
        "https://evil.example/.example.com",
        "https://evil.example?.example.com",
        "https://evil.example#.example.com",
        "https://evil.example\\.example.com",
        "https://user@a.example.com",
        "https://a.example.com:8443",
        "https://a.example.com/",
        "https://a.example.com\n",
        "https://a.example.io",
        "https://a.example.com, https://b.example.com",
        "https://*.example.com",
        "file://",
        "chrome-extension://abc",
      ],
    }
    for (const [verdict, origins] of Object.entries(expected)) {
      for (const origin of origins) assert.strictEqual(standing(origin), verdict, String(origin))
    }
  })

  const trusted_origins = ["https://app.example.net", "https://*.example.com"]
  const settings = { public_url: "https://auth.example.org", trusted_origins }
  layer(served({ settings }), { excludeTestServices: true })((it) => {
    it.effect("that are untrusted are refused on every method and path, and cannot read the answer", () =>
      Effect.gen(function* () {
        for (const origin of ["https://evil.example", "null", "https://example.com"]) {
          for (const method of ["GET", "POST", "OPTIONS", "PUT"]) {
            for (const path of ["/get-session", "/sign-out", "/nope"]) {
              const answer = yield* ask(method, `${base}${path}`, { headers: { origin, "access-control-request-method": "POST" } })
              assert.strictEqual(refused(answer), "403 untrusted_origin", `${method} ${path} ${origin}`)
              assert.strictEqual(answer.headers.vary, "Origin")
              assert.deepStrictEqual(
                Object.keys(answer.headers).filter((name) => name.startsWith("access-control-")),
                [],
              )
            }
          }
        }
      }),
    )

    it.effect("that send requests without an Origin (links, images, scripts) are refused by Sec-Fetch-Site", () =>
      Effect.gen(function* () {
        const from = (site: string, more: Record<string, string> = {}) => ({ headers: { "sec-fetch-site": site, ...more } })
        for (const [method, path] of [
          ["GET", "/get-session"],
          ["HEAD", "/get-session"],
          ["POST", "/sign-out"],
          ["GET", "/nope"],
          ["OPTIONS", "/get-session"],
        ] as const) {
          const answer = yield* ask(method, `${base}${path}`, from("cross-site"))
          if (method === "HEAD") assert.strictEqual(answer.status, 403)
          else assert.strictEqual(refused(answer), "403 untrusted_origin", `${method} ${path}`)
        }
        for (const site of ["same-origin", "same-site", "none"])
          assert.strictEqual((yield* get("/get-session", from(site))).status, 200, site)
        for (const origin of ["https://app.example.net", "https://auth.example.org"])
          assert.strictEqual((yield* get("/get-session", from("cross-site", { origin }))).status, 200, origin)
        const evil = from("same-origin", { origin: "https://evil.example" })
        assert.strictEqual(refused(yield* get("/get-session", evil)), "403 untrusted_origin")
      }),
    )

    it.effect("are refused when a request has two", () =>
      Effect.gen(function* () {
        const origins = "origin: https://app.example.net\r\norigin: https://evil.example\r\n"
        const answer = yield* rawAnswer(`GET ${base}/get-session HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${origins}\r\n`)
        assert.match(answer, /^HTTP\/1\.1 403 /)
      }),
    )

    it.effect("that are trusted may read answers and errors with cookies", () =>
      Effect.gen(function* () {
        for (const origin of ["https://app.example.net", "https://a.b.example.com"]) {
          for (const answer of [
            yield* get("/get-session", { headers: { origin } }),
            yield* get("/list-sessions", { headers: { origin } }),
            yield* get("/nope", { headers: { origin } }),
            yield* post("/sign-up/email", {}, { headers: { origin } }),
          ]) {
            assert.strictEqual(answer.headers["access-control-allow-origin"], origin)
            assert.strictEqual(answer.headers["access-control-allow-credentials"], "true")
            assert.match(answer.headers["access-control-expose-headers"] ?? "", /x-request-id, retry-after, ratelimit-limit/)
            assert.strictEqual(answer.headers.vary, "Origin")
          }
        }
      }),
    )

    it.effect("send a preflight, which is answered", () =>
      Effect.gen(function* () {
        for (const path of ["/sign-in/email", "/get-session", "/nope"]) {
          const headers = { origin: "https://app.example.net", "access-control-request-method": "POST" }
          const answer = yield* ask("OPTIONS", `${base}${path}`, { headers })
          assert.deepStrictEqual([answer.status, answer.text], [204, ""])
          assert.strictEqual(answer.headers["access-control-allow-origin"], "https://app.example.net")
          assert.strictEqual(answer.headers["access-control-allow-credentials"], "true")
          assert.strictEqual(answer.headers["access-control-allow-methods"], "GET, POST")
          assert.strictEqual(answer.headers["access-control-allow-headers"], "content-type, authorization, dpop, if-match, idempotency-key")
          assert.strictEqual(answer.headers["access-control-max-age"], "600")
          assert.strictEqual(answer.headers.vary, "Origin")
          assert.isUndefined(answer.headers["content-type"])
        }
      }),
    )

    it.effect("of the service itself, and requests without one, need no CORS headers", () =>
      Effect.gen(function* () {
        for (const headers of [{}, { origin: "https://auth.example.org" }]) {
          const answer = yield* get("/get-session", { headers })
          assert.strictEqual(answer.status, 200)
          assert.isUndefined(answer.headers["access-control-allow-origin"])
          assert.strictEqual(answer.headers.vary, "Origin")
        }
      }),
    )
  })
})
