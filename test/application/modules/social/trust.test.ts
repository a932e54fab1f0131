import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import * as Challenges from "../../../../domain/sign-in/challenges.ts"
import { PendingSignIns } from "../../../../domain/sign-in/challenges.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { age } from "../../../../examples/age.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  emails,
  endpoints,
  isSignedIn,
  linked,
  mailedToken,
  password,
  rows,
  Service,
  signedIn,
  signedUp,
  times,
  type WorldServices,
} from "../../../world.ts"
import { configured, including, makeProvider, waysIn } from "./provider.ts"

const {
  signInSocial,
  linkSocial,
  oauthCallback,
  modules: withSocial,
} = including({
  providers: [
    configured("acme"),
    configured("silent", { trust_email: "always" }),
    configured("distrusted", { trust_email: "never" }),
    ...["idp_one", "idp_two"].map((preset) => {
      const { id, scopes, map_user, ...rest } = configured(preset)
      return { preset, ...rest }
    }),
  ],
})
const { twoFactorTotpChallenge } = twoFactor.endpoints
const root = "root@example.com"
const administration = admin.build({ admin_emails: [root], admin_user_ids: [] })
const ageing = age.build({ minimum: 18 })
const modules = [...withSocial, twoFactor, administration]

const email = "ada@example.com"
const profile = { uid: "42", mail: email, confirmed: true }

type Back = ReturnType<typeof makeProvider>["visit"]

const rule = (
  name: string,
  shown: (visit: Back) => Generator<Effect.Effect<any, any, WorldServices>, unknown, never>,
  settings: Record<string, unknown> = {},
) =>
  rulesOf([...modules, ageing])(
    name,
    function* () {
      const { client, visit } = makeProvider()
      yield* TestClock.setTime(1_700_000_010_000)
      yield* Effect.gen(() => shown(visit)).pipe(
        Effect.provideService(HttpClient.HttpClient, client),
        Effect.provideService(Service, AuthOf.make(modules)),
      )
    },
    settings,
  )

const visitor = () => browser()
type Browser = ReturnType<typeof visitor>

/** The response to a sign-in with this profile. */
const entered = Effect.fnUntraced(function* (visit: Back, said: Record<string, unknown>, id = "acme", their: Browser = visitor()) {
  const { url } = yield* their.body(signInSocial, { provider: id })
  return yield* their.call(oauthCallback, visit(url, said))
})

const userOf = ({ body }: Effect.Success<ReturnType<typeof entered>>) => ("user" in body ? body.user : assert.fail(JSON.stringify(body)))

/** Ada, whose address is verified. */
const ada = Effect.gen(function* () {
  const their = yield* signedUp(email)
  yield* their.body(endpoints.sendVerificationEmail, { email })
  yield* their.body(endpoints.verifyEmail, { token: yield* mailedToken })
  return their
})

/** The same with an authenticator app. */
const adaWithApp = Effect.gen(function* () {
  const their = yield* ada
  const { secret, backup_codes } = yield* enrolled(their)
  return { ...their, secret, backup_codes }
})

const linkedAccounts = Effect.map(rows(Accounts), (all) =>
  all.flatMap(({ provider_id }) => (provider_id === "credential" ? [] : provider_id)),
)

describe("an address that a provider has not verified", () => {
  const claims: ReadonlyArray<readonly [provider: string, matching: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>]> = [
    ["acme", [true], [undefined, null, "true", "yes", 1, "false", false, {}]],
    ["silent", [true, undefined, null, "true"], ["false", false, 0, {}]],
    ["distrusted", [], [true, undefined, "true", false]],
  ]
  for (const [id, matching, other] of claims) {
    rule(`signs in no user who has it, and verifies nothing: ${id}`, function* (visit) {
      const { user } = yield* ada
      for (const [index, confirmed] of other.entries()) {
        const attacker = userOf(yield* entered(visit, { uid: `n${index}`, mail: email, confirmed }, id))
        assert.deepStrictEqual([attacker.email, attacker.email_verified], [`${id}:n${index}`, false], String(confirmed))
      }
      for (const [index, confirmed] of matching.entries())
        assert.strictEqual(userOf(yield* entered(visit, { uid: `y${index}`, mail: email, confirmed }, id)).id, user.id, String(confirmed))
      assert.strictEqual((yield* signedIn(email)).user.id, user.id)
    })
  }

  rule("stays free for its owner", function* (visit) {
    const attacker = userOf(yield* entered(visit, { uid: "1", mail: email }))
    assert.strictEqual(attacker.email, "acme:1")
    const { user } = yield* visitor().body(endpoints.signUpEmail, { email, password })
    assert.notStrictEqual(user.id, attacker.id)
  })

  rule("the presets are trusted unless they deny the verification", function* (visit) {
    const { user } = yield* ada
    assert.strictEqual(userOf(yield* entered(visit, { sub: "1", email }, "idp_one")).id, user.id)
    assert.strictEqual(userOf(yield* entered(visit, { id: 1, login: "ada", email }, "idp_two")).id, user.id)
    assert.strictEqual(userOf(yield* entered(visit, { sub: "2", email, email_verified: false }, "idp_one")).email, "idp_one:2")
  })

  rule("gives no administrator's rights: these need the explicit claim", function* (visit) {
    const { adminListUsers } = administration.endpoints
    for (const [id, said] of [
      ["idp_one", { sub: "1", email: root }],
      ["idp_one", { sub: "2", email: root, email_verified: "true" }],
      ["silent", { uid: "3", mail: root }],
      ["acme", { uid: "4", mail: root }],
    ] as const) {
      const their = visitor()
      assert.notStrictEqual(userOf(yield* entered(visit, said, id, their)).email, root)
      assert.strictEqual(yield* their.code(adminListUsers), "forbidden")
    }
    const their = visitor()
    assert.strictEqual(userOf(yield* entered(visit, { sub: "5", email: root, email_verified: true }, "idp_one", their)).email, root)
    yield* their.body(adminListUsers)
  })
})

describe("the first link of a provider's account", () => {
  rule("requires the second factor, and links nothing before it", function* (visit) {
    const { user, secret } = yield* adaWithApp
    const [sessions, notices] = [(yield* rows(Sessions)).length, (yield* emails).length]
    const their = visitor()
    const { challenge_token } = challengeIn(yield* entered(visit, profile, "acme", their))
    assert.isFalse(yield* isSignedIn(their))
    assert.lengthOf(yield* rows(Sessions), sessions)
    assert.deepStrictEqual(yield* linkedAccounts, [])
    assert.lengthOf(yield* emails, notices)

    const { user: same } = yield* their.body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    assert.strictEqual(same.id, user.id)
    assert.deepStrictEqual((yield* waysIn(their)).toSorted(), ["acme:42", "credential"])
  })

  rule("stays challenged after an attacker with the provider's account failed the challenge", function* (visit) {
    yield* adaWithApp
    for (const _ of times(3, String)) {
      const { challenge_token } = challengeIn(yield* entered(visit, profile))
      for (const _ of times(2, String))
        assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, backup_code: "wrong" }), "invalid_otp")
    }
    yield* TestClock.adjust("301 seconds")
    challengeIn(yield* entered(visit, profile))
    assert.deepStrictEqual(yield* linkedAccounts, [])
  })

  rule("waits 299 seconds for the second factor, and not 300", function* (visit) {
    const { backup_codes } = yield* adaWithApp
    const [first, second] = [challengeIn(yield* entered(visit, profile)), challengeIn(yield* entered(visit, profile))]
    yield* TestClock.adjust("300 seconds")
    const late = { challenge_token: first.challenge_token, backup_code: backup_codes[0] }
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, late), "invalid_token")
    assert.deepStrictEqual(yield* linkedAccounts, [])
    yield* TestClock.adjust("-1 seconds")
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token: second.challenge_token, backup_code: backup_codes[1] })
    assert.deepStrictEqual(yield* linkedAccounts, ["acme"])
  })

  rule("is challenged once: a linked account signs in from then on", function* (visit) {
    const { user, secret } = yield* adaWithApp
    const { challenge_token } = challengeIn(yield* entered(visit, profile))
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    for (const said of [profile, { uid: "42" }]) assert.strictEqual(userOf(yield* entered(visit, said)).id, user.id)
  })

  rule("is announced to the user, also without a second factor, and once", function* (visit) {
    const { user } = yield* ada
    const before = (yield* emails).length
    for (const _ of times(2, String)) assert.strictEqual(userOf(yield* entered(visit, profile)).id, user.id)
    const [notice, ...more] = (yield* emails).slice(before)
    assert.deepStrictEqual([notice?.to, more], [email, []])
    assert.match(notice?.subject ?? "", /^An account at another service was linked/)
    assert.include(notice?.text, "(Acme)")
    assert.notInclude(notice?.text, "42")
  })

  rule("is announced after the second factor, and not before", function* (visit) {
    const { secret } = yield* adaWithApp
    const before = (yield* emails).length
    const { challenge_token } = challengeIn(yield* entered(visit, profile))
    assert.lengthOf(yield* emails, before)
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    assert.lengthOf((yield* emails).slice(before), 1)
  })

  rule("ten concurrent ones are one link with one notice", function* (visit) {
    const { backup_codes } = yield* adaWithApp
    const before = (yield* emails).length
    const challenges = yield* Effect.forEach(backup_codes.slice(0, 8), (backup_code) =>
      Effect.map(entered(visit, profile), (reply) => ({ challenge_token: challengeIn(reply).challenge_token, backup_code })),
    )
    const tally = yield* atOnce(challenges.map((answer) => visitor().call(twoFactorTotpChallenge, answer)))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 7 })
    assert.deepStrictEqual(yield* linkedAccounts, ["acme"])
    assert.lengthOf((yield* emails).slice(before), 1)
  })

  rule("of several accounts concurrently does not exceed the accounts of a user", function* (visit) {
    const { user } = yield* ada
    yield* Effect.forEach(times(97, String), (index) => linked(user.id, `other${index}`))
    const backs = times(6, (index) => entered(visit, { ...profile, uid: `many${index}` }))
    assert.deepStrictEqual(yield* atOnce(backs), { ok: 2, invalid_request: 4 })
    assert.lengthOf(yield* rows(Accounts), 100)
  })

  rule("is invalid once another user has linked the account", function* (visit) {
    const { user, secret } = yield* adaWithApp
    const { challenge_token } = challengeIn(yield* entered(visit, profile))
    const bob = yield* signedUp("bob@example.com")
    const { url } = yield* bob.body(linkSocial, { provider: "acme" })
    yield* bob.body(oauthCallback, visit(url, profile))
    const answer = { challenge_token, code: yield* shownBy(secret) }
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
    const [account] = (yield* rows(Accounts)).filter(({ provider_id }) => provider_id === "acme")
    assert.notStrictEqual(account?.user_id, user.id)
  })

  rule("is invalid when another user links the account concurrently", function* (visit) {
    const { secret } = yield* adaWithApp
    const { user: bob } = yield* signedUp("bob@example.com")
    const { challenge_token } = challengeIn(yield* entered(visit, profile))
    const sessions = (yield* rows(Sessions)).length
    const store = yield* Store
    const [credential] = yield* rows(Accounts)
    const theirs = { ...credential!, id: "bob's", user_id: bob.id, provider_id: "acme", account_id: "42", password_hash: null }
    const first = yield* Effect.cached(Effect.orDie(store.commit([insert(Accounts, theirs)])))
    const late = Store.of({ ...store, commit: (writes) => Effect.andThen(first, store.commit(writes)) })
    const answer = visitor().code(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    assert.strictEqual(yield* Effect.provideService(answer, Store, late), "invalid_token")
    assert.lengthOf(yield* rows(Sessions), sessions)
  })

  rule("is invalid once the password was changed", function* (visit) {
    const their = yield* adaWithApp
    const { challenge_token } = challengeIn(yield* entered(visit, profile))
    yield* their.body(endpoints.changePassword, { current_password: password, new_password: "another fine password" })
    const answer = { challenge_token, code: yield* shownBy(their.secret) }
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
    assert.deepStrictEqual(yield* linkedAccounts, [])
  })

  rule("waits for every challenge", function* (visit) {
    const { secret } = yield* adaWithApp
    const their = browser(AuthOf.make([...modules, ageing]))
    const { url } = yield* their.body(signInSocial, { provider: "acme" })
    const first = challengeIn(yield* their.call(oauthCallback, visit(url, profile)))
    const answered = yield* their.call(twoFactorTotpChallenge, { challenge_token: first.challenge_token, code: yield* shownBy(secret) })
    const { challenge_token } = Schema.decodeUnknownSync(Schema.Struct(Challenges.ChallengeFields))(answered.body)
    assert.deepStrictEqual(yield* linkedAccounts, [])
    assert.lengthOf(yield* rows(PendingSignIns), 1)
    yield* their.body(ageing.endpoints.ageDeclare, { challenge_token, year: 1990 })
    assert.deepStrictEqual(yield* linkedAccounts, ["acme"])
    assert.isTrue(yield* isSignedIn({ body: browser(undefined, their.jar).body }))
  })

  rule(
    "is challenged, too, where the same sign-in proves the address",
    function* (visit) {
      const their = yield* adaWithApp
      const store = yield* Store
      const [held] = yield* rows(Users)
      yield* store.commit([{ _tag: "put", table: Users, row: { ...held!, email_verified: false } }])
      const { challenge_token } = challengeIn(yield* entered(visit, profile))
      assert.deepStrictEqual(yield* linkedAccounts, [])
      yield* visitor().body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(their.secret) })
      assert.deepStrictEqual(yield* linkedAccounts, ["acme"])
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule("of a never-verified account is not blocked by an attacker's hundred accounts", function* (visit) {
    const { user } = yield* signedUp(email)
    yield* Effect.forEach(times(99, String), (index) => linked(user.id, `other${index}`))
    assert.strictEqual(userOf(yield* entered(visit, profile)).id, user.id)
    assert.lengthOf(yield* rows(Accounts), 1)
  })
})
