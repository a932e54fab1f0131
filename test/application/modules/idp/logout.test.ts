import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { LogoutRequests } from "../../../../application/modules/idp/logout/logout-requests.ts"
import { ClientSessions } from "../../../../application/modules/idp/tokens/client-sessions.ts"
import { multiSession } from "../../../../application/modules/multi_session/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, isSignedIn, rows, signedUp as signedUpTo } from "../../../world.ts"
import { builtWith, call, presented, requests, spa, web } from "./provider.ts"

const out = "https://spa.example.com/out?from=here"
const client = { ...spa, post_logout_redirect_uris: [out] }
const other = { ...spa, client_id: "other", post_logout_redirect_uris: ["https://spa.example.com/other"] }
const framed = {
  ...web,
  post_logout_redirect_uris: ["https://web.example.com/out"],
  frontchannel_logout_uri: "https://web.example.com/frame?a=b",
  frontchannel_logout_session_required: true,
}
const plain = { ...spa, client_id: "plain", frontchannel_logout_uri: "https://spa.example.com/frame" }
const module = builtWith({ clients: [client, other, framed, plain] })
const sessions = multiSession.build(Schema.decodeUnknownSync(multiSession.settings)({}))
const modules = [...core, sessions, module]
const auth = AuthOf.make(modules)
const { oauth2Authorize, oauth2Token, oauth2Logout, oauth2LogoutForm, oauth2LogoutConfirm } = module.endpoints

const links = { sign_out: "https://accounts.example.com/sign-out?request={logout_request}&lang={ui_locales}" }
const ruleOf = rulesOf(modules)
const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, { links })
const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)
type Browser = Pick<Effect.Success<ReturnType<typeof signedUp>>, "body">

/** The ID token of a client for the session of a browser. */
const idTokenFor = Effect.fnUntraced(function* (their: Browser, client_id = "spa") {
  const isWeb = client_id === web.client_id
  const { redirect } = yield* their.body(oauth2Authorize, isWeb ? requests.web : { ...requests.spa, client_id })
  const code = new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
  const presentation = isWeb ? presented.web(code) : { ...presented.spa(code), client_id }
  return (yield* call(oauth2Token, presentation, null, auth)).id_token ?? assert.fail("no id_token")
})

const referenceOf = (page: string | null) => {
  const url = new URL(page ?? "")
  assert.strictEqual(`${url.host}${url.pathname}`, "accounts.example.com/sign-out")
  return { logout_request: url.searchParams.get("request") ?? "" }
}

describe("the claim sid", () => {
  rule("is the same for all ID tokens of a session at one client, and another one elsewhere", function* () {
    const ada = yield* signedUp()
    const sidFor = (their: Browser, client_id?: string) => Effect.map(idTokenFor(their, client_id), (token) => decodeJwt(token)["sid"])
    const sid = yield* sidFor(ada)
    assert.isString(sid)
    assert.strictEqual(yield* sidFor(ada), sid)
    assert.notStrictEqual(yield* sidFor(ada, "other"), sid)
    assert.notStrictEqual(yield* sidFor(yield* signedUp("bob@example.com")), sid)
    assert.deepStrictEqual(yield* rows(ClientSessions), [])
  })
})

describe("a client with an id_token of the session", () => {
  rule("ends the session at once, and gets the browser back with its state", function* () {
    const ada = yield* signedUp()
    const id_token_hint = yield* idTokenFor(ada)
    const { body, location, session } = yield* ada.call(oauth2Logout, { id_token_hint, post_logout_redirect_uri: out, state: "a b" })
    assert.strictEqual(location, `${out}&state=a+b`)
    assert.deepStrictEqual([body.redirect, session], [location, "clear"])
    assert.isFalse(yield* isSignedIn(ada))
    const again = yield* ada.call(oauth2Logout, { id_token_hint, post_logout_redirect_uri: out })
    assert.strictEqual(again.location, out)
  })

  rule("can use an expired one", function* () {
    const ada = yield* signedUp()
    const id_token_hint = yield* idTokenFor(ada)
    yield* TestClock.adjust("3601 seconds")
    yield* ada.call(oauth2Logout, { id_token_hint, client_id: "spa" })
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("stays on the page of this service without a post_logout_redirect_uri", function* () {
    const ada = yield* signedUp()
    const { body, location, text } = yield* ada.call(oauth2Logout, { id_token_hint: yield* idTokenFor(ada) })
    assert.deepStrictEqual([body.redirect, location], [null, undefined])
    assert.include(text?.content, "You are signed out.")
    assert.notInclude(text?.content, "refresh")
  })

  rule("can post its request, which the browser follows by a redirect that has its cookie", function* () {
    const ada = yield* signedUp()
    const input = { id_token_hint: yield* idTokenFor(ada), post_logout_redirect_uri: out }
    const { location = "" } = yield* browser(auth).call(oauth2LogoutForm, input)
    assert.match(location, /^\/api\/auth\/oauth2\/logout\?logout_request=[\w-]{43}$/)
    assert.isTrue(yield* isSignedIn(ada))
    const { location: target } = yield* ada.call(oauth2Logout, Object.fromEntries(new URLSearchParams(location.split("?")[1])))
    assert.strictEqual(target, out)
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("ends one session only, also where a browser has several", function* () {
    const ada = yield* signedUp()
    const elsewhere = yield* signedUp("bob@example.com")
    const hint = yield* idTokenFor(ada)
    yield* ada.call(oauth2Logout, { id_token_hint: hint })
    assert.isTrue(yield* isSignedIn(elsewhere))
    assert.deepStrictEqual((yield* ada.body(sessions.endpoints.multiSessionList)).sessions, [])
  })
})

describe("the user has to confirm", () => {
  const asksFor = Effect.fnUntraced(function* (their: Browser & ReturnType<typeof browser>, input: object) {
    const { body, location } = yield* their.call(oauth2Logout, input)
    assert.strictEqual(location, body.redirect)
    assert.isTrue(yield* isSignedIn(their))
    return referenceOf(body.redirect)
  })

  rule("a request without an id_token, after which the browser goes nowhere", function* () {
    const ada = yield* signedUp()
    for (const input of [{}, { client_id: "spa" }, { client_id: "spa", post_logout_redirect_uri: out, state: "x" }]) {
      const reference = yield* asksFor(ada, input)
      assert.isString(reference.logout_request)
    }
    const { body, session } = yield* ada.call(oauth2LogoutConfirm, yield* asksFor(ada, { ui_locales: "fr" }))
    assert.deepStrictEqual([body, session], [{ redirect: null, frames: [] }, "clear"])
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("the id_token of another session, after which the client gets the browser", function* () {
    const ada = yield* signedUp()
    const bob = yield* signedUp("bob@example.com")
    const input = { id_token_hint: yield* idTokenFor(bob), post_logout_redirect_uri: out, state: "x" }
    const { body } = yield* ada.call(oauth2LogoutConfirm, yield* asksFor(ada, input))
    assert.deepStrictEqual(body, { redirect: `${out}&state=x`, frames: [] })
    assert.isFalse(yield* isSignedIn(ada))
    assert.isTrue(yield* isSignedIn(bob))
  })

  rule("within ten minutes; later they are signed out and stay", function* () {
    for (const [seconds, redirect] of [
      [599, out],
      [600, null],
    ] as const) {
      const ada = yield* signedUp(`ada${seconds}@example.com`)
      const bob = yield* signedUp(`bob${seconds}@example.com`)
      const reference = yield* asksFor(ada, { id_token_hint: yield* idTokenFor(bob), post_logout_redirect_uri: out })
      yield* TestClock.adjust(`${seconds} seconds`)
      assert.deepStrictEqual(yield* ada.body(oauth2LogoutConfirm, reference), { redirect, frames: [] })
      assert.isFalse(yield* isSignedIn(ada))
    }
  })

  rule("and can sign out without any client, also twice", function* () {
    const ada = yield* signedUp()
    for (const input of [{}, {}, { logout_request: "a\0b" }])
      assert.deepStrictEqual(yield* ada.body(oauth2LogoutConfirm, input), { redirect: null, frames: [] })
    assert.isFalse(yield* isSignedIn(ada))
  })

  ruleOf("nothing where no page asks them", function* () {
    const ada = yield* signedUp()
    assert.strictEqual(yield* ada.code(oauth2Logout, {}), "forbidden")
    assert.isTrue(yield* isSignedIn(ada))
    yield* ada.call(oauth2Logout, { id_token_hint: yield* idTokenFor(ada) })
    assert.isFalse(yield* isSignedIn(ada))
  })
})

describe("a logout request is refused", () => {
  rule("with an altered id_token, one of another client, or a URI that is not registered for the client", function* () {
    const ada = yield* signedUp()
    const id_token_hint = yield* idTokenFor(ada)
    const [head = "", payload = "", signature = ""] = id_token_hint.split(".")
    for (const [input, code] of [
      [{ id_token_hint: `${head}.${payload}.${signature.slice(0, -4)}AAAA` }, "invalid_request"],
      [{ id_token_hint: "x" }, "invalid_request"],
      [{ id_token_hint: "a\0b" }, "invalid_request"],
      [{ id_token_hint, client_id: "other" }, "invalid_request"],
      [{ id_token_hint: [id_token_hint, id_token_hint] }, "invalid_request"],
      [{ id_token_hint, post_logout_redirect_uri: `${out}&more` }, "invalid_redirect_uri"],
      [{ id_token_hint, post_logout_redirect_uri: "https://spa.example.com/other" }, "invalid_redirect_uri"],
      [{ id_token_hint, post_logout_redirect_uri: "https://spa.example.com/callback" }, "invalid_redirect_uri"],
      [{ post_logout_redirect_uri: out }, "invalid_redirect_uri"],
      [{ client_id: "unknown", post_logout_redirect_uri: out }, "invalid_redirect_uri"],
      [{ logout_request: "unknown" }, "invalid_state"],
    ] as const) {
      for (const endpoint of [oauth2Logout, oauth2LogoutForm])
        assert.strictEqual(yield* Effect.map(Effect.flip(ada.call(endpoint as typeof oauth2Logout, input)), ({ _tag }) => _tag), code)
    }
    assert.isTrue(yield* isSignedIn(ada))
    assert.deepStrictEqual(yield* rows(LogoutRequests), [])
  })
})

describe("a stored logout request", () => {
  rule("ends after ten minutes, however often it is sent again", function* () {
    const ada = yield* signedUp()
    const { location = "" } = yield* browser(auth).call(oauth2LogoutForm, { id_token_hint: yield* idTokenFor(ada) })
    const reference = { logout_request: location.split("=")[1] ?? "" }
    const other = yield* signedUp("bob@example.com")
    for (const seconds of [1, 598]) {
      yield* TestClock.adjust(`${seconds} seconds`)
      assert.strictEqual((yield* browser(auth).call(oauth2LogoutForm, reference)).location, location)
      assert.deepStrictEqual(referenceOf((yield* other.body(oauth2Logout, reference)).redirect), reference)
    }
    assert.lengthOf(yield* rows(LogoutRequests), 1)
    yield* TestClock.adjust("1 second")
    for (const endpoint of [oauth2Logout, oauth2LogoutForm])
      assert.strictEqual(yield* ada.code(endpoint as typeof oauth2Logout, reference), "invalid_state")
    assert.isTrue(yield* isSignedIn(ada))
  })
})

describe("front-channel logout", () => {
  rule("loads the pages of the clients of the session in frames, and then goes back", function* () {
    const ada = yield* signedUp()
    const id_token_hint = yield* idTokenFor(ada, web.client_id)
    yield* idTokenFor(ada, "plain")
    yield* idTokenFor(yield* signedUp("bob@example.com"), "plain")
    const input = { id_token_hint, post_logout_redirect_uri: "https://web.example.com/out", state: '"><script>' }
    const { body, location, text } = yield* ada.call(oauth2Logout, input)
    assert.isUndefined(location)
    const iss = encodeURIComponent("http://localhost:3000/api/auth")
    const expected = [
      `https://web.example.com/frame?a=b&iss=${iss}&sid=${decodeJwt(id_token_hint)["sid"]}`,
      "https://spa.example.com/frame",
    ]
    assert.deepStrictEqual(body.frames.toSorted(), expected.toSorted())
    assert.include(text?.content, `content="3;url=https://web.example.com/out?state=%22%3E%3Cscript%3E"`)
    assert.notInclude(text?.content, "<script")
    const policy = text?.headers?.["content-security-policy"] ?? ""
    assert.sameMembers(/frame-src ([^;]+);/.exec(policy)?.[1]?.split(" ") ?? [], ["https://web.example.com", "https://spa.example.com"])
  })

  rule("gives the frames to the page on which the user confirms", function* () {
    const ada = yield* signedUp()
    yield* idTokenFor(ada, "plain")
    const { body } = yield* ada.call(oauth2LogoutConfirm)
    assert.deepStrictEqual(body, { redirect: null, frames: ["https://spa.example.com/frame"] })
  })
})
