import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { emailOtp } from "../../../../application/modules/email_otp/index.ts"
import { oneTimeToken } from "../../../../application/modules/one_time_token/index.ts"
import { phone } from "../../../../application/modules/phone/index.ts"
import { social } from "../../../../application/modules/social/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { CodeSettings } from "../../../../domain/limits/codes.ts"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { authenticator } from "../../../passkeys.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, shownBy, step, built as twoFactor, verified } from "../../../two-factor.ts"
import {
  at,
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  mailedToken,
  password,
  rows,
  signedUp,
  times,
  type WorldServices,
  withoutPassword,
  withVerified,
} from "../../../world.ts"
import { added, answered, built as passkey } from "../passkey/passkeys.ts"
import { configured, makeProvider } from "../social/provider.ts"

const codes = Schema.decodeSync(CodeSettings)({})
const built = {
  emailOtp: emailOtp.build(codes),
  phone: phone.build(codes),
  oneTimeToken: oneTimeToken.build({ expires_in: 60 }),
  social: social.build(Schema.decodeUnknownSync(social.settings)({ providers: [configured("acme")] })),
  twoFactor,
  passkey,
}
const modules = [...core, ...Object.values(built)]
const { stepUp, signInEmail, changeEmail, unlinkAccount, changePassword, getSession, verifyEmail, revokeSessions } = endpoints
const { twoFactorTotpEnable, twoFactorTotpConfirm, twoFactorTotpChallenge, twoFactorTotpDisable, twoFactorTotpBackupCodes } =
  twoFactor.endpoints
const { passkeyRegisterOptions, passkeyRegisterVerify, passkeyRename, passkeyDelete } = passkey.endpoints
const { oneTimeTokenGenerate, oneTimeTokenVerify } = built.oneTimeToken.endpoints
const { signInSocial, linkSocial, oauthCallback } = built.social.endpoints

const email = "ada@example.com"
const stepUpAge = 600
const day = 86_400

type Browser = ReturnType<typeof browser>

/** The beginning of a time step, long after the first one. */
const start = 1_700_000_010_000
const rule = (...[name, shown, settings]: Parameters<ReturnType<typeof rulesOf>>) =>
  rulesOf(modules)(
    name,
    function* () {
      yield* TestClock.setTime(start)
      yield* Effect.gen(shown)
    },
    settings,
  )
const seconds = (count: number) => TestClock.adjust(count * 1000)

const mailedCode = Effect.map(emails, (all) => /\b\d{6}\b/.exec(all.at(-1)?.text ?? "")?.[0])

/** A user with a password and a verified address. */
const user = () => Effect.tap(signedUp(email), verified)

/** The same with an app, in a session that has just proved it, and in one without a sufficient proof. */
const owner = Effect.fnUntraced(function* () {
  const ada = yield* user()
  return { ...ada, ...(yield* enrolled(ada)) }
})
const staleOwner = Effect.fnUntraced(function* () {
  const ada = yield* owner()
  yield* seconds(stepUpAge)
  return ada
})

/** Whether a session may change factors: `/2fa/totp/enable` checks that before the password. */
const mayChangeFactors = (their: Browser) =>
  Effect.map(their.code(twoFactorTotpEnable, { password: "a wrong one" }), (code) => code !== "session_not_fresh")

/** A sign-in by an account at a provider that was linked before. */
const federated = Effect.fnUntraced(function* (ada: Browser) {
  const provider = makeProvider()
  const profile = { uid: "ada", mail: "ada@acme.example", confirmed: true, nick: "Ada" }
  const answering = Effect.provideService(HttpClient.HttpClient, provider.client)
  const linking = yield* ada.body(linkSocial, { provider: "acme" })
  yield* answering(ada.body(oauthCallback, provider.visit(linking.url, profile)))
  const their = browser()
  const { url } = yield* their.body(signInSocial, { provider: "acme" })
  yield* answering(their.body(oauthCallback, provider.visit(url, profile)))
  return their
})

describe("a stolen session", () => {
  rule("of a user with an app changes nothing permanent once its proof is ten minutes old", function* () {
    const ada = yield* staleOwner()
    const tries: ReadonlyArray<readonly [AnyEndpoint, object]> = [
      [twoFactorTotpDisable, { password }],
      [twoFactorTotpBackupCodes, { password }],
      [twoFactorTotpEnable, { password }],
      [twoFactorTotpConfirm, { code: yield* shownBy(ada.secret) }],
      [passkeyRegisterOptions, {}],
      [passkeyRegisterVerify, { response: authenticator().create(yield* passkeyOptions) }],
      [passkeyRename, { passkey_id: "some", name: "Mine" }],
      [passkeyDelete, { passkey_id: "some" }],
      [changeEmail, { new_email: "eve@example.com" }],
      [unlinkAccount, { provider_id: "credential" }],
      [linkSocial, { provider: "acme" }],
      [built.phone.endpoints.phoneVerify, { phone: "+15550100", otp: "000000" }],
    ]
    for (const [endpoint, input] of tries) assert.strictEqual(yield* ada.code(endpoint, input), "session_not_fresh", endpoint.path)
  })

  rule("of a user with a passkey changes no address after ten minutes, one without a factor does for a day", function* () {
    const ada = yield* user()
    const bob = yield* signedUp("bob@example.com")
    yield* added(ada, authenticator())
    yield* seconds(stepUpAge - 1)
    yield* ada.body(changeEmail, { new_email: "ada.l@example.com" })
    yield* seconds(1)
    assert.strictEqual(yield* ada.code(changeEmail, { new_email: email }), "session_not_fresh")
    yield* seconds(day - stepUpAge - 1)
    yield* bob.body(changeEmail, { new_email: "bob.m@example.com" })
    yield* seconds(1)
    assert.strictEqual(yield* bob.code(changeEmail, { new_email: "bob@example.com" }), "session_not_fresh")
    yield* bob.body(stepUp, { password })
    yield* bob.body(changeEmail, { new_email: "bob@example.com" })
  })

  rule("is not stepped up together with its owner's: the step-up replaces the token", function* () {
    const ada = yield* user()
    const thief = browser(undefined, { ...ada.jar })
    yield* seconds(stepUpAge)
    const { body, session } = yield* ada.call(stepUp, { password })
    assert.deepStrictEqual(body, { success: true })
    assert.isObject(session)
    assert.isTrue(yield* mayChangeFactors(ada))
    assert.isFalse(yield* isSignedIn(thief))
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("reveals nothing about the password by the step-up of a user with an app", function* () {
    const ada = yield* staleOwner()
    for (const typed of [password, "a wrong one"]) assert.strictEqual(yield* ada.code(stepUp, { password: typed }), "invalid_request")
    assert.isFalse(yield* mayChangeFactors(ada))
  })

  rule(
    "has no more guesses at a password or a code than a sign-in",
    function* () {
      const ada = yield* user()
      for (const _ of times(10, String)) assert.strictEqual(yield* ada.code(stepUp, { password: "a wrong one" }), "invalid_credentials")
      assert.strictEqual(yield* ada.code(stepUp, { password }), "rate_limited")
    },
    { rate_limit: { enabled: true } },
  )
})

const passkeyOptions = Effect.gen(function* () {
  const eve = yield* signedUp("eve@example.com")
  yield* verified(eve)
  return yield* eve.body(passkeyRegisterOptions)
})

describe("a sign-in is a proof", () => {
  rule("by password for ten minutes, until there is a second factor", function* () {
    const ada = yield* user()
    yield* seconds(stepUpAge - 1)
    const { secret } = yield* ada.body(twoFactorTotpEnable, { password })
    const elsewhere = browser()
    yield* elsewhere.body(signInEmail, { email, password })
    yield* ada.body(twoFactorTotpConfirm, { code: yield* shownBy(secret) })
    assert.isTrue(yield* mayChangeFactors(ada))
    assert.isFalse(yield* isSignedIn(elsewhere))
    yield* seconds(stepUpAge - 1)
    assert.isTrue(yield* mayChangeFactors(ada))
    yield* seconds(1)
    assert.isFalse(yield* mayChangeFactors(ada))
  })

  rule("by password and code for ten minutes", function* () {
    const ada = yield* staleOwner()
    const their = browser()
    const { challenge_token } = challengeIn(yield* their.call(signInEmail, { email, password }))
    yield* their.body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(ada.secret) })
    yield* seconds(stepUpAge - 1)
    assert.isTrue(yield* mayChangeFactors(their))
    yield* seconds(1)
    assert.isFalse(yield* mayChangeFactors(their))
  })

  rule("by passkey, also of a user with an app", function* () {
    const ada = yield* owner()
    const key = authenticator()
    yield* added(ada, key)
    const their = browser()
    yield* their.body(passkey.endpoints.passkeyAuthenticateVerify, { response: yield* answered(their, key) })
    assert.isTrue(yield* mayChangeFactors(their))
  })

  rule("by another service, unless the user has an app", function* () {
    const ada = yield* user()
    assert.isTrue(yield* mayChangeFactors(yield* federated(ada)))
    yield* enrolled(ada)
    const their = browser()
    const provider = makeProvider()
    const { url } = yield* their.body(signInSocial, { provider: "acme" })
    const profile = { uid: "ada", mail: "ada@acme.example", confirmed: true, nick: "Ada" }
    yield* their.body(oauthCallback, provider.visit(url, profile)).pipe(Effect.provideService(HttpClient.HttpClient, provider.client))
    assert.isFalse(yield* mayChangeFactors(their))
    assert.strictEqual(yield* their.code(changeEmail, { new_email: "eve@example.com" }), "session_not_fresh")
  })

  rule("and is not replaced by a new password for a user with an app", function* () {
    const ada = yield* owner()
    yield* ada.body(changePassword, { current_password: password, new_password: "another fine password", revoke_other_sessions: true })
    assert.isFalse(yield* mayChangeFactors(ada))
  })

  rule("and is copied with its age by a one-time token", function* () {
    const ada = yield* owner()
    const handed = Effect.gen(function* () {
      const their = browser()
      yield* their.body(oneTimeTokenVerify, yield* ada.body(oneTimeTokenGenerate))
      return their
    })
    yield* seconds(stepUpAge - step - 1)
    const early = yield* handed
    assert.isTrue(yield* mayChangeFactors(early))
    yield* seconds(1)
    assert.isFalse(yield* mayChangeFactors(early))
    assert.isFalse(yield* mayChangeFactors(yield* handed))
    yield* ada.body(stepUp, { code: yield* shownBy(ada.secret) })
    assert.isTrue(yield* mayChangeFactors(yield* handed))
    assert.isFalse(yield* mayChangeFactors(early))
  })
})

describe("step-up", () => {
  rule("accepts the password of a user without a second factor", function* () {
    const ada = yield* user()
    yield* added(ada, authenticator())
    yield* seconds(stepUpAge)
    assert.strictEqual(yield* browser().code(stepUp, { password }), "unauthorized")
    assert.strictEqual(yield* ada.code(stepUp, { password: "a wrong one" }), "invalid_credentials")
    assert.isFalse(yield* mayChangeFactors(ada))
    yield* ada.body(stepUp, { password })
    assert.isTrue(yield* mayChangeFactors(ada))
    const bob = yield* signedUp("bob@example.com")
    yield* withoutPassword(bob.user.id)
    assert.strictEqual(yield* bob.code(stepUp, { password }), "invalid_credentials")
  })

  rule("accepts a code of the app and a backup code, each once", function* () {
    const ada = yield* staleOwner()
    const code = yield* shownBy(ada.secret)
    const [backup_code] = ada.backup_codes
    for (const proof of [{ code }, { backup_code }]) {
      yield* ada.body(stepUp, proof)
      assert.isTrue(yield* mayChangeFactors(ada))
      assert.strictEqual(yield* ada.code(stepUp, proof), "invalid_otp")
      yield* seconds(stepUpAge)
      assert.isFalse(yield* mayChangeFactors(ada))
    }
    assert.strictEqual(yield* ada.code(stepUp, { code: "000000" }), "invalid_otp")
    const { challenge_token } = challengeIn(yield* browser().call(signInEmail, { email, password }))
    assert.strictEqual(yield* browser().code(twoFactorTotpChallenge, { challenge_token, backup_code }), "invalid_otp")
  })

  rule("accepts no code of an unconfirmed app", function* () {
    const ada = yield* user()
    const { secret, backup_codes } = yield* ada.body(twoFactorTotpEnable, { password })
    yield* seconds(stepUpAge)
    for (const proof of [{ code: yield* shownBy(secret) }, { backup_code: backup_codes[0] }])
      assert.strictEqual(yield* ada.code(stepUp, proof), "invalid_otp")
  })

  rule("accepts a passkey of the user, once, and no other user's", function* () {
    const ada = yield* owner()
    const bob = yield* signedUp("bob@example.com")
    const [hers, his] = [authenticator(), authenticator()]
    yield* added(ada, hers)
    yield* added(bob, his)
    yield* seconds(stepUpAge)
    assert.strictEqual(yield* ada.code(stepUp, { passkey: yield* answered(ada, his) }), "invalid_passkey")
    const response = yield* answered(ada, hers)
    yield* ada.body(stepUp, { passkey: response })
    assert.isTrue(yield* mayChangeFactors(ada))
    assert.strictEqual(yield* ada.code(stepUp, { passkey: response }), "invalid_passkey")
    assert.strictEqual(yield* ada.code(stepUp, { passkey: {} }), "invalid_request")
  })

  rule("accepts a code that was mailed to the user's own address, but not of a user with an app", function* () {
    const { emailOtpSend } = built.emailOtp.endpoints
    const ada = yield* user()
    yield* withoutPassword(ada.user.id)
    yield* seconds(stepUpAge)
    yield* browser().body(emailOtpSend, { email: "eve@example.com" })
    assert.strictEqual(yield* ada.code(stepUp, { otp: yield* mailedCode }), "invalid_otp")
    yield* ada.body(emailOtpSend, { email })
    const otp = yield* mailedCode
    yield* ada.body(stepUp, { otp })
    assert.strictEqual(yield* ada.code(stepUp, { otp }), "invalid_otp")
    yield* enrolled(ada, {})
    yield* ada.body(emailOtpSend, { email })
    assert.strictEqual(yield* ada.code(stepUp, { otp: yield* mailedCode }), "invalid_request")
  })

  rule("accepts no mailed code of a user with a password, and none for an address that was not verified before the sign-in", function* () {
    const { emailOtpSend } = built.emailOtp.endpoints
    const ada = yield* user()
    yield* ada.body(emailOtpSend, { email })
    assert.strictEqual(yield* ada.code(stepUp, { otp: yield* mailedCode }), "invalid_request")
    yield* withoutPassword(ada.user.id)
    yield* withVerified(ada.user.id, false)
    assert.strictEqual(yield* ada.code(stepUp, { otp: yield* mailedCode }), "invalid_request")
    yield* withVerified(ada.user.id)
    yield* ada.body(stepUp, { otp: yield* mailedCode })
  })

  rule("accepts no code that was mailed to an address which the session itself has set and verified", function* () {
    const { emailOtpSend, signInEmailOtp } = built.emailOtp.endpoints
    const ada = yield* user()
    yield* withoutPassword(ada.user.id)
    yield* seconds(day - 1)
    const thief = browser(undefined, { ...ada.jar })
    yield* thief.body(changeEmail, { new_email: "thief@example.com" })
    yield* thief.body(endpoints.sendVerificationEmail, { email: "thief@example.com" })
    yield* thief.body(verifyEmail, { token: yield* mailedToken })
    yield* thief.body(emailOtpSend, { email: "thief@example.com" })
    const otp = yield* mailedCode
    assert.strictEqual(yield* thief.code(stepUp, { otp }), "invalid_request")
    assert.isFalse(yield* mayChangeFactors(thief))

    // Nor does a sign-in by the new mailbox add a passkey or an app before the owner had a day to read the notice.
    const fresh = browser()
    yield* fresh.body(signInEmailOtp, { email: "thief@example.com", otp })
    assert.strictEqual(yield* fresh.code(passkeyRegisterOptions), "email_not_verified")
    const { secret } = yield* fresh.body(twoFactorTotpEnable)
    assert.strictEqual(yield* fresh.code(twoFactorTotpConfirm, { code: yield* shownBy(secret) }), "email_not_verified")
    yield* seconds(day - 1)
    const otpOf = Effect.andThen(browser().body(emailOtpSend, { email: "thief@example.com" }), mailedCode)
    yield* fresh.body(signInEmailOtp, { email: "thief@example.com", otp: yield* otpOf })
    assert.strictEqual(yield* fresh.code(passkeyRegisterOptions), "email_not_verified")
    yield* seconds(1)
    yield* fresh.body(passkeyRegisterOptions)
  })

  rule("by a factor still adds factors after a change of the address", function* () {
    const ada = yield* owner()
    yield* ada.body(changeEmail, { new_email: "ada@elsewhere.example" })
    assert.strictEqual(yield* ada.code(passkeyRegisterOptions), "email_not_verified")
    yield* withVerified(ada.user.id)
    yield* ada.body(passkeyRegisterOptions)
  })

  rule("accepts the owner's own mailed code although wrong codes of callers without a session have invalidated its sign-in", function* () {
    const { emailOtpSend, signInEmailOtp } = built.emailOtp.endpoints
    const ada = yield* user()
    yield* withoutPassword(ada.user.id)
    yield* seconds(stepUpAge)
    yield* ada.body(emailOtpSend, { email })
    const otp = yield* mailedCode
    for (const _ of [1, 2, 3]) assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp: "no code" }), "invalid_otp")
    assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp }), "invalid_otp")
    yield* browser().body(emailOtpSend, { email })
    assert.strictEqual(yield* ada.code(stepUp, { otp: yield* mailedCode }), "invalid_otp")
    yield* ada.body(stepUp, { otp })
    assert.strictEqual(yield* ada.code(stepUp, { otp }), "invalid_otp")
  })

  rule("requires exactly one proof", function* () {
    const ada = yield* staleOwner()
    const code = yield* shownBy(ada.secret)
    for (const given of [{}, { code: 7 }, { code, backup_code: ada.backup_codes[0] }, { code, password }, { nothing: "x" }])
      assert.strictEqual(yield* ada.code(stepUp, given), "invalid_request")
    yield* ada.body(stepUp, { code })
  })

  rule("loses a factor with its module", function* () {
    const ada = yield* staleOwner()
    const { stepUp: plain } = AuthOf.make(core).endpoints
    assert.isUndefined(Object.keys((plain!.input as unknown as { fields: object }).fields).find((member) => member !== "password"))
    yield* at(ada).body(stepUp, { password })
    assert.strictEqual(yield* at(ada).code(stepUp, { code: yield* shownBy(ada.secret) }), "invalid_request")
  })

  rule("renews one session, and keeps the user's others", function* () {
    const ada = yield* owner()
    const their = browser()
    const { challenge_token } = challengeIn(yield* their.call(signInEmail, { email, password }))
    yield* their.body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(ada.secret) })
    yield* seconds(stepUpAge)
    yield* ada.body(stepUp, { code: yield* shownBy(ada.secret) })
    assert.isTrue(yield* mayChangeFactors(ada))
    assert.isTrue(yield* isSignedIn(their))
    assert.isFalse(yield* mayChangeFactors(their))
  })

  rule("extends no session past max_lifetime from its sign-in, however often it is repeated", function* () {
    const ada = yield* user()
    const [before] = yield* rows(Sessions)
    for (const _ of times(29, String)) {
      yield* seconds(day)
      yield* ada.body(stepUp, { password })
    }
    const [after] = yield* rows(Sessions)
    assert.deepStrictEqual(after?.authenticated_at, before?.authenticated_at)
    assert.deepStrictEqual(after?.proved_at, yield* DateTime.now)
    yield* seconds(day - 1)
    assert.isTrue(yield* isSignedIn(ada))
    yield* seconds(1)
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("leaves the proof out of the session in its response", function* () {
    const ada = yield* user()
    const { session } = yield* ada.body(getSession)
    const shown = yield* Schema.encodeUnknownEffect(getSession.output)({ session, user: null })
    assert.sameMembers(Object.keys(shown.session ?? {}), ["id", "user_id", "expires_at", "created_at", "updated_at"])
  })

  rule("keeps a concurrently revoked session revoked", function* () {
    const ada = yield* user()
    const store = yield* Store
    const revoke = Effect.orDie(browser(undefined, { ...ada.jar }).body(revokeSessions))
    const once = yield* Effect.cached(Effect.provide(revoke, yield* Effect.context<WorldServices>()))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    assert.strictEqual(yield* ada.code(stepUp, { password }).pipe(Effect.provideService(Store, { ...store, commit })), "unauthorized")
    assert.lengthOf(yield* rows(Sessions), 0)
  })

  rule("concurrent ones: one returns the valid token", function* () {
    const ada = yield* user()
    const tabs = times(10, () => browser(undefined, { ...ada.jar }))
    assert.deepStrictEqual(yield* atOnce(tabs.map((tab) => tab.call(stepUp, { password }))), { ok: 1, unauthorized: 9 })
    assert.lengthOf(yield* Effect.filter(tabs, isSignedIn), 1)
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("concurrently, one code proves one session", function* () {
    const ada = yield* owner()
    const sessions = yield* Effect.forEach(times(5, String), () =>
      Effect.gen(function* () {
        const their = browser()
        yield* their.body(oneTimeTokenVerify, yield* ada.body(oneTimeTokenGenerate))
        return their
      }),
    )
    const code = yield* shownBy(ada.secret)
    assert.deepStrictEqual(yield* atOnce(sessions.map((their) => their.call(stepUp, { code }))), { ok: 1, invalid_otp: 4 })
  })
})

describe("the address", () => {
  rule("must be verified before a factor can be enrolled, and the pending sign-in still counts as a proof", function* () {
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* ada.code(passkeyRegisterOptions), "email_not_verified")
    yield* ada.body(endpoints.sendVerificationEmail, { email })
    yield* ada.body(verifyEmail, { token: yield* mailedToken })
    yield* ada.body(passkeyRegisterOptions)
  })
})
