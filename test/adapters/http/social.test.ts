import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { configured, including, makeProvider } from "../../application/modules/social/provider.ts"
import type { Answer } from "./served.ts"
import { get, post, refused, served } from "./served.ts"

const provider = makeProvider()
const { modules } = including({
  providers: [configured("acme"), configured("sent", { success_redirect: "https://app.example.com/welcome?a=1" })],
})
const instead = Layer.succeed(HttpClient.HttpClient, provider.client)
const fromBrowser = { "sec-fetch-site": "cross-site" }

const setCookies = ({ headers }: Answer) => headers["set-cookie"] ?? []
const cookieNamed = (answer: Answer, name: string) => setCookies(answer).find((cookie) => cookie.startsWith(`${name}=`)) ?? ""

/** The way to the provider and back: the callback's query, and the cookie that the browser got on its way out. */
const began = Effect.fnUntraced(function* (id: string, profile: Record<string, unknown>) {
  const answer = yield* post("/sign-in/social", { provider: id }, { headers: { "sec-fetch-site": "same-origin" } })
  assert.strictEqual(answer.status, 200)
  const query = new URLSearchParams(provider.visit(answer.json.url, profile))
  return { query, flow: cookieNamed(answer, "__Host-oauth_flow") }
})

const back = (query: URLSearchParams, headers: Record<string, string> = {}) => get(`/oauth/callback?${query}`, { headers })

describe("social sign-in over HTTP", () => {
  layer(served({ modules, instead }), { excludeTestServices: true })((it) => {
    it.effect("goes out with a cookie of the flow and comes back with a session", () =>
      Effect.gen(function* () {
        const { query, flow } = yield* began("acme", { uid: "1", mail: "one@example.com" })
        assert.match(flow, /^__Host-oauth_flow=[\w-]+\.[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
        const answer = yield* back(query, { ...fromBrowser, cookie: flow.split(";")[0] ?? "" })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.json.user.email, "one@example.com")
        assert.match(cookieNamed(answer, "__Host-session"), /SameSite=Lax$/)
        assert.strictEqual(refused(yield* back(query, fromBrowser)), "400 invalid_state")
      }),
    )

    it.effect("a browser that did not begin it gets nowhere, other software does", () =>
      Effect.gen(function* () {
        const first = yield* began("acme", { uid: "2" })
        assert.strictEqual(refused(yield* back(first.query, fromBrowser)), "400 invalid_state")
        const second = yield* began("acme", { uid: "2" })
        assert.strictEqual((yield* back(second.query)).status, 200)
      }),
    )

    it.effect("a provider with success_redirect: 302 with Location, body and session", () =>
      Effect.gen(function* () {
        const { query } = yield* began("sent", { uid: "3" })
        const answer = yield* back(query)
        assert.strictEqual(answer.status, 302)
        assert.strictEqual(answer.headers.location, "https://app.example.com/welcome?a=1")
        assert.deepStrictEqual(answer.json, { redirect: "https://app.example.com/welcome?a=1" })
        assert.match(cookieNamed(answer, "__Host-session"), /^__Host-session=[\w-]{43}\.[\w-]{43};/)
      }),
    )

    it.effect("an error is no redirect", () =>
      Effect.gen(function* () {
        const { query } = yield* began("sent", {})
        const answer = yield* back(query)
        assert.strictEqual(refused(answer), "502 oauth_userinfo_error")
        assert.notProperty(answer.headers, "location")
        assert.lengthOf(setCookies(answer), 0)
      }),
    )

    it.effect("links by its status and body alone", () =>
      Effect.gen(function* () {
        const { query } = yield* began("acme", { uid: "4" })
        const cookie = cookieNamed(yield* back(query), "__Host-session").split(";")[0] ?? ""
        const { json } = yield* post("/link-social", { provider: "sent" }, { headers: { cookie } })
        const answer = yield* back(new URLSearchParams(provider.visit(json.url, { uid: "5" })))
        assert.deepStrictEqual([answer.status, answer.json], [302, { redirect: "https://app.example.com/welcome?a=1" }])
        assert.lengthOf(setCookies(answer), 0)
        assert.strictEqual(refused(yield* post("/link-social", { provider: "sent" })), "401 unauthorized")
      }),
    )

    it.effect("every refusal has its status", () =>
      Effect.gen(function* () {
        assert.strictEqual(refused(yield* post("/sign-in/social", {})), "400 unknown_provider")
        assert.strictEqual(refused(yield* get("/oauth/callback")), "400 invalid_request")
        assert.strictEqual(refused(yield* get("/oauth/callback?code=a&code=b&state=c")), "400 invalid_request")
        assert.strictEqual(refused(yield* get("/oauth/callback?code=a&state=b")), "400 invalid_state")
        const { query } = yield* began("acme", {})
        query.set("code", "another")
        assert.strictEqual(refused(yield* back(query)), "502 oauth_token_error")
        assert.strictEqual(refused(yield* post("/oauth/callback", {})), "404 not_found")

        const one = yield* began("acme", { uid: "6" })
        const session = cookieNamed(yield* back(one.query), "__Host-session").split(";")[0] ?? ""
        const { json } = yield* post("/link-social", { provider: "acme" }, { headers: { cookie: session } })
        const other = yield* began("acme", { uid: "7" })
        yield* back(other.query)
        const query2 = new URLSearchParams(provider.visit(json.url, { uid: "7" }))
        assert.strictEqual(refused(yield* back(query2)), "409 account_linked")
      }),
    )
  })

  layer(served({ modules, instead, settings: { cookie: { same_site: "Strict" } } }), { excludeTestServices: true })((it) => {
    it.effect("where sessions are Strict, the flow's cookie still comes back from the provider", () =>
      Effect.gen(function* () {
        const { query, flow } = yield* began("acme", { uid: "1" })
        assert.match(flow, /; SameSite=Lax$/)
        const answer = yield* back(query, { ...fromBrowser, cookie: flow.split(";")[0] ?? "" })
        assert.match(cookieNamed(answer, "__Host-session"), /; SameSite=Strict$/)
      }),
    )
  })
})
