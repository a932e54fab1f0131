import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Consents } from "../../../../application/modules/idp/authorization/consent-table.ts"
import { AccessTokens, AuthorizationCodes, AuthorizationRequests, RefreshFamilies } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { administrators, builtWith, call, presented, requests, spa } from "./provider.ts"

const scopes = ["openid", "profile", "email", "offline_access"]
const app = {
  ...spa,
  scopes,
  refresh_tokens: true,
  consent: true,
  client_name: "The App",
  redirect_uris: [...spa.redirect_uris, "com.example.app:/callback"],
}
const first = { ...spa, client_id: "first", scopes, refresh_tokens: true }
const module = builtWith({ clients: [app, first] })
const modules = [...core, administrators, module]
const auth = AuthOf.make(modules)
const { oauth2Authorize, oauth2Consent, oauth2ConsentAllow, oauth2ConsentDeny } = module.endpoints
const { oauth2Grants, oauth2GrantsRevoke, oauth2Token, oauth2Userinfo, oauth2SelectAccount, oauth2Par } = module.endpoints

const links = {
  sign_in: "https://accounts.example.com/sign-in?to={return_to}",
  consent: "https://accounts.example.com/consent?request_uri={request_uri}&lang={ui_locales}",
  choose_account: "https://accounts.example.com/choose?request_uri={request_uri}",
}
const ruleOf = rulesOf(modules)
const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, { links })

const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)
type Browser = Pick<Effect.Success<ReturnType<typeof signedUp>>, "body">

/** The page or the client that the browser is sent to. */
const sent = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  const url = new URL(redirect)
  return { page: `${url.host}${url.pathname}`, query: Object.fromEntries(url.searchParams) as Record<string, string> }
})
const resumed = (their: Browser, { redirect }: { readonly redirect: string }) =>
  sent(their, Object.fromEntries(new URL(redirect, "http://localhost:3000").searchParams))

/** The reference with which the browser arrives at the page for the consent. */
const waiting = Effect.fnUntraced(function* (their: Browser, input: object = requests.spa) {
  yield* TestClock.adjust("1 second")
  const { page, query } = yield* sent(their, input)
  assert.strictEqual(page, "accounts.example.com/consent", JSON.stringify(query))
  yield* TestClock.adjust("1 second")
  return { request_uri: query["request_uri"] ?? "" }
})
const allowed = Effect.fnUntraced(function* (their: Browser, input: object = requests.spa) {
  const { query } = yield* resumed(their, yield* their.body(oauth2ConsentAllow, yield* waiting(their, input)))
  return query["code"] ?? assert.fail(JSON.stringify(query))
})
const exchanged = (code: string) => call(oauth2Token, presented.spa(code), null, auth)
const isValid = (access_token: string) =>
  Effect.match(call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth), { onSuccess: () => true, onFailure: () => false })
const offline = { ...requests.spa, scope: "openid offline_access" }

describe("a consent", () => {
  rule("is requested once, shows what the client requests, and is stored for these scopes", function* () {
    const ada = yield* signedUp()
    const reference = yield* waiting(ada, { ...requests.spa, scope: "openid email", ui_locales: "fr" })
    assert.deepStrictEqual(yield* ada.body(oauth2Consent, reference), {
      client: { client_id: "spa", client_name: "The App", client_uri: null, logo_uri: null, policy_uri: null, tos_uri: null },
      destination: "spa.example.com",
      scopes: [
        { scope: "openid", granted: false },
        { scope: "email", granted: false },
      ],
      organization: null,
    })
    const { page, query } = yield* resumed(ada, yield* ada.body(oauth2ConsentAllow, reference))
    assert.strictEqual(page, "spa.example.com/callback")
    assert.deepStrictEqual([query["state"], typeof query["code"]], ["xyz", "string"])
    assert.deepStrictEqual(yield* rows(AuthorizationRequests), [])

    assert.isString((yield* sent(ada, { ...requests.spa, scope: "email" })).query["code"])
    const more = yield* waiting(ada, { ...requests.spa, scope: "openid profile" })
    assert.deepStrictEqual((yield* ada.body(oauth2Consent, more)).scopes, [
      { scope: "openid", granted: true },
      { scope: "profile", granted: false },
    ])
    yield* ada.body(oauth2ConsentAllow, more)
    assert.isString((yield* sent(ada, { ...requests.spa, scope: "openid email profile" })).query["code"])
    yield* waiting(ada, offline)
    yield* waiting(yield* signedUp("bob@example.com"))
  })

  rule("is refused to the client without a page: with prompt=none, and in a service without pages", function* () {
    const ada = yield* signedUp()
    assert.strictEqual((yield* sent(ada, { ...requests.spa, prompt: "none" })).query["error"], "consent_required")
    yield* allowed(ada)
    assert.isString((yield* sent(ada, { ...requests.spa, prompt: "none" })).query["code"])
  })
  ruleOf("is required by the error alone where no page asks for it", function* () {
    const ada = yield* signedUp()
    assert.strictEqual((yield* sent(ada, requests.spa)).query["error"], "consent_required")
    assert.isString((yield* sent(ada, { ...requests.spa, client_id: "first", prompt: "consent" })).query["code"])
  })

  rule("is requested again by prompt=consent, once for each request, also for a client that needs none", function* () {
    const ada = yield* signedUp()
    yield* allowed(ada)
    yield* allowed(ada, { ...requests.spa, prompt: "consent" })
    yield* allowed(ada, { ...requests.spa, prompt: "consent" })
    yield* allowed(ada, { ...requests.spa, client_id: "first", prompt: "consent" })
    assert.lengthOf(yield* rows(Consents), 2)
    assert.isString((yield* sent(ada, { ...requests.spa, client_id: "first" })).query["code"])
  })

  rule("is requested again for every request of an app with a scheme of its own", function* () {
    const ada = yield* signedUp()
    const native = { ...requests.spa, redirect_uri: "com.example.app:/callback" }
    const reference = yield* waiting(ada, native)
    assert.strictEqual((yield* ada.body(oauth2Consent, reference)).destination, "com.example.app")
    yield* ada.body(oauth2ConsentAllow, reference)
    assert.strictEqual((yield* sent(ada, { ...native, prompt: "none" })).query["error"], "consent_required")
    yield* waiting(ada, native)
  })

  rule("follows a new sign-in of prompt=login, which is requested once", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1 second")
    const { page, query } = yield* sent(ada, { ...requests.spa, prompt: "login consent" })
    assert.strictEqual(page, "accounts.example.com/sign-in")
    yield* TestClock.adjust("1 second")
    yield* ada.body(endpoints.stepUp, { password })
    const next = yield* resumed(ada, { redirect: query["to"] ?? "" })
    assert.strictEqual(next.page, "accounts.example.com/consent")
    yield* TestClock.adjust("599 seconds")
    const done = yield* resumed(ada, yield* ada.body(oauth2ConsentAllow, { request_uri: next.query["request_uri"] }))
    assert.isString(done.query["code"])
  })

  rule("can be given for half an hour", function* () {
    const ada = yield* signedUp()
    const reference = yield* waiting(ada)
    yield* TestClock.adjust("1798 seconds")
    yield* ada.body(oauth2Consent, reference)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* ada.code(oauth2Consent, reference), "invalid_state")
    assert.strictEqual(yield* ada.code(oauth2ConsentAllow, reference), "invalid_state")
    assert.strictEqual(yield* ada.code(oauth2ConsentDeny, reference), "invalid_state")
    assert.deepStrictEqual(yield* rows(Consents), [])
  })

  rule("is not given by visitors, nor for unknown requests", function* () {
    const ada = yield* signedUp()
    const reference = yield* waiting(ada)
    assert.strictEqual(yield* browser(auth).code(oauth2ConsentAllow, reference), "unauthorized")
    for (const request_uri of ["", "urn:ietf:params:oauth:request_uri:x", "a\0b"])
      assert.strictEqual(yield* ada.code(oauth2ConsentAllow, { request_uri }), "invalid_state")
  })

  rule("can be denied: the client gets access_denied once, and the next request asks again", function* () {
    const ada = yield* signedUp()
    const reference = yield* waiting(ada)
    const back = yield* ada.body(oauth2ConsentDeny, reference)
    const { page, query } = yield* resumed(ada, back)
    assert.deepStrictEqual([page, query["error"], query["state"]], ["spa.example.com/callback", "access_denied", "xyz"])
    assert.deepStrictEqual([yield* rows(AuthorizationRequests), yield* rows(Consents)], [[], []])
    yield* waiting(ada)
  })

  rule("is not denied for the user by another user with the same reference", function* () {
    const ada = yield* signedUp()
    const reference = yield* waiting(ada)
    yield* (yield* signedUp("mallory@example.com")).body(oauth2ConsentDeny, reference)
    const { query } = yield* resumed(ada, yield* ada.body(oauth2ConsentAllow, reference))
    assert.isString(query["code"])
  })

  rule("covers a pushed request, which is answered once", function* () {
    const ada = yield* signedUp()
    const { request_uri } = yield* call(oauth2Par, requests.spa, null, auth)
    const pushed = { client_id: "spa", request_uri }
    const reference = yield* waiting(ada, pushed)
    assert.deepStrictEqual(reference, { request_uri })
    yield* TestClock.adjust("100 seconds")
    const { query } = yield* resumed(ada, yield* ada.body(oauth2ConsentAllow, reference))
    assert.isString(query["code"])
    assert.strictEqual(yield* ada.code(oauth2Authorize, pushed), "invalid_request")
  })

  rule("that is given twenty times at once is one", function* () {
    const ada = yield* signedUp()
    const reference = yield* waiting(ada)
    assert.deepStrictEqual(yield* atOnce(times(20, () => ada.body(oauth2ConsentAllow, reference))), { ok: 20 })
    assert.lengthOf(yield* rows(Consents), 1)
  })
})

describe("connected applications", () => {
  rule("list what the user has allowed, newest first", function* () {
    const ada = yield* signedUp()
    yield* allowed(ada)
    yield* allowed(ada, { ...requests.spa, client_id: "first", prompt: "consent", scope: "openid email" })
    const { grants } = yield* ada.body(oauth2Grants)
    assert.deepStrictEqual(
      grants.map(({ client, scopes }) => ({ name: client.client_name, id: client.client_id, scopes })),
      [
        { name: null, id: "first", scopes: ["openid", "email"] },
        { name: "The App", id: "spa", scopes: ["openid"] },
      ],
    )
    assert.deepStrictEqual((yield* (yield* signedUp("bob@example.com")).body(oauth2Grants)).grants, [])
  })

  rule("lose codes, refresh tokens and access tokens with the consent, and have to ask again", function* () {
    const ada = yield* signedUp()
    const { access_token, refresh_token } = yield* exchanged(yield* allowed(ada, offline))
    const code = (yield* sent(ada, requests.spa)).query["code"] ?? ""
    yield* (yield* signedUp("bob@example.com")).body(oauth2GrantsRevoke, { client_id: "spa" })
    assert.isTrue(yield* isValid(access_token))

    yield* ada.body(oauth2GrantsRevoke, { client_id: "spa" })
    yield* ada.body(oauth2GrantsRevoke, { client_id: "spa" })
    assert.isFalse(yield* isValid(access_token))
    for (const table of [Consents, RefreshFamilies, AccessTokens, AuthorizationCodes]) assert.deepStrictEqual(yield* rows(table), [])
    assert.strictEqual((yield* Effect.flip(exchanged(code)))._tag, "invalid_grant")
    const refresh = { grant_type: "refresh_token", refresh_token, client_id: "spa" }
    assert.strictEqual((yield* Effect.flip(call(oauth2Token, refresh, null, auth)))._tag, "invalid_grant")
    yield* waiting(ada)
  })

  rule("leave no token behind when the consent is revoked while codes and refresh tokens are used", function* () {
    const ada = yield* signedUp()
    const { refresh_token } = yield* exchanged(yield* allowed(ada, offline))
    const codes = yield* Effect.forEach(times(10, String), () => Effect.map(sent(ada, requests.spa), ({ query }) => query["code"] ?? ""))
    const refresh = () => call(oauth2Token, { grant_type: "refresh_token", refresh_token, client_id: "spa" }, null, auth)
    yield* atOnce([
      ...codes.slice(0, 5).map(exchanged),
      ...times(5, refresh),
      ...times(5, () => ada.body(oauth2Authorize, requests.spa)),
      ada.body(oauth2GrantsRevoke, { client_id: "spa" }),
      ...codes.slice(5).map(exchanged),
      ...times(5, refresh),
    ])
    for (const table of [Consents, RefreshFamilies, AccessTokens, AuthorizationCodes]) assert.deepStrictEqual(yield* rows(table), [])
  })

  rule("are removed with the user", function* () {
    const ada = yield* signedUp()
    yield* exchanged(yield* allowed(ada, offline))
    yield* ada.body(endpoints.deleteUser, { password })
    for (const table of [Consents, RefreshFamilies, AccessTokens]) assert.deepStrictEqual(yield* rows(table), [])
  })
})

describe("prompt=select_account", () => {
  const choosing = { ...requests.spa, client_id: "first", prompt: "select_account" }

  rule("leads to the page that chooses the account, once for each request", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1 second")
    const { page, query } = yield* sent(ada, choosing)
    assert.strictEqual(page, "accounts.example.com/choose")
    const back = yield* ada.body(oauth2SelectAccount, { request_uri: query["request_uri"] })
    assert.isString((yield* resumed(ada, back)).query["code"])
    assert.strictEqual((yield* sent(ada, choosing)).page, "accounts.example.com/choose")
  })

  rule("is satisfied by a new sign-in, and not by the choice of another session", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1 second")
    const { query } = yield* sent(ada, choosing)
    const reference = { request_uri: query["request_uri"] }
    const back = yield* (yield* signedUp("bob@example.com")).body(oauth2SelectAccount, reference)
    assert.strictEqual((yield* resumed(ada, back)).page, "accounts.example.com/choose")
    yield* TestClock.adjust("1 second")
    yield* ada.body(endpoints.stepUp, { password })
    assert.isString((yield* resumed(ada, back)).query["code"])
  })

  ruleOf("is refused without a page", function* () {
    const ada = yield* signedUp()
    assert.strictEqual((yield* sent(ada, choosing)).query["error"], "account_selection_required")
  })
})
