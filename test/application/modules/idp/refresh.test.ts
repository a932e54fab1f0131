import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { AccessTokens, AuthorizationCodes, RefreshAnswers, RefreshFamilies } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Module from "../../../../application/service/module.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, emails, endpoints, mailedToken, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { administrators, builtWith, call, issuer, presented, requests, root, spa, web } from "./provider.ts"

const scopes = ["openid", "profile", "email", "offline_access"]
const settings = { clients: [spa, web].map((client) => ({ ...client, scopes, refresh_tokens: true })) }

const serviceOf = (more: object = {}) => {
  const module = builtWith({ ...settings, ...more })
  const modules = [...core, administrators, module]
  return { module, auth: AuthOf.make(modules), rule: rulesOf(modules) }
}
const { module, auth, rule } = serviceOf()
const { oauth2Authorize, oauth2Token, oauth2Userinfo } = module.endpoints
const { adminBanUser, adminRemoveUser, adminRevokeUserSessions } = administrators.endpoints

const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>

const codeFor = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  return new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
})
const exchanged = (code: string) => call(oauth2Token, presented.spa(code), null, auth)
const offline = { ...requests.spa, scope: "openid offline_access" }

/** The first tokens of the public client. */
const begun = Effect.fnUntraced(function* (their: Browser, input: object = requests.spa) {
  return yield* exchanged(yield* codeFor(their, input))
})
const refreshed = (refresh_token = "", more: object = {}, service = auth) =>
  call(oauth2Token, { grant_type: "refresh_token", refresh_token, client_id: "spa", ...more }, null, service)
const refused = (refresh_token = "", more: object = {}) => Effect.map(Effect.flip(refreshed(refresh_token, more)), ({ _tag }) => _tag)
const isValid = (access_token: string) =>
  Effect.match(call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth), { onSuccess: () => true, onFailure: () => false })

const nothingLeft = Effect.gen(function* () {
  for (const table of [RefreshFamilies, RefreshAnswers, AccessTokens]) assert.lengthOf(yield* rows(table), 0, table.name)
})

describe("a refresh token", () => {
  rule("is issued for a code to a client with refresh tokens, with an access token of ten minutes", function* () {
    const ada = yield* signedUp()
    const { access_token, refresh_token = "", expires_in, id_token } = yield* begun(ada)
    assert.match(refresh_token, /^[\da-f-]{36}\.[\w-]{43}\.[\w-]{43}$/)
    assert.strictEqual(expires_in, 600)
    assert.isString(id_token)
    const stored = JSON.stringify([yield* rows(RefreshFamilies), yield* rows(AccessTokens)])
    for (const part of refresh_token.split(".").slice(1)) assert.notInclude(stored, part)
    yield* TestClock.adjust("599 seconds")
    assert.isTrue(yield* isValid(access_token))
    yield* TestClock.adjust("1 second")
    assert.isFalse(yield* isValid(access_token))
  })

  rule("notes its user as active when it is accepted, and nothing when it is refused", function* () {
    const noted: Array<string> = []
    const parts = () => ({ accepted: (user_id: string) => void noted.push(user_id) })
    const noting = Module.define({ name: "noting", settings: Module.NoSettings, parts }).build({})
    const service = AuthOf.make([...core, administrators, module, noting])
    const ada = yield* signedUp()
    const { refresh_token = "" } = yield* begun(ada)
    assert.strictEqual((yield* Effect.flip(refreshed(`${refresh_token}x`, {}, service)))._tag, "invalid_grant")
    assert.deepStrictEqual(noted, [])
    yield* refreshed(refresh_token, {}, service)
    assert.deepStrictEqual(noted, [ada.user.id])
  })

  rule("of a public client is replaced at each use, and the answer has the same subject and time of sign-in", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("5 seconds")
    const first = yield* begun(ada, { ...requests.spa, nonce: "n" })
    yield* TestClock.adjust("1000 seconds")
    const second = yield* refreshed(first.refresh_token)
    assert.notStrictEqual(second.refresh_token, first.refresh_token)
    assert.deepStrictEqual([second.token_type, second.scope, second.expires_in], ["Bearer", "openid", 600])
    const { iss, sub, aud, auth_time, nonce, iat } = decodeJwt(second.id_token ?? "")
    assert.deepStrictEqual(
      { iss, sub, aud, auth_time, nonce, iat },
      { iss: issuer, sub: ada.user.id, aud: "spa", auth_time: 0, nonce: undefined, iat: 1005 },
    )
    assert.isTrue(yield* isValid(second.access_token))
    assert.isString((yield* refreshed(second.refresh_token)).refresh_token)
    assert.strictEqual((yield* rows(RefreshFamilies))[0]?.generation, 3)
  })

  rule("of a client with a secret stays the same, and requires the secret", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada, requests.web)
    const { refresh_token = "" } = yield* call(oauth2Token, presented.web(code), null, auth)
    const own = { client_id: web.client_id, client_secret: web.client_secret }
    const answers = yield* Effect.all(
      times(20, () => refreshed(refresh_token, own)),
      { concurrency: "unbounded" },
    )
    for (const { access_token, ...rest } of answers) {
      assert.notProperty(rest, "refresh_token")
      assert.isTrue(yield* isValid(access_token))
    }
    assert.strictEqual(yield* refused(refresh_token, { ...own, client_secret: "x" }), "invalid_client")
    assert.strictEqual(yield* refused(refresh_token), "invalid_grant")
    yield* refreshed(refresh_token, own)
  })

  rule("is refused unless this service issued it, and a guess revokes nothing", function* () {
    const ada = yield* signedUp()
    const { refresh_token = "", access_token } = yield* begun(ada)
    const [id, secret = "", tag = ""] = refresh_token.split(".")
    const { refresh_token: another = "" } = yield* begun(ada)
    const [, otherSecret, otherTag] = another.split(".")
    for (const guess of [
      ...["x", access_token, `${refresh_token}x`, `${refresh_token}.`, ` ${refresh_token}`, `${id}.${secret}`, `${id}.${secret}.`],
      ...[`${id}.${tag}.${secret}`, `${id}.${otherSecret}.${otherTag}`, `${id}.${otherSecret}.${tag}`, "a\0b", "x".repeat(8192)],
    ]) {
      assert.strictEqual(yield* refused(guess), "invalid_grant", guess)
    }
    assert.strictEqual(yield* refused(""), "invalid_request")
    assert.lengthOf(yield* rows(RefreshFamilies), 2)
    yield* refreshed(refresh_token)
  })

  rule("narrows the scope of one access token, and never widens it", function* () {
    const ada = yield* signedUp()
    const { refresh_token: first } = yield* begun(ada, { ...requests.spa, scope: "openid email" })
    const narrow = yield* refreshed(first, { scope: "email" })
    assert.strictEqual(narrow.scope, "email")
    assert.notProperty(narrow, "id_token")
    assert.strictEqual(yield* refused(narrow.refresh_token, { scope: "openid profile" }), "invalid_scope")
    assert.strictEqual(yield* refused(narrow.refresh_token, { scope: " " }), "invalid_scope")
    assert.strictEqual((yield* refreshed(narrow.refresh_token)).scope, "openid email")
  })

  rule("is not for clients without `refresh_tokens`", function* () {
    const { auth: without, module: bare } = serviceOf({ clients: [spa, web] })
    const ada = yield* signedUp()
    const code = yield* codeFor(ada, { ...requests.spa, scope: "openid" })
    const tokens = yield* call(bare.endpoints.oauth2Token, presented.spa(code), null, without)
    assert.notProperty(tokens, "refresh_token")
    assert.strictEqual(
      (yield* Effect.flip(
        call(bare.endpoints.oauth2Token, { grant_type: "refresh_token", refresh_token: "x", client_id: "spa" }, null, without),
      ))._tag,
      "unsupported_grant_type",
    )
  })
})

describe("the end of refresh tokens", () => {
  rule("comes after two weeks without use, or 90 days after the sign-in", function* () {
    const ada = yield* signedUp()
    const { refresh_token: unused } = yield* begun(ada, offline)
    let { refresh_token } = yield* begun(ada, offline)
    yield* TestClock.adjust("1209599 seconds")
    refresh_token = (yield* refreshed(refresh_token)).refresh_token
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* refused(unused), "invalid_grant")
    for (const _ of times(5, String)) {
      yield* TestClock.adjust("1209598 seconds")
      refresh_token = (yield* refreshed(refresh_token)).refresh_token
    }
    yield* TestClock.adjust("518409 seconds")
    refresh_token = (yield* refreshed(refresh_token)).refresh_token
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* refused(refresh_token), "invalid_grant")
  })

  rule("is moved once a minute while a client with a secret uses its token", function* () {
    const code = yield* codeFor(yield* signedUp(), { ...requests.web, scope: "offline_access" })
    const { refresh_token = "" } = yield* call(oauth2Token, presented.web(code), null, auth)
    const own = { client_id: web.client_id, client_secret: web.client_secret }
    const end = Effect.map(rows(RefreshFamilies), ([family]) => family?.expires_at)
    const before = yield* end
    yield* TestClock.adjust("59 seconds")
    yield* refreshed(refresh_token, own)
    assert.deepStrictEqual(yield* end, before)
    yield* TestClock.adjust("1 second")
    yield* refreshed(refresh_token, own)
    assert.notDeepEqual(yield* end, before)
  })

  rule("is the end of the session, unless the scope is offline_access", function* () {
    const ada = yield* signedUp()
    const bound = yield* begun(ada)
    const free = yield* begun(ada, offline)
    yield* ada.body(endpoints.signOut)
    assert.strictEqual(yield* refused(bound.refresh_token), "invalid_grant")
    assert.deepStrictEqual([yield* isValid(bound.access_token), yield* isValid(free.access_token)], [false, true])
    const { access_token } = yield* refreshed(free.refresh_token)
    assert.isTrue(yield* isValid(access_token))
  })

  const revoked: ReadonlyArray<readonly [string, (their: Browser, administrator: Browser) => Effect.Effect<unknown, any, any>]> = [
    ["a ban", (their, administrator) => administrator.body(adminBanUser, { user_id: their.user.id })],
    [
      "an administrator's sign-out of the user",
      (their, administrator) => administrator.body(adminRevokeUserSessions, { user_id: their.user.id }),
    ],
    ["the removal of the user", (their, administrator) => administrator.body(adminRemoveUser, { user_id: their.user.id })],
    ["the end of all sessions", (their) => their.body(endpoints.revokeSessions)],
    ["the end of all other sessions", (their) => their.body(endpoints.revokeOtherSessions)],
    [
      "a change of the password that ends sessions",
      (their) => their.body(endpoints.changePassword, { current_password: password, new_password: password, revoke_other_sessions: true }),
    ],
    [
      "a password reset",
      (their) =>
        Effect.gen(function* () {
          yield* their.body(endpoints.requestPasswordReset, { email: their.user.email })
          yield* emails
          yield* browser(auth).body(endpoints.resetPassword, { token: yield* mailedToken, new_password: password })
        }),
    ],
  ]
  for (const [name, revoke] of revoked) {
    rule(`${name} ends those with offline_access too`, function* () {
      const administrator = yield* signedUp(root)
      const ada = yield* signedUp()
      const { refresh_token, access_token } = yield* begun(ada, offline)
      const { refresh_token: bobs } = yield* begun(yield* signedUp("bob@example.com"), offline)
      yield* revoke(ada, administrator) as Effect.Effect<unknown>
      assert.strictEqual(yield* refused(refresh_token), "invalid_grant")
      assert.isFalse(yield* isValid(access_token))
      yield* refreshed(bobs)
    })
  }
})

describe("a lost answer", () => {
  rule("is repeated within ten seconds, and no further token is issued", function* () {
    const ada = yield* signedUp()
    const { refresh_token } = yield* begun(ada)
    const { expires_in, ...answer } = yield* refreshed(refresh_token)
    assert.strictEqual(expires_in, 600)
    yield* TestClock.adjust("9999 millis")
    const [before, answers] = [yield* rows(AccessTokens), yield* rows(RefreshAnswers)]
    const repeated = yield* refreshed(refresh_token)
    assert.deepStrictEqual(repeated, { ...answer, expires_in: 590 })
    assert.deepStrictEqual([yield* rows(AccessTokens), yield* rows(RefreshAnswers)], [before, answers])
    assert.notInclude(JSON.stringify(answers), answer.access_token)
    yield* refreshed(answer.refresh_token)
  })

  rule("is not repeated later, to another request or after its successor was used: all tokens are revoked", function* () {
    const ada = yield* signedUp()
    const late = yield* begun(ada)
    yield* refreshed(late.refresh_token)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* refused(late.refresh_token), "invalid_grant")
    yield* nothingLeft

    const other = yield* begun(ada, { ...requests.spa, scope: "openid email" })
    const narrowed = yield* refreshed(other.refresh_token, { scope: "email" })
    assert.strictEqual(yield* refused(other.refresh_token), "invalid_grant")
    assert.strictEqual(yield* refused(narrowed.refresh_token), "invalid_grant")
    yield* nothingLeft

    const old = yield* begun(ada)
    const used = yield* refreshed(old.refresh_token)
    const newest = yield* refreshed(used.refresh_token)
    assert.strictEqual(yield* refused(old.refresh_token), "invalid_grant")
    assert.strictEqual(yield* refused(newest.refresh_token), "invalid_grant")
    assert.isFalse(yield* isValid(newest.access_token))
    yield* nothingLeft
  })

  rule("is removed by the sweeper after the grace window", function* () {
    const { refresh_token } = yield* begun(yield* signedUp())
    yield* refreshed(refresh_token)
    yield* TestClock.adjust("10 seconds")
    yield* (yield* Store).sweep(new Date(10_000), 100)
    assert.lengthOf(yield* rows(RefreshAnswers), 0)
  })
})

describe("concurrent refreshes", () => {
  rule("twenty of one token rotate once, and all get the same answer", function* () {
    const { refresh_token } = yield* begun(yield* signedUp())
    const answers = yield* Effect.all(
      times(20, () => refreshed(refresh_token)),
      { concurrency: "unbounded" },
    )
    for (const answer of answers) assert.deepStrictEqual(answer, answers[0])
    assert.strictEqual((yield* rows(RefreshFamilies))[0]?.generation, 2)
    assert.lengthOf(yield* rows(AccessTokens), 2)
    yield* refreshed(answers[0]?.refresh_token)
  })

  const strict = serviceOf({ refresh_token_grace: 0 })
  strict.rule("twenty of one token without a grace window reveal a reuse, and all tokens are revoked", function* () {
    const { refresh_token } = yield* begun(yield* signedUp())
    const tokens: Array<string> = []
    const own = (token = "") =>
      call(strict.module.endpoints.oauth2Token, { grant_type: "refresh_token", refresh_token: token, client_id: "spa" }, null, strict.auth)
    const outcome = yield* atOnce(
      times(20, () => Effect.tap(own(refresh_token), (answer) => Effect.sync(() => tokens.push(answer.refresh_token ?? "")))),
    )
    assert.deepStrictEqual(outcome, { ok: 1, invalid_grant: 19 })
    assert.strictEqual((yield* Effect.flip(own(tokens[0])))._tag, "invalid_grant")
    yield* nothingLeft
  })

  rule("of a code leave nothing: the replay revokes the refresh tokens", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada, offline)
    const { refresh_token, access_token } = yield* exchanged(code)
    const { refresh_token: next } = yield* refreshed(refresh_token)
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual((yield* Effect.flip(exchanged(code)))._tag, "invalid_grant")
    assert.isFalse(yield* isValid(access_token))
    assert.strictEqual(yield* refused(next), "invalid_grant")
    yield* nothingLeft
    const another = yield* codeFor(ada, offline)
    assert.deepStrictEqual(yield* atOnce(times(20, () => exchanged(another))), { ok: 1, invalid_grant: 19 })
    yield* nothingLeft
  })

  rule("and a ban: nothing lives afterwards", function* () {
    const administrator = yield* signedUp(root)
    const ada = yield* signedUp()
    const begins = yield* Effect.forEach(times(5, String), () => begun(ada, offline))
    const codes = yield* Effect.forEach(times(5, String), () => codeFor(ada, offline))
    const refreshes = begins.map(({ refresh_token }) => refreshed(refresh_token))
    const exchanges = codes.map((code) => exchanged(code))
    const { ok = 0 } = yield* atOnce([
      ...refreshes.slice(3),
      ...exchanges.slice(3),
      administrator.call(adminBanUser, { user_id: ada.user.id }),
      ...exchanges.slice(0, 3),
      ...refreshes.slice(0, 3),
    ])
    assert.isAtLeast(ok, 1)
    assert.lengthOf(yield* rows(AuthorizationCodes), 0)
    yield* nothingLeft
  })

  rule("and a sign-out: nothing lives afterwards", function* () {
    const ada = yield* signedUp()
    const begins = yield* Effect.forEach(times(10, String), () => begun(ada))
    const refreshes = begins.map(({ refresh_token }) => refreshed(refresh_token))
    yield* atOnce([...refreshes.slice(5), ada.call(endpoints.signOut), ...refreshes.slice(0, 5)])
    yield* nothingLeft
  })

  rule("of a client in a loop leave at most a hundred access tokens, and a hundred sign-ins", function* () {
    const ada = yield* signedUp()
    const code = yield* codeFor(ada, { ...requests.web, scope: "offline_access" })
    const { refresh_token } = yield* call(oauth2Token, presented.web(code), null, auth)
    const own = { client_id: web.client_id, client_secret: web.client_secret }
    for (const _ of times(110, String)) yield* refreshed(refresh_token, own)
    assert.lengthOf(yield* rows(AccessTokens), 100)
    for (const _ of times(101, String)) yield* begun(ada, offline)
    assert.lengthOf(
      (yield* rows(RefreshFamilies)).filter(({ client_id }) => client_id === "spa"),
      100,
    )
  })
})
