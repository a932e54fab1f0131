import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { configured, including, makeProvider } from "../../application/modules/social/provider.ts"
import { shownBy, built as twoFactor } from "../../two-factor.ts"
import { emails, mailedToken, password } from "../../world.ts"
import type { Answer } from "./served.ts"
import { ask, base, cookieOf, get, post, refused, served, signedUp } from "./served.ts"

const provider = makeProvider()
const { modules: withSocial } = including({
  providers: [
    configured("acme"),
    configured("sent", { success_redirect: "https://app.example.com/welcome?a=1" }),
    configured("issuing", { issuer: "https://issuing.example" }),
    configured("posting", { response_mode: "form_post" }),
  ],
})
const modules = [...withSocial, twoFactor]
const instead = Layer.succeed(HttpClient.HttpClient, provider.client)
const fromBrowser = { "sec-fetch-site": "cross-site" }

const setCookies = ({ headers }: Answer) => headers["set-cookie"] ?? []
const cookieNamed = (answer: Answer, name: string) => setCookies(answer).find((cookie) => cookie.startsWith(`${name}=`)) ?? ""

/** Starts a flow: the callback's query, and the cookie of the browser. */
const began = Effect.fnUntraced(function* (id: string, profile: Record<string, unknown>) {
  const answer = yield* post("/sign-in/social", { provider: id }, { headers: { "sec-fetch-site": "same-origin" } })
  assert.strictEqual(answer.status, 200)
  const query = new URLSearchParams(provider.visit(answer.json.url, profile))
  return { query, flow: cookieNamed(answer, "__Host-oauth_flow") }
})

const back = (query: URLSearchParams, headers: Record<string, string> = {}) => get(`/oauth/callback?${query}`, { headers })

describe("social sign-in over HTTP", () => {
  layer(served({ modules, instead }), { excludeTestServices: true })((it) => {
    it.effect("sets a flow cookie at the start and a session at the callback", () =>
      Effect.gen(function* () {
        const { query, flow } = yield* began("acme", { uid: "1", mail: "one@example.com", confirmed: true })
        assert.match(flow, /^__Host-oauth_flow=[\w-]+\.[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
        const answer = yield* back(query, { ...fromBrowser, cookie: flow.split(";")[0] ?? "" })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.json.user.email, "one@example.com")
        assert.match(cookieNamed(answer, "__Host-session"), /SameSite=Lax$/)
        assert.strictEqual(refused(yield* back(query, fromBrowser)), "400 invalid_state")
      }),
    )

    it.effect("refuses a browser that did not begin the flow, and accepts other clients", () =>
      Effect.gen(function* () {
        const first = yield* began("acme", { uid: "2" })
        assert.strictEqual(refused(yield* back(first.query, fromBrowser)), "400 invalid_state")
        const second = yield* began("acme", { uid: "2" })
        assert.strictEqual((yield* back(second.query)).status, 200)
      }),
    )

    it.effect.each<readonly [string, string]>([
      ["Safari before 16.4", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
      ["Firefox at a host without https", "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"],
      ["a browser that only reads pages", "text/html"],
    ])("refuses %s that did not begin the flow, although it sends no Fetch Metadata", ([_, accept]) =>
      Effect.gen(function* () {
        const stolen = yield* began("acme", { uid: "attacker" })
        const refusal = yield* back(stolen.query, { accept })
        assert.deepStrictEqual([refused(refusal), setCookies(refusal)], ["400 invalid_state", []])
        const own = yield* began("acme", { uid: "own" })
        assert.strictEqual((yield* back(own.query, { accept, cookie: own.flow.split(";")[0] ?? "" })).status, 200)
      }),
    )

    it.effect("sets the cookie for every client, and accepts programs without it", () =>
      Effect.gen(function* () {
        for (const accept of ["*/*", "application/json", "application/json, text/plain, */*", "text/html;q=0, */*"]) {
          const { json, headers } = yield* post("/sign-in/social", { provider: "acme" }, { headers: { accept } })
          assert.match((headers["set-cookie"] ?? []).join(), /__Host-oauth_flow=/)
          const query = new URLSearchParams(provider.visit(json.url, { uid: "program" }))
          assert.strictEqual((yield* back(query, { accept })).status, 200, accept)
        }
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

    it.effect("an error does not redirect", () =>
      Effect.gen(function* () {
        const { query } = yield* began("sent", {})
        const answer = yield* back(query)
        assert.strictEqual(refused(answer), "502 oauth_userinfo_error")
        assert.notProperty(answer.headers, "location")
        assert.lengthOf(setCookies(answer), 0)
      }),
    )

    it.effect("linking shows in its status and body alone", () =>
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

    it.effect("a provider's form leads on to the callback, although it comes from another site without cookies", () =>
      Effect.gen(function* () {
        const { query, flow } = yield* began("posting", { uid: "7" })
        const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://acme.example", ...fromBrowser }
        const form = yield* ask("POST", `${base}/oauth/callback`, { headers, body: query.toString() })
        assert.strictEqual(form.status, 302)
        assert.lengthOf(setCookies(form), 0)
        assert.notInclude(form.headers.location ?? "", query.get("code") ?? "-")
        const { search } = new URL(form.headers.location ?? "")
        const further = { headers: { ...fromBrowser, cookie: flow.split(";")[0] ?? "" } }
        assert.strictEqual((yield* get(`/oauth/callback${search}`, further)).status, 200)
        assert.strictEqual(refused(yield* ask("POST", `${base}/oauth/callback`, { headers, body: "" })), "400 invalid_request")
      }),
    )

    it.effect("a code from another issuer is refused before it is redeemed", () =>
      Effect.gen(function* () {
        const requests = provider.requests.length
        for (const iss of ["https://evil.example", ""]) {
          const { query } = yield* began("issuing", { uid: "8" })
          query.set("iss", iss)
          assert.strictEqual(refused(yield* back(query)), "400 invalid_state")
        }
        assert.lengthOf(provider.requests, requests)
        const { query } = yield* began("issuing", { uid: "8" })
        query.set("iss", "https://issuing.example")
        assert.strictEqual((yield* back(query)).status, 200)

        provider.answers.metadata = () =>
          Effect.sync(() => Response.json({ issuer: "https://issuing.example", authorization_response_iss_parameter_supported: true }))
        const without = yield* began("issuing", { uid: "8" })
        assert.strictEqual(refused(yield* back(without.query)), "400 invalid_state")
      }),
    )

    it.effect("the first link of an account passes the second factor, and is announced", () =>
      Effect.gen(function* () {
        const email = "grace@example.com"
        const headers = yield* signedUp(email)
        yield* post("/send-verification-email", { email })
        yield* post("/verify-email", { token: yield* mailedToken }, { headers })
        const app = (yield* post("/2fa/totp/enable", { password }, { headers })).json
        const confirmed = yield* post("/2fa/totp/confirm", { code: yield* shownBy(app.secret) }, { headers })
        const own = { headers: { cookie: cookieOf(confirmed) } }

        const unproven = yield* began("acme", { uid: "thief", mail: email })
        assert.strictEqual((yield* back(unproven.query)).json.user.email, "acme:thief")

        const { query } = yield* began("sent", { uid: "grace", mail: email, confirmed: true })
        const interim = yield* back(query)
        assert.strictEqual(interim.status, 200)
        assert.isTrue(interim.json.two_factor_required)
        assert.lengthOf(setCookies(interim), 0)
        assert.lengthOf((yield* get("/list-accounts", own)).json.accounts, 1)

        const { challenge_token } = interim.json
        const answer = yield* post("/2fa/totp/challenge", { challenge_token, backup_code: app.backup_codes[0] })
        assert.strictEqual(answer.json.user.email, email)
        assert.lengthOf((yield* get("/list-accounts", own)).json.accounts, 2)
        const notice = (yield* emails).at(-1)
        assert.deepStrictEqual([notice?.to, notice?.subject.startsWith("An account at another service was linked")], [email, true])
        const again = yield* began("acme", { uid: "grace", mail: email })
        assert.strictEqual((yield* back(again.query)).json.user.email, "acme:grace")
      }),
    )

    it.effect("every error has its status", () =>
      Effect.gen(function* () {
        assert.strictEqual(refused(yield* post("/sign-in/social", {})), "400 unknown_provider")
        assert.strictEqual(refused(yield* get("/oauth/callback")), "400 invalid_request")
        assert.strictEqual(refused(yield* get("/oauth/callback?code=a&code=b&state=c")), "400 invalid_request")
        assert.strictEqual(refused(yield* get("/oauth/callback?code=a&state=b")), "400 invalid_state")
        const { query } = yield* began("acme", {})
        query.set("code", "another")
        assert.strictEqual(refused(yield* back(query)), "502 oauth_token_error")
        assert.strictEqual(refused(yield* post("/oauth/callback", {})), "400 invalid_request")

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
    it.effect("the flow's cookie returns from the provider even where session cookies are Strict", () =>
      Effect.gen(function* () {
        const { query, flow } = yield* began("acme", { uid: "1" })
        assert.match(flow, /; SameSite=Lax$/)
        const answer = yield* back(query, { ...fromBrowser, cookie: flow.split(";")[0] ?? "" })
        assert.match(cookieNamed(answer, "__Host-session"), /; SameSite=Strict$/)
      }),
    )
  })
})
