import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AuthorizationRequests } from "../../../../application/modules/idp/tables.ts"
import { multiSession } from "../../../../application/modules/multi_session/index.ts"
import { oneTimeToken } from "../../../../application/modules/one_time_token/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { FlowTarget } from "../../../../domain/sign-in/flow-target.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, isSignedIn, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { administrators, builtWith, call, requests, spa } from "./provider.ts"

// A decision and a proof of identity count for the request that led to them. An attacker stores a request beforehand, without a browser, and
// opens it later in the session of the user.

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
const app = {
  ...spa,
  consent: true,
  grant_types: ["authorization_code", deviceGrant],
  redirect_uris: [...spa.redirect_uris, "http://[::1]/callback", "http://localhost:4000/callback", "com.example.app:/callback"],
}
const first = { ...spa, client_id: "first" }
const module = builtWith({ clients: [app, first] })
const built = { oneTimeToken: oneTimeToken.build({ expires_in: 60 }), multiSession: multiSession.build({ max_sessions: 5 }) }
const modules = [...core, administrators, built.oneTimeToken, built.multiSession, module]
const auth = AuthOf.make(modules)
const { oauth2Authorize, oauth2ConsentAllow, oauth2ConsentDeny, oauth2DeviceAllow, oauth2DeviceAuthorization } = module.endpoints
const { oauth2GrantsRevoke, oauth2Par, oauth2SelectAccount } = module.endpoints

const links = {
  sign_in: "https://accounts.example.com/sign-in?request_uri={request_uri}",
  consent: "https://accounts.example.com/consent?request_uri={request_uri}",
  choose_account: "https://accounts.example.com/choose?request_uri={request_uri}",
}
const ruleOf = rulesOf(modules)
const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, { links })

const email = "ada@example.com"
const signedUp = (address = email) => signedUpTo(address, auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>

/** The page or the client that the browser is sent to, and whether with a code. */
const sent = Effect.fnUntraced(function* (their: Pick<Browser, "body">, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  const { searchParams, pathname, protocol } = new URL(redirect)
  const request_uri = searchParams.get("request_uri") ?? ""
  return { at: searchParams.has("code") ? "code" : `${protocol}${pathname}`, request_uri, error: searchParams.get("error") }
})
const at = (their: Pick<Browser, "body">, client_id: string, request_uri: string) =>
  Effect.map(sent(their, { client_id, request_uri }), (target) => target.at)

/** A request that an attacker stores without a browser of the user. */
const storedBefore = Effect.fnUntraced(function* (input: object) {
  const { at, request_uri } = yield* sent(browser(auth), input)
  assert.strictEqual(at, "https:/sign-in")
  yield* TestClock.adjust("2 seconds")
  return request_uri
})

/** The user begins a request, and arrives at the page for the decision. */
const waiting = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { at, request_uri } = yield* sent(their, input)
  assert.strictEqual(at, "https:/consent")
  yield* TestClock.adjust("1 second")
  return { request_uri }
})

describe("a decision for one request", () => {
  const native = { ...requests.spa, redirect_uri: "com.example.app:/callback" }
  const needing: Readonly<Record<string, { readonly client_id: string; readonly [parameter: string]: string }>> = {
    "with a scheme of an app": native,
    "with a loopback address": { ...requests.spa, redirect_uri: "http://127.0.0.1:6666/callback" },
    "with a loopback address of IPv6": { ...requests.spa, redirect_uri: "http://[::1]:6666/callback" },
    "with localhost": { ...requests.spa, redirect_uri: "http://localhost:4000/callback" },
    "with prompt=consent": { ...requests.spa, prompt: "consent" },
    "with prompt=consent of a client without consent": { ...requests.spa, client_id: "first", prompt: "consent" },
  }

  /** What the user decides about anything else than the attacker's request. */
  const others: Readonly<Record<string, (ada: Browser, input: object, earlier: string) => Effect.Effect<unknown, any, any>>> = {
    "another request of the client": (ada, input) =>
      Effect.flatMap(waiting(ada, input), (reference) => ada.body(oauth2ConsentAllow, reference)),
    "a device of the client": Effect.fnUntraced(function* (ada) {
      const { user_code } = yield* call(oauth2DeviceAuthorization, { client_id: "spa" }, null, auth)
      yield* ada.body(oauth2DeviceAllow, { user_code })
    }),
    "a request after the consent was revoked": Effect.fnUntraced(function* (ada, input) {
      yield* ada.body(oauth2ConsentAllow, yield* waiting(ada, input))
      yield* ada.body(oauth2GrantsRevoke, { client_id: "spa" })
      yield* ada.body(oauth2ConsentAllow, yield* waiting(ada, input))
    }),
    "this request in another session of the user": Effect.fnUntraced(function* (_, __, request_uri) {
      const elsewhere = browser(auth)
      yield* elsewhere.body(endpoints.signInEmail, { email, password })
      yield* elsewhere.body(oauth2ConsentAllow, { request_uri })
    }),
    "this request by another user": Effect.fnUntraced(function* (_, __, request_uri) {
      yield* (yield* signedUp("mallory@example.com")).body(oauth2ConsentAllow, { request_uri })
    }),
    "this request, and then against it": Effect.fnUntraced(function* (ada, _, request_uri) {
      yield* ada.body(oauth2ConsentAllow, { request_uri })
      yield* ada.body(oauth2ConsentDeny, { request_uri })
      yield* (yield* signedUp("mallory@example.com")).body(oauth2ConsentDeny, { request_uri })
    }),
  }

  for (const [form, input] of Object.entries(needing))
    for (const [what, decided] of Object.entries(others))
      rule(`${form} is not met by one about ${what}`, function* () {
        const ada = yield* signedUp()
        const request_uri = yield* storedBefore(input)
        yield* decided(ada, input, request_uri)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* at(ada, input.client_id, request_uri), "https:/consent")
        // The request itself can still be allowed, once.
        yield* ada.body(oauth2ConsentAllow, { request_uri })
        assert.strictEqual(yield* at(ada, input.client_id, request_uri), "code")
        assert.strictEqual(yield* ada.code(oauth2Authorize, { client_id: input.client_id, request_uri }), "invalid_request")
      })

  rule("is the last one", function* () {
    const ada = yield* signedUp()
    const reference = yield* waiting(ada, native)
    yield* ada.body(oauth2ConsentDeny, reference)
    yield* ada.body(oauth2ConsentAllow, reference)
    assert.strictEqual(yield* at(ada, "spa", reference.request_uri), "code")
    const denied = yield* waiting(ada, native)
    yield* ada.body(oauth2ConsentAllow, denied)
    yield* ada.body(oauth2ConsentDeny, denied)
    assert.strictEqual((yield* sent(ada, { client_id: "spa", ...denied })).error, "access_denied")
  })

  rule("is not taken for twenty others that were begun before it", function* () {
    const ada = yield* signedUp()
    const earlier = yield* Effect.forEach(times(20, String), () => storedBefore(native))
    const own = yield* waiting(ada, native)
    const visits = earlier.map((request_uri) => ada.body(oauth2Authorize, { client_id: "spa", request_uri }))
    assert.deepStrictEqual(yield* atOnce([ada.body(oauth2ConsentAllow, own), ...visits]), { ok: 21 })
    assert.deepStrictEqual(new Set(yield* Effect.forEach(earlier, (uri) => at(ada, "spa", uri))), new Set(["https:/consent"]))
    assert.strictEqual(yield* at(ada, "spa", own.request_uri), "code")
  })

  rule("about the account is not taken for another request", function* () {
    const ada = yield* signedUp()
    const choosing = { ...requests.spa, client_id: "first", prompt: "select_account" }
    const request_uri = yield* storedBefore(choosing)
    const own = yield* sent(ada, choosing)
    yield* ada.body(oauth2SelectAccount, { request_uri: own.request_uri })
    assert.strictEqual(yield* at(ada, "first", request_uri), "https:/choose")
    assert.strictEqual(yield* at(ada, "first", own.request_uri), "code")
  })
})

describe("a proof for one request", () => {
  const demands: Readonly<Record<string, object>> = {
    "prompt=login": { prompt: "login" },
    "prompt=login and max_age=1": { prompt: "login", max_age: "1" },
    "max_age=0": { max_age: "0" },
    "max_age=1": { max_age: "1" },
    "prompt=select_account": { prompt: "select_account" },
  }
  const signIn = (their: Pick<Browser, "body">) => their.body(endpoints.signInEmail, { email, password })
  const stepUp = (their: Pick<Browser, "body">) => their.body(endpoints.stepUp, { password })

  /** Proofs that have nothing to do with the attacker's request; each returns the browser with the newest session. */
  const unrelated: Readonly<Record<string, (ada: Browser, request_uri: string) => Effect.Effect<Pick<Browser, "body">, any, any>>> = {
    "a sign-in": (ada) => Effect.as(signIn(ada), ada),
    "a step-up": (ada) => Effect.as(stepUp(ada), ada),
    "a sign-up": () => signedUp("bob@example.com"),
    "a change of the password": (ada) =>
      Effect.as(
        ada.body(endpoints.changePassword, {
          current_password: password,
          new_password: "another fine password",
          revoke_other_sessions: true,
        }),
        ada,
      ),
    "a sign-in for another request": Effect.fnUntraced(function* (ada) {
      yield* sent(ada, { ...requests.spa, client_id: "first", prompt: "login" })
      yield* signIn(ada)
      return ada
    }),
    "a step-up on a page that leads elsewhere, in a browser that was led here": Effect.fnUntraced(function* (ada, request_uri) {
      yield* sent(ada, { client_id: "first", request_uri })
      yield* Effect.provideService(stepUp(ada), FlowTarget, "/account?next=x")
      yield* Effect.provideService(stepUp(ada), FlowTarget, null)
      return ada
    }),
    "a sign-in for this request in another browser": Effect.fnUntraced(function* (ada, request_uri) {
      const elsewhere = browser(auth)
      yield* sent(elsewhere, { client_id: "first", request_uri })
      yield* signIn(elsewhere)
      return ada
    }),
    "a sign-in for this request, handed over to another browser": Effect.fnUntraced(function* (ada, request_uri) {
      yield* sent(ada, { client_id: "first", request_uri })
      yield* stepUp(ada)
      const { token } = yield* ada.body(built.oneTimeToken.endpoints.oneTimeTokenGenerate)
      const other = browser(auth)
      yield* sent(other, { client_id: "first", request_uri })
      yield* other.body(built.oneTimeToken.endpoints.oneTimeTokenVerify, { token })
      return other
    }),
    "a sign-in for this request as another user in the same browser": Effect.fnUntraced(function* (ada, request_uri) {
      const { sessions } = yield* ada.body(built.multiSession.endpoints.multiSessionList)
      yield* sent(ada, { client_id: "first", request_uri })
      yield* ada.body(endpoints.signUpEmail, { email: "bob@example.com", password })
      yield* ada.body(built.multiSession.endpoints.multiSessionSetActive, { session_id: sessions[0]?.session_id })
      return ada
    }),
  }

  for (const [demand, parameters] of Object.entries(demands))
    for (const [what, proved] of Object.entries(unrelated))
      rule(`that demands ${demand} is not met by ${what}`, function* () {
        const ada = yield* signedUp()
        const request_uri = yield* storedBefore({ ...requests.spa, client_id: "first", ...parameters })
        const their = yield* proved(ada, request_uri)
        yield* TestClock.adjust("2500 millis")
        assert.isTrue(yield* isSignedIn(their))
        assert.include(["https:/sign-in", "https:/choose"], yield* at(their, "first", request_uri))
        // A step-up that the page leads to meets the demand, also when the user then takes some time.
        yield* Effect.orDie(
          Effect.catchTag(stepUp(their), "invalid_credentials", () => their.body(endpoints.stepUp, { password: "another fine password" })),
        )
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* at(their, "first", request_uri), "code")
      })

  rule("is noted by the target of a page before the cookie", function* () {
    const ada = yield* signedUp()
    const login = { ...requests.spa, client_id: "first", prompt: "login" }
    const [one, other] = [yield* sent(ada, login), yield* sent(ada, login)]
    for (const path of ["/api/auth/oauth2/authorize", "/consent", "https://accounts.example.com/choose-account"]) {
      const proof = stepUp(ada)
      yield* Effect.provideService(proof, FlowTarget, `${path}?${new URLSearchParams({ request_uri: one.request_uri })}`)
    }
    assert.strictEqual(yield* at(ada, "first", other.request_uri), "https:/sign-in")
    assert.strictEqual(yield* at(ada, "first", one.request_uri), "code")
  })

  rule("is made in one step with it: a removed request does not hinder the sign-in, and the reference ends with the answer", function* () {
    const ada = yield* signedUp()
    const { request_uri } = yield* sent(ada, { ...requests.spa, client_id: "first", prompt: "login" })
    const cookie = () => ada.jar.cookies["authorization_request"] ?? ada.jar.cookies["__Host-authorization_request"]
    assert.isNotEmpty(cookie())
    const racing = [...times(10, () => stepUp(ada)), ...times(10, () => ada.body(oauth2Authorize, { client_id: "first", request_uri }))]
    const { ok = 0, ...refused } = yield* atOnce(racing)
    assert.isAtLeast(ok, 1)
    assert.notProperty(refused, "internal_error")
    const again = browser(auth, ada.jar)
    yield* signIn(again)
    const left = yield* rows(AuthorizationRequests)
    if (left.length > 0) assert.strictEqual(yield* at(again, "first", request_uri), "code")
    assert.deepStrictEqual(yield* rows(AuthorizationRequests), [])
    assert.isEmpty(cookie() ?? "")
    yield* signIn(again)
  })
})

describe("a stored request", () => {
  rule("ends half an hour after it was made: visits, decisions and proofs do not extend it", function* () {
    const ada = yield* signedUp()
    const native = { ...requests.spa, redirect_uri: "com.example.app:/callback", prompt: "login select_account consent" }
    const { request_uri: pushed } = yield* call(oauth2Par, native, null, auth)
    const { request_uri: direct } = yield* sent(browser(auth), native)
    yield* TestClock.adjust("59 seconds")
    for (const request_uri of [pushed, direct]) {
      const reference = { client_id: "spa", request_uri }
      yield* sent(browser(auth), reference)
      yield* sent(ada, reference)
      yield* ada.body(endpoints.stepUp, { password })
      yield* ada.body(oauth2SelectAccount, { request_uri })
      yield* ada.body(oauth2ConsentAllow, { request_uri })
      yield* ada.body(oauth2ConsentDeny, { request_uri })
    }
    const lifetimes = (yield* rows(AuthorizationRequests)).map(
      (row) => row.expires_at.epochMilliseconds - row.requested_at.epochMilliseconds,
    )
    assert.deepStrictEqual(lifetimes, [1_800_000, 1_800_000])
    yield* TestClock.adjust("1741 seconds")
    for (const request_uri of [pushed, direct])
      assert.strictEqual(yield* ada.code(oauth2Authorize, { client_id: "spa", request_uri }), "invalid_request")
  })
})
