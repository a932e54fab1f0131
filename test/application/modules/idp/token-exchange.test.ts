import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { Consents } from "../../../../application/modules/idp/authorization/consent-table.ts"
import { AccessTokens } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, endpoints, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { dpopKey, proved } from "./proofs.ts"
import { administrators, answer, builtWith, issuer, presented, requests, root, spa } from "./provider.ts"

const [own, second] = await Promise.all([dpopKey(), dpopKey()])
const grant_type = "urn:ietf:params:oauth:grant-type:token-exchange"
const accessToken = "urn:ietf:params:oauth:token-type:access_token"
const api = "https://api.example.com/v1"
const mail = "urn:example:mail"
const credentials = (client_id: string) => ({ client_id, client_secret: `the secret of ${client_id}` })
const scopes = ["openid", "email", "jobs", "offline_access"]
const service = {
  ...credentials("service"),
  grant_types: ["client_credentials", grant_type],
  resource_server: true,
  scopes: ["openid", "jobs", "reports"],
  resources: [api, mail],
}
const clients = [
  { ...spa, scopes, refresh_tokens: true, resources: [api] },
  { ...spa, client_id: "app", scopes, consent: true },
  service,
  { ...service, ...credentials("next"), access_token_format: "jwt", scopes: ["jobs"], access_token_ttl: 60 },
  { ...service, ...credentials("other"), resource_server: false },
  { ...service, ...credentials("plain"), grant_types: ["client_credentials"] },
]
const module = builtWith({ clients })
const modules = [...core, administrators, module, audit.build(Schema.decodeUnknownSync(audit.settings)({}))]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { oauth2Authorize, oauth2GrantsRevoke, oauth2Introspect, oauth2Revoke, oauth2Token, oauth2Userinfo, wellKnownOpenidConfiguration } =
  module.endpoints

const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>
type Headers = { readonly dpop?: string }

const token = (input: object, headers: Headers = {}) => Effect.map(answer(oauth2Token, input, null, auth, headers), ({ body }) => body)
const codeOf = <A, E extends AuthError, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }): string => _tag })
/** The tokens of the public client. */
const begun = Effect.fnUntraced(function* (their: Browser, more: object = {}, headers: Headers = {}) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...requests.spa, scope: "openid email jobs", ...more })
  return yield* token(presented.spa(new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)), headers)
})
const requested = (subject_token: string, more: object = {}) => ({
  grant_type,
  ...credentials("service"),
  subject_token,
  subject_token_type: accessToken,
  ...more,
})
const exchanged = (subject_token: string, more: object = {}, headers: Headers = {}) => token(requested(subject_token, more), headers)
const refused = (subject_token: string, more: object = {}, headers: Headers = {}) => codeOf(exchanged(subject_token, more, headers))
const ownToken = (client_id: string) => token({ grant_type: "client_credentials", ...credentials(client_id) })
const actedBy = (actor_token: string) => ({ actor_token, actor_token_type: accessToken })
const introspected = (token: string) =>
  Effect.map(answer(oauth2Introspect, { ...credentials("service"), token }, null, auth), ({ body }) => body)
const isActive = (token: string) => Effect.map(introspected(token), ({ active }) => active)

describe("token exchange", () => {
  rule("gives a client a token for the user of another client's token: impersonation", function* () {
    const ada = yield* signedUp()
    const { access_token: subject } = yield* begun(ada)
    const { access_token, ...rest } = yield* exchanged(subject)
    assert.deepStrictEqual(rest, { issued_token_type: accessToken, token_type: "Bearer", expires_in: 600, scope: "openid jobs" })
    const state = yield* introspected(access_token)
    assert.deepInclude(state, { active: true, sub: ada.user.id, client_id: "service", aud: issuer, scope: "openid jobs" })
    assert.notProperty(state, "act")
    assert.strictEqual(yield* codeOf(answer(oauth2Userinfo, {}, `Bearer ${access_token}`, auth)), "ok")
    assert.isTrue(yield* isActive(subject))
  })

  rule("names the actor, and nests prior actors: delegation", function* () {
    const ada = yield* signedUp()
    const bob = yield* signedUp("bob@example.com")
    const { access_token: subject } = yield* begun(ada)
    const first = yield* exchanged(subject, actedBy((yield* begun(bob)).access_token))
    assert.deepInclude(yield* introspected(first.access_token), { sub: ada.user.id, act: { sub: bob.user.id } })
    const actor = (yield* ownToken("service")).access_token
    const then = yield* exchanged(first.access_token, { ...actedBy(actor), ...credentials("next") })
    const act = { sub: "service", act: { sub: bob.user.id } }
    assert.deepInclude(decodeJwt<object>(then.access_token), { sub: ada.user.id, client_id: "next", scope: "jobs", exp: 60, act })
    assert.deepInclude(yield* introspected(then.access_token), { act })
    const impersonated = yield* exchanged(then.access_token, { scope: "jobs" })
    assert.deepInclude(yield* introspected(impersonated.access_token), { act })
    assert.strictEqual(yield* refused(subject, actedBy(first.access_token)), "invalid_request")
  })

  rule("is for clients with this grant, which authenticate themselves", function* () {
    const { access_token: subject } = yield* begun(yield* signedUp())
    assert.strictEqual(yield* refused(subject, credentials("plain")), "unsupported_grant_type")
    assert.strictEqual(yield* refused(subject, { client_secret: "x" }), "invalid_client")
    const { client_secret: _, ...bySpa } = requested(subject, { client_id: "spa" })
    assert.strictEqual(yield* codeOf(token(bySpa)), "unsupported_grant_type")
  })

  rule("accepts tokens of other clients from resource servers only", function* () {
    const { access_token: subject } = yield* begun(yield* signedUp())
    assert.strictEqual(yield* refused(subject, credentials("other")), "invalid_request")
    const { access_token } = yield* exchanged(subject, actedBy((yield* ownToken("other")).access_token))
    assert.strictEqual(yield* refused(access_token, credentials("other")), "invalid_request")
  })

  rule("accepts access tokens of users only, and issues access tokens only", function* () {
    const { access_token: subject, id_token = "", refresh_token = "" } = yield* begun(yield* signedUp())
    const machine = (yield* ownToken("service")).access_token
    const jwt = "urn:ietf:params:oauth:token-type:jwt"
    for (const [more, expected] of [
      [{ requested_token_type: accessToken }, "ok"],
      [{ requested_token_type: "urn:ietf:params:oauth:token-type:refresh_token" }, "invalid_request"],
      [{ subject_token: "" }, "invalid_request"],
      [{ subject_token: "x" }, "invalid_request"],
      [{ subject_token: machine }, "invalid_request"],
      [{ subject_token: refresh_token }, "invalid_request"],
      [{ subject_token: id_token }, "invalid_request"],
      [{ subject_token: id_token, subject_token_type: "urn:ietf:params:oauth:token-type:id_token" }, "invalid_request"],
      [{ subject_token_type: jwt }, "invalid_request"],
      [{ subject_token_type: undefined }, "invalid_request"],
      [{ subject_token: [subject, subject] }, "invalid_request"],
      [actedBy(machine), "ok"],
      [actedBy("x"), "invalid_request"],
      [{ actor_token: machine }, "invalid_request"],
      [{ actor_token_type: accessToken }, "invalid_request"],
      [{ actor_token: machine, actor_token_type: jwt }, "invalid_request"],
    ] as const) {
      assert.strictEqual(yield* refused(subject, more), expected, JSON.stringify(more))
    }
  })

  rule("never adds a scope, and issues none that the client may not have", function* () {
    const ada = yield* signedUp()
    const { access_token: subject } = yield* begun(ada, { scope: "openid email jobs offline_access" })
    assert.strictEqual((yield* exchanged(subject, { scope: "jobs" })).scope, "jobs")
    for (const scope of ["email", "reports", "jobs reports", "offline_access", " "])
      assert.strictEqual(yield* refused(subject, { scope }), "invalid_scope", scope)
    const { access_token: narrow } = yield* exchanged(subject, { scope: "jobs" })
    assert.strictEqual(yield* refused(narrow, { scope: "openid" }), "invalid_scope")
    const { access_token: other } = yield* begun(ada, { scope: "openid email" })
    assert.strictEqual(yield* refused(other, credentials("next")), "invalid_scope")
  })

  rule("changes the audience to resources of the client only", function* () {
    const ada = yield* signedUp()
    const { access_token: subject } = yield* begun(ada, { resource: api })
    const audOf = (more: object) => Effect.flatMap(exchanged(subject, more), ({ access_token }) => introspected(access_token))
    assert.strictEqual((yield* audOf({})).aud, api)
    assert.strictEqual((yield* audOf({ resource: mail })).aud, mail)
    assert.strictEqual((yield* audOf({ audience: mail })).aud, mail)
    assert.deepStrictEqual((yield* audOf({ audience: mail, resource: api })).aud, [mail, api])
    for (const more of [{ resource: "https://else.example" }, { audience: issuer }, { audience: [mail, "x"] }, { audience: " " }])
      assert.strictEqual(yield* refused(subject, more), "invalid_target", JSON.stringify(more))
    const kept = (yield* exchanged(subject)).access_token
    assert.strictEqual(yield* codeOf(answer(oauth2Userinfo, {}, `Bearer ${kept}`, auth)), "invalid_token")
  })

  rule("its token ends with the presented tokens at the latest", function* () {
    const ada = yield* signedUp()
    const { access_token: subject } = yield* begun(ada)
    const { access_token: actor } = yield* ownToken("next")
    yield* TestClock.adjust("20 seconds")
    const { access_token, expires_in } = yield* exchanged(subject, actedBy(actor))
    assert.strictEqual(expires_in, 40)
    const { access_token: longer, expires_in: rest } = yield* exchanged(subject)
    assert.strictEqual(rest, 580)
    yield* TestClock.adjust("39 seconds")
    assert.isTrue(yield* isActive(access_token))
    yield* TestClock.adjust("1 second")
    assert.isFalse(yield* isActive(access_token))
    assert.isTrue(yield* isActive(longer))
    yield* TestClock.adjust("540 seconds")
    assert.strictEqual(yield* refused(subject), "invalid_request")
  })

  rule("needs proof of the key of a bound token", function* () {
    const ada = yield* signedUp()
    const proof = (key = own) => proved(key, "/oauth2/token")
    const { access_token: subject } = yield* begun(ada, {}, yield* proof())
    assert.strictEqual(yield* refused(subject), "invalid_dpop_proof")
    assert.strictEqual(yield* refused(subject, {}, yield* proof(second)), "invalid_dpop_proof")
    const bound = yield* exchanged(subject, {}, yield* proof())
    assert.strictEqual(bound.token_type, "DPoP")
    assert.deepInclude(yield* introspected(bound.access_token), { cnf: { jkt: own.jkt } })
    const { access_token: free } = yield* begun(ada)
    assert.strictEqual(yield* refused(free, actedBy(subject)), "invalid_dpop_proof")
  })

  rule("is recorded with the user, the client and the actors", function* () {
    const { access_token: subject } = yield* begun(yield* signedUp())
    yield* exchanged(subject, actedBy((yield* ownToken("other")).access_token))
    const records = (yield* rows(Records)).filter(({ type }) => type === "token.exchanged")
    assert.strictEqual(records.length, 1)
    const [user] = yield* rows(Users)
    assert.deepInclude(records[0], { subject_kind: "user", subject_id: user?.id ?? "", client_id: "service" })
    assert.deepInclude(records[0]?.data, { actors: ["client:other"] })
  })

  rule("is bounded in its length", function* () {
    let { access_token } = yield* begun(yield* signedUp())
    for (const _ of times(10, String)) ({ access_token } = yield* exchanged(access_token))
    assert.isTrue(yield* isActive(access_token))
    assert.strictEqual(yield* refused(access_token), "invalid_request")
  })

  rule("is in the metadata if a configured client may use it", function* () {
    const other = builtWith({ clients: [spa] })
    const { body } = yield* answer(wellKnownOpenidConfiguration, {}, null, auth)
    assert.include(body.grant_types_supported, grant_type)
    const without = yield* answer(other.endpoints.wellKnownOpenidConfiguration, {}, null, AuthOf.make([...core, other]))
    assert.notInclude(without.body.grant_types_supported, grant_type)
  })
})

describe("the end of an exchanged token", () => {
  const chain = Effect.fnUntraced(function* (their: Browser, more: object = {}) {
    const { access_token: subject, refresh_token = "" } = yield* begun(their, more)
    const { access_token: actor } = yield* ownToken("service")
    const { access_token: first } = yield* exchanged(subject, actedBy(actor))
    const { access_token: last } = yield* exchanged(first)
    assert.isTrue(yield* isActive(last))
    return { subject, refresh_token, actor, first, last }
  })

  rule("comes with the revocation of any token before it", function* () {
    const ada = yield* signedUp()
    const revoked = (token: string, client: object) => answer(oauth2Revoke, { ...client, token }, null, auth)
    const one = yield* chain(ada)
    yield* revoked(one.subject, { client_id: "spa" })
    assert.isFalse(yield* isActive(one.first))
    assert.isFalse(yield* isActive(one.last))
    const two = yield* chain(ada)
    yield* revoked(two.actor, credentials("service"))
    assert.isFalse(yield* isActive(two.last))
    const three = yield* chain(ada)
    yield* revoked(three.first, credentials("service"))
    assert.isFalse(yield* isActive(three.last))
    assert.isTrue(yield* isActive(three.subject))
    assert.strictEqual(yield* refused(three.last), "invalid_request")
  })

  rule("comes with the session, and with the refresh tokens", function* () {
    const ada = yield* signedUp()
    const offline = yield* chain(ada, { scope: "openid jobs offline_access" })
    const { last } = yield* chain(ada)
    yield* ada.call(endpoints.signOut)
    assert.isFalse(yield* isActive(last))
    assert.isTrue(yield* isActive(offline.last))
    yield* answer(oauth2Revoke, { client_id: "spa", token: offline.refresh_token }, null, auth)
    assert.isFalse(yield* isActive(offline.last))
  })

  rule("comes with the session of an actor", function* () {
    const ada = yield* signedUp()
    const bob = yield* signedUp("bob@example.com")
    const { access_token: subject } = yield* begun(ada)
    const { access_token } = yield* exchanged(subject, actedBy((yield* begun(bob)).access_token))
    assert.isTrue(yield* isActive(access_token))
    yield* bob.call(endpoints.signOut)
    assert.isFalse(yield* isActive(access_token))
  })

  rule("a user who is banned leaves no token to exchange", function* () {
    const administrator = yield* signedUp(root)
    const ada = yield* signedUp()
    const { subject, last } = yield* chain(ada)
    yield* administrator.call(administrators.endpoints.adminBanUser, { user_id: ada.user.id })
    assert.isFalse(yield* isActive(last))
    assert.strictEqual(yield* refused(subject), "invalid_request")
    assert.deepStrictEqual(
      (yield* rows(AccessTokens)).filter(({ user_id }) => user_id === ada.user.id),
      [],
    )
  })

  rule("comes with the removal of the consent", function* () {
    const ada = yield* signedUp()
    const consent = { id: "1", user_id: ada.user.id, client_id: "app", scope: "openid jobs", granted_at: ada.user.created_at }
    yield* Effect.orDie((yield* Store).commit([insert(Consents, { ...consent, created_at: ada.user.created_at })]))
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, client_id: "app", scope: "openid jobs" })
    const code = new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
    const { access_token: subject } = yield* token({ ...presented.spa(code), client_id: "app" })
    const { access_token } = yield* exchanged(subject)
    yield* ada.call(oauth2GrantsRevoke, { client_id: "app" })
    assert.isFalse(yield* isActive(access_token))
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })
})

describe("an exchange concurrent with the end of its subject", () => {
  for (const [name, end] of [
    ["a sign-out", (their: Browser) => their.call(endpoints.signOut)],
    ["the end of all sessions", (their: Browser) => their.call(endpoints.revokeSessions)],
  ] as const) {
    rule(`${name} leaves no token`, function* () {
      const ada = yield* signedUp()
      const { access_token } = yield* begun(ada)
      const exchanges = times(10, () => exchanged(access_token))
      yield* atOnce([...exchanges.slice(5), end(ada), ...exchanges.slice(0, 5)])
      assert.lengthOf(yield* rows(AccessTokens), 0)
    })
  }

  rule("a ban leaves no token", function* () {
    const administrator = yield* signedUp(root)
    const ada = yield* signedUp()
    const { access_token } = yield* begun(ada)
    const exchanges = times(10, () => exchanged(access_token))
    const ban = administrator.call(administrators.endpoints.adminBanUser, { user_id: ada.user.id })
    yield* atOnce([...exchanges.slice(5), ban, ...exchanges.slice(0, 5)])
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })

  rule("a revocation leaves no valid token", function* () {
    const { access_token } = yield* begun(yield* signedUp())
    const issued: Array<string> = []
    const exchanges = times(10, () => Effect.tap(exchanged(access_token), (tokens) => Effect.sync(() => issued.push(tokens.access_token))))
    const revocation = answer(oauth2Revoke, { client_id: "spa", token: access_token }, null, auth)
    yield* atOnce([...exchanges.slice(5), revocation, ...exchanges.slice(0, 5)])
    for (const token of issued) assert.isFalse(yield* isActive(token))
  })

  rule("twenty exchanges at once all succeed", function* () {
    const { access_token } = yield* begun(yield* signedUp())
    assert.deepStrictEqual(yield* atOnce(times(20, () => exchanged(access_token))), { ok: 20 })
  })
})
