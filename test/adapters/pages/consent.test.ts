import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { mailLinks } from "../../../adapters/pages/mail-links.ts"
import { builtWith, requests, spa } from "../../application/modules/idp/provider.ts"
import { modules as everything } from "../../everything.ts"
import { password } from "../../world.ts"
import { ask } from "../http/served.ts"
import type { Browse, Shown } from "./browse.ts"
import { browse, origin, signedUp, withPages } from "./browse.ts"

const scopes = ["openid", "email", "looms:write", "organization"]
const app = {
  ...spa,
  scopes,
  consent: true,
  client_name: "The Loom & Sons",
  client_uri: "https://loom.example.com/",
  logo_uri: "https://cdn.example.com/logo.png",
  tos_uri: "https://loom.example.com/terms",
}
const modules = [...everything.filter(({ name }) => name !== "idp"), builtWith({ clients: [app, { ...spa, client_id: "first" }] })]
const trusted = { trusted_origins: ["https://cdn.example.com"] }
const links = mailLinks({ path: "/", routes: {} }, { public_url: origin, links: {} }, { idp: {}, multi_session: {}, organization: {} })

const asked = { ...requests.spa, scope: "openid email looms:write" }
const addressOf = (parameters: Record<string, string>) => `/api/auth/oauth2/authorize?${new URLSearchParams(parameters)}`
const request = addressOf(asked)
/** Sends the browser from a client to the page that the service answers with. */
const authorize = Effect.fnUntraced(function* (their: Browse, more: Record<string, string> = {}) {
  const { headers } = yield* their.request("GET", addressOf({ ...asked, ...more }))
  return yield* their.open((headers.location ?? "").slice(origin.length))
})

/** The address at which the browser resumes the request after the form. */
const resumedAt = ({ html }: Shown) => {
  const [, next = ""] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(html) ?? []
  assert.match(next, /^http:\/\/localhost:3000\/api\/auth\/oauth2\/authorize\?/)
  return next.replaceAll("&amp;", "&").slice(origin.length)
}

/** The parameters that the client gets after the form. */
const answered = Effect.fnUntraced(function* (their: Browse, page: Shown) {
  const { headers } = yield* their.request("GET", resumedAt(page))
  const { host, searchParams } = new URL(headers.location ?? "about:blank")
  assert.strictEqual(host, "spa.example.com")
  return searchParams
})

describe("the consent page", () => {
  it.layer(withPages(modules, { links, ...trusted }))((it) => {
    it.effect("is not shown for a request that cannot be answered: browsers get a page with the error, other callers JSON", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("rosalind@example.com")
        const foreign = request.replace("client_id=spa", "client_id=unknown")
        const address = request.replace("spa.example.com", "evil.example.com")
        for (const url of [foreign, address, "/api/auth/oauth2/logout?id_token_hint=x"]) {
          const page = yield* ada.open(url)
          assert.isAtLeast(page.status, 400)
          assert.match(page.text, /sent a wrong request.*For developers: invalid_\w+: \w/)
          assert.isUndefined(page.answer.headers.location)
          assert.property((yield* ask("GET", url)).json, "error")
        }
      }),
    )

    it.effect("says in words what a client wants, and leads back to the client with a code", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const page = yield* authorize(ada)
        assert.match(page.at, /^\/consent\?request_uri=/)
        assert.strictEqual(page.heading, "The Loom & Sons wants to use your account")
        for (const part of ["spa.example.com", "ada@example.com", "See your email address", "Use the permission looms:write"])
          assert.include(page.text, part)
        assert.match(page.html, /<bdi>The Loom &amp; Sons<\/bdi>: <a href="https:\/\/loom\.example\.com\/terms">Terms</)
        assert.include(page.html, '<img class="avatar" src="https://cdn.example.com/logo.png" alt=""')
        assert.include(page.answer.headers["content-security-policy"] ?? "", "img-src 'self' https://cdn.example.com;")
        assert.isTrue((yield* answered(ada, yield* ada.press(page, "allow"))).has("code"))

        yield* TestClock.adjust("1 minute")
        const again = yield* ada.press(page, "allow")
        assert.deepStrictEqual([again.status, again.heading], [400, "This request is no longer open"])
        assert.match(
          again.html,
          /<a class="button" href="https:\/\/loom\.example\.com\/"><span>Back to <bdi>The Loom &amp; Sons<\/bdi><\/span><\/a>/,
        )
        assert.notInclude((yield* ada.open("/consent?request_uri=unknown")).html, "loom.example.com")
        assert.isNull(yield* ada.request("GET", request).pipe(Effect.map(({ headers }) => /consent/.exec(headers.location ?? ""))))
      }),
    )

    it.effect("leads back to the client with access_denied after a refusal, and allows nothing without the token of the form", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("grace@example.com")
        const page = yield* authorize(ada)
        assert.strictEqual((yield* ada.request("POST", page.at, { action: "allow" })).status, 403)
        assert.strictEqual((yield* answered(ada, yield* ada.press(page, "deny"))).get("error"), "access_denied")
        assert.deepStrictEqual((yield* ada.api("/oauth2/grants")).grants, [])
      }),
    )

    it.effect("is shown after signing in", () =>
      Effect.gen(function* () {
        yield* signedUp("mary@example.com")
        const signIn = yield* authorize(browse())
        assert.match(signIn.at, /^\/sign-in\?return_to=/)
        const closed = yield* (yield* signedUp("joan@example.com")).open("/consent?request_uri=unknown")
        assert.deepStrictEqual([closed.status, closed.heading], [400, "This request is no longer open"])
      }),
    )

    it.effect("asks for the organization of the sign-in, and names it on the page for the consent", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("katherine@example.com")
        for (const slug of ["looms", "engines"]) yield* ada.api("/organization/create", { name: `The ${slug}`, slug })
        const page = yield* authorize(ada, { scope: "openid organization" })
        assert.match(page.at, /^\/choose-organization\?request_uri=/)
        assert.strictEqual(page.heading, "Choose an organization for The Loom & Sons")
        for (const part of ["The looms", "engines", "katherine@example.com"]) assert.include(page.text, part)
        const { headers } = yield* ada.request("GET", resumedAt(yield* ada.press(page, "choose")))
        const consent = yield* ada.open((headers.location ?? "").slice(origin.length))
        assert.include(consent.text, "You sign in for The looms")
        assert.include(consent.text, "See the organization that you sign in for, and your role there")
        assert.isTrue((yield* answered(ada, yield* ada.press(consent, "allow"))).has("code"))

        const left = yield* authorize(ada, { scope: "openid organization" })
        const gone = yield* ada.press(left, "choose", { organization_id: "unknown" })
        assert.include(gone.text, "You are no longer a member of this organization.")
        const closed = yield* ada.open("/choose-organization?request_uri=unknown")
        assert.deepStrictEqual([closed.status, closed.heading], [400, "This request is no longer open"])
      }),
    )

    it.effect("asks which account a client gets", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("choose@example.com")
        const page = yield* authorize(ada, { prompt: "select_account" })
        assert.match(page.at, /^\/choose-account\?request_uri=/)
        assert.match(page.html, /href="\/sign-in\?another=yes&amp;return_to=%2Fchoose-account%3Frequest_uri/)
        const chosen = yield* ada.press(page, "choose")
        assert.match(chosen.html, /content="0; url=http:\/\/localhost:3000\/api\/auth\/oauth2\/authorize/)
      }),
    )
  })
})

describe("the pages of a request that demands a new proof", () => {
  it.layer(withPages(modules, { links }))((it) => {
    const login = { client_id: "first", scope: "openid", prompt: "login" }
    /** Where the browser is sent when it opens the request again. */
    const resumed = Effect.fnUntraced(function* (their: Browse, page: Shown) {
      const { searchParams } = new URL(page.at, origin)
      const { headers } = yield* their.request("GET", searchParams.get("return_to")?.replace(origin, "") ?? assert.fail(page.at))
      return headers.location ?? ""
    })

    it.effect("lead back with a code after a step-up, a sign-in and a sign-up", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const stepUp = yield* authorize(ada, login)
        assert.match(stepUp.at, /^\/step-up\?return_to=/)
        assert.isTrue((yield* answered(ada, yield* ada.press(stepUp, "password", { password }))).has("code"))

        const visitor = browse()
        const signIn = yield* authorize(visitor, login)
        assert.match(signIn.at, /^\/sign-in\?return_to=/)
        const signedIn = yield* visitor.press(signIn, "password", { identifier: "ada@example.com", password })
        assert.isTrue((yield* answered(visitor, signedIn)).has("code"))

        const newcomer = browse()
        yield* authorize(newcomer, login)
        const signUp = yield* newcomer.press(yield* newcomer.open("/sign-up"), "sign_up", {
          email: "new@example.com",
          new_password: password,
        })
        assert.isTrue((yield* answered(newcomer, signUp)).has("code"))
      }),
    )

    it.effect("are shown again after a sign-in that leads elsewhere, or to another request", () =>
      Effect.gen(function* () {
        yield* signedUp("grace@example.com")
        const theirs = browse()
        const page = yield* authorize(theirs, login)
        const entered = { identifier: "grace@example.com", password }
        const elsewhere = yield* theirs.open("/sign-in?another=yes&return_to=/account/security")
        assert.strictEqual((yield* theirs.press(elsewhere, "password", entered)).at, "/account/security")
        assert.match(yield* resumed(theirs, page), /\/sign-in\?return_to=/)

        const other = browse()
        const first = yield* authorize(other, login)
        const second = yield* authorize(other, login)
        assert.isTrue((yield* answered(other, yield* other.press(second, "password", entered))).has("code"))
        assert.match(yield* resumed(other, first), /\/sign-in\?return_to=/)
        const stepUp = yield* other.open((yield* resumed(other, first)).slice(origin.length))
        assert.isTrue((yield* answered(other, yield* other.press(stepUp, "password", { password }))).has("code"))
      }),
    )

    it.effect("do not take the sign-in in one browser for that in another", () =>
      Effect.gen(function* () {
        const page = yield* authorize(browse(), login)
        const ada = yield* signedUp("mary@example.com")
        assert.match(yield* resumed(ada, page), /\/sign-in\?return_to=/)
      }),
    )
  })
})

describe("the applications of the account", () => {
  it.layer(withPages(modules, { links }))((it) => {
    it.effect("are listed with what they may do, until the user takes it back", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        assert.include((yield* ada.open("/account/applications")).text, "You have not allowed any application")
        yield* ada.press(yield* authorize(ada), "allow")
        const list = yield* ada.open("/account/applications")
        assert.include(list.text, "The Loom & Sons")
        assert.include(list.text, "See your email address")
        const revoked = yield* ada.press(list, "revoke")
        assert.include(revoked.text, "The application no longer has access.")
        assert.deepStrictEqual((yield* ada.api("/oauth2/grants")).grants, [])
      }),
    )
  })
})
