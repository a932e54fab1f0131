import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { mailLinks } from "../../../adapters/pages/mail-links.ts"
import { Users } from "../../../domain/users/tables.ts"
import { builtWith, requests, spa } from "../../application/modules/idp/provider.ts"
import { configured, including, makeProvider } from "../../application/modules/social/provider.ts"
import { shownBy, built as twoFactor } from "../../two-factor.ts"
import { password, rows, withVerified } from "../../world.ts"
import { served } from "../http/served.ts"
import type { Browse } from "./browse.ts"
import { addressOf, browse, lastUsedBy, origin, signUp } from "./browse.ts"

const provider = makeProvider()
/** Its metadata cannot be read. */
const unreachable = {
  id: "gone",
  issuer: "https://gone.invalid",
  client_id: "ours",
  client_secret: "a secret",
  redirect_uri: configured("gone").redirect_uri,
}
const success_redirect = "https://app.example.com/welcome"
const foreign = configured("foreign", { success_redirect: "https://elsewhere.example.com/" })
const { modules: withSocial } = including({
  providers: [configured("acme"), configured("sent", { success_redirect }), foreign, unreachable],
})
const instead = Layer.succeed(HttpClient.HttpClient, provider.client)
const world = {
  modules: [...withSocial, twoFactor, builtWith({ clients: [spa] })],
  instead,
  providers: ["acme", "sent", "gone"],
  settings: {
    trusted_origins: ["https://app.example.com"],
    links: mailLinks({ path: "/", routes: {} }, { public_url: origin, links: {} }, {}),
  },
}
const fromProvider = { "sec-fetch-site": "cross-site" }

/** Presses the button of a provider and signs in there: the address to which the provider sends the browser back. */
const throughProvider = Effect.fnUntraced(function* (browser: Browse, id: string, profile: Record<string, unknown>, from = "/sign-in") {
  const page = yield* browser.open(from)
  const form = page.forms.find(({ values }) => values["provider"] === id) ?? assert.fail(`no button for ${id}`)
  const answer = yield* browser.request("POST", form.to, { ...form.values, action: "social" })
  assert.strictEqual(answer.status, 200)
  const [, url = ""] = /<a class="button" href="([^"]+)"/.exec(answer.text) ?? []
  assert.match(answer.text, /<meta http-equiv="refresh" content="0; url=https:\/\/\w+\.example/)
  return `/api/auth/oauth/callback?${new URLSearchParams(provider.visit(url.replaceAll("&amp;", "&"), profile))}`
})

/** The request of a client that demands a new sign-in: the page that it leads to, and the address at which the browser resumes it. */
const demanding = Effect.fnUntraced(function* (browser: Browse) {
  const query = new URLSearchParams({ ...requests.spa, prompt: "login" })
  const { headers } = yield* browser.request("GET", `/api/auth/oauth2/authorize?${query}`)
  const page = new URL(headers.location ?? "about:blank")
  return { page: `${page.pathname}${page.search}`, resumption: page.searchParams.get("return_to") ?? assert.fail(page.href) }
})
const hasCode = (location = "") => new URL(location, origin).searchParams.has("code")

/** Where a sign-in ends that began by the API, after the provider and the second factor of app@example.com. */
const afterBoth = Effect.fnUntraced(function* (id: string, secret: string, targets: Record<string, string> = {}) {
  const browser = browse()
  const { url } = yield* browser.api("/sign-in/social", { provider: id, ...targets })
  // The second factor is for the first sign-in with an account.
  const profile = { uid: randomUUID(), mail: "app@example.com", confirmed: true }
  const answer = yield* back(browser, `/api/auth/oauth/callback?${new URLSearchParams(provider.visit(url, profile))}`)
  assert.strictEqual(answer.headers.location, "/sign-in/two-factor")
  yield* TestClock.adjust("30 seconds")
  const { to, values } = (yield* browser.open("/sign-in/two-factor")).forms[0] ?? assert.fail("no form")
  return yield* browser.request("POST", to, { ...values, action: "code", code: yield* shownBy(secret) })
})

const back = (browser: Browse, path: string) => browser.request("GET", path, undefined, fromProvider)

describe("the return from a provider", () => {
  it.layer(served({ ...world, pages: {} }))((it) => {
    it.effect("ends at the target of the visitor", () =>
      Effect.gen(function* () {
        const her = browse()
        const path = yield* throughProvider(
          her,
          "acme",
          { uid: "1", mail: "one@example.com", confirmed: true },
          "/sign-in?return_to=/account/links",
        )
        const answer = yield* back(her, path)
        assert.deepStrictEqual([answer.status, answer.headers.location], [303, "/account/links"])
        assert.strictEqual(yield* addressOf(her), "one@example.com")
        assert.strictEqual(lastUsedBy(her), "provider:acme")
      }),
    )

    it.effect("ends at success_redirect where the visitor wanted to go nowhere else", () =>
      Effect.gen(function* () {
        const her = browse()
        const answer = yield* back(her, yield* throughProvider(her, "sent", { uid: "2" }))
        assert.deepStrictEqual([answer.status, answer.headers.location], [200, undefined])
        assert.match(answer.text, /<meta http-equiv="refresh" content="0; url=https:\/\/app\.example\.com\/welcome">/)
        assert.strictEqual(lastUsedBy(her), "provider:sent")
      }),
    )

    it.effect("asks for the second factor", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her, "app@example.com")
        const user = (yield* rows(Users)).find(({ email }) => email === "app@example.com")
        yield* withVerified(user?.id ?? "")
        const { secret } = yield* her.api("/2fa/totp/enable", { password })
        yield* her.api("/2fa/totp/confirm", { code: yield* shownBy(secret) })

        const other = browse()
        const path = yield* throughProvider(other, "acme", { uid: "3", mail: "app@example.com", confirmed: true })
        const answer = yield* back(other, path)
        assert.deepStrictEqual([answer.status, answer.headers.location], [303, "/sign-in/two-factor"])
        assert.strictEqual(yield* addressOf(other), null)
        assert.isNull(lastUsedBy(other))

        const elsewhere = yield* afterBoth("sent", secret)
        assert.include(elsewhere.text, success_redirect)
        const named = yield* afterBoth("sent", secret, { return_to: "/account/sessions" })
        assert.strictEqual(named.headers.location, "/account/sessions")
        // A target of the operator's outside of the trusted origins.
        const foreign = yield* afterBoth("foreign", secret)
        assert.strictEqual(foreign.headers.location, "/account")
      }),
    )

    it.effect("meets the demand of the request that led to the provider, also after the second factor", () =>
      Effect.gen(function* () {
        const her = browse()
        const { page, resumption } = yield* demanding(her)
        const path = yield* throughProvider(her, "acme", { uid: "4", mail: "four@example.com", confirmed: true }, page)
        assert.strictEqual((yield* back(her, path)).headers.location, resumption)
        assert.isTrue(hasCode((yield* her.request("GET", resumption)).headers.location))

        const owner = browse()
        yield* signUp(owner, "factor@example.com")
        yield* withVerified((yield* rows(Users)).find(({ email }) => email === "factor@example.com")?.id ?? "")
        const app = yield* owner.api("/2fa/totp/enable", { password })
        yield* owner.api("/2fa/totp/confirm", { code: yield* shownBy(app.secret) })
        const other = browse()
        const asked = yield* demanding(other)
        const profile = { uid: "5", mail: "factor@example.com", confirmed: true }
        yield* back(other, yield* throughProvider(other, "acme", profile, asked.page))
        yield* TestClock.adjust("30 seconds")
        yield* other.press(yield* other.open("/sign-in/two-factor"), "code", { code: yield* shownBy(app.secret) })
        assert.isTrue(hasCode((yield* other.request("GET", asked.resumption)).headers.location))
        assert.strictEqual(lastUsedBy(other), "provider:acme")
      }),
    )

    it.effect("meets the demand of a request whose sign-in page is another one", () =>
      Effect.gen(function* () {
        const her = browse()
        const { resumption } = yield* demanding(her)
        const { url } = yield* her.api("/sign-in/social", { provider: "sent" })
        const answer = yield* back(her, `/api/auth/oauth/callback?${new URLSearchParams(provider.visit(url, { uid: "6" }))}`)
        assert.include(answer.text, success_redirect)
        assert.isTrue(hasCode((yield* her.request("GET", resumption)).headers.location))
      }),
    )

    it.effect("says on the sign-in page that it did not work", () =>
      Effect.gen(function* () {
        const her = browse()
        for (const path of [
          "/api/auth/oauth/callback?state=unknown&code=1",
          "/api/auth/oauth/callback?error=access_denied&state=x",
          "/api/auth/oauth/callback",
        ]) {
          const answer = yield* back(her, path)
          assert.deepStrictEqual([answer.status, answer.headers.location], [303, "/sign-in"], path)
          const page = yield* her.open("/sign-in")
          assert.match(page.problem, /did not work, or was cancelled/)
          assert.match(page.title, /^Error:/)
          assert.strictEqual((yield* her.open("/sign-in")).problem, "")
        }
      }),
    )

    it.effect("stays JSON for programs and for other methods", () =>
      Effect.gen(function* () {
        for (const accept of ["application/json", "*/*", "text/html;q=0, */*", undefined]) {
          const headers = accept === undefined ? {} : { accept }
          const { json, status } = yield* browse().request("GET", "/api/auth/oauth/callback?state=x&code=1", undefined, {
            accept: "",
            ...headers,
          })
          assert.deepStrictEqual([status, json?.error.code], [400, "invalid_state"], accept)
        }
      }),
    )
  })

  it.layer(served({ ...world, pages: {}, settings: { ...world.settings, cookie: { same_site: "Strict" } } }))((it) => {
    it.effect("continues by a page where a redirect would lack the session (SameSite=Strict)", () =>
      Effect.gen(function* () {
        const her = browse()
        const answer = yield* back(her, yield* throughProvider(her, "acme", { uid: "9" }))
        assert.strictEqual(answer.status, 200)
        assert.match(answer.text, /content="0; url=http:\/\/localhost:3000\/account"/)
        assert.match((answer.headers["set-cookie"] ?? []).join(), /__Host-session=[^;]+;[^,]*SameSite=Strict/)
      }),
    )
  })

  it.layer(served(world))((it) => {
    it.effect("is JSON without pages, for browsers too", () =>
      Effect.gen(function* () {
        const answer = yield* back(browse(), "/api/auth/oauth/callback?state=x&code=1")
        assert.deepStrictEqual([answer.status, answer.json.error.code], [400, "invalid_state"])
        assert.strictEqual((yield* browse().request("GET", "/sign-in")).json.error.code, "not_found")
      }),
    )
  })
})

describe("a provider that cannot be reached", () => {
  it.layer(served({ ...world, pages: {} }))((it) => {
    it.effect("is named as the problem, in the language of the visitor, and not the form", () =>
      Effect.gen(function* () {
        for (const [language, text] of [
          ["en", "This provider cannot be used at the moment."],
          ["de", "Dieser Anbieter ist im Moment nicht nutzbar."],
        ] as const) {
          const browser = browse()
          const page = yield* browser.open(`/sign-in?ui_locales=${language}`)
          const form = page.forms.find(({ values }) => values["provider"] === "gone") ?? assert.fail("no button")
          const answer = yield* browser.request("POST", form.to, { ...form.values, action: "social" })
          assert.strictEqual(answer.status, 502)
          assert.include(answer.text, text)
        }
      }),
    )
  })
})
