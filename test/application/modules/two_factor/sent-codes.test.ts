import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { emailOtp } from "../../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../../application/modules/magic_link/index.ts"
import { passkey } from "../../../../application/modules/passkey/index.ts"
import { phone } from "../../../../application/modules/phone/index.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import { EmailFactors, SentCodes } from "../../../../application/modules/two_factor/sent-codes/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { PendingSignIns } from "../../../../domain/sign-in/challenges.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, shownBy, verified } from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  mailedCode,
  mailedToken,
  password,
  rows,
  signedUp,
  texts,
  times,
  withVerified,
} from "../../../world.ts"

const decoded = Schema.decodeUnknownSync
const built = twoFactor.build(decoded(twoFactor.settings)({ methods: ["totp", "email"], remember_browser: {} }))
const { twoFactorTotpChallenge, twoFactorTotpEnrol, twoFactorTotpDisable } = built.endpoints
const { twoFactorCodesSend, twoFactorCodesEnable, twoFactorCodesDisable, twoFactorCodesStatus } = built.endpoints
const codes = emailOtp.build(decoded(emailOtp.settings)({}))
const links = magicLink.build(decoded(magicLink.settings)({}))
const phones = phone.build(decoded(phone.settings)({}))
const root = "root@example.com"
const administration = admin.build(decoded(admin.settings)({ admin_emails: [root] }))
const { adminUsersResetFactors, adminUsersCredentials } = administration.endpoints
const modules = [...core, administration, built, codes, links, phones, passkey.build(decoded(passkey.settings)({}))]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)

const { signInEmail, stepUp, requestPasswordReset, resetPassword, changePassword } = endpoints
const email = "ada@example.com"
type Browser = ReturnType<typeof browser>
const visitor = () => browser(auth)
const method = "email"

/** A code that was sent for the session of a browser. */
const ownCode = Effect.fnUntraced(function* (their: Browser) {
  yield* their.body(twoFactorCodesSend, { method })
  return yield* mailedCode
})

/** A user whose sign-ins take a mailed code. */
const owner = Effect.fnUntraced(function* (address = email) {
  const ada = yield* signedUp(address, auth)
  yield* verified(ada)
  yield* ada.body(twoFactorCodesEnable, { method, code: yield* ownCode(ada), password })
  return ada
})

/** A sign-in with the password that waits for a code. */
const waiting = Effect.fnUntraced(function* (their: Browser, address = email) {
  return challengeIn(yield* their.call(signInEmail, { email: address, password }))
})

/** The same with a code that was sent. */
const sent = Effect.fnUntraced(function* (their: Browser) {
  const { challenge_token } = yield* waiting(their)
  yield* their.body(twoFactorCodesSend, { method, challenge_token })
  return { challenge_token, email_code: yield* mailedCode }
})

/** Another code than this one. */
const wrong = (code: string) => `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`

describe("the setting methods", () => {
  it.effect("is an app by default, and a list with a factor that can be required", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(twoFactor.settings)
      assert.deepStrictEqual((yield* decode({})).methods, ["totp"])
      for (const methods of [[], ["fax"], "totp", [1]]) yield* Effect.flip(decode({ methods }))
      for (const methods of [["email"], ["totp"], ["totp", "email"]]) yield* decode({ methods })
      assert.lengthOf(twoFactor.faults(yield* decode({ methods: ["email"], required: "admins" }), {} as never), 1)
      assert.lengthOf(twoFactor.faults(yield* decode({ methods: ["email"] }), {} as never), 0)
    }),
  )

  it("adds endpoints and tables only for what it names", () => {
    const paths = (methods: ReadonlyArray<string>) =>
      Object.values(twoFactor.build(decoded(twoFactor.settings)({ methods })).endpoints as object).map(({ path }) => path)
    assert.notInclude(paths(["totp"]).join(), "/2fa/codes")
    assert.include(paths(["email"]).join(), "/2fa/codes/send")
    for (const path of ["/2fa/totp/enable", "/2fa/totp/enrol"]) assert.notInclude(paths(["email"]), path)
    for (const path of ["/2fa/totp/challenge", "/2fa/totp/disable"]) assert.include(paths(["email"]), path)
  })
})

describe("codes by mail as a second factor", () => {
  rule("are turned on by a code that was just sent, which ends other sessions and is told by mail", function* () {
    const ada = yield* signedUp(email, auth)
    const other = visitor()
    yield* other.body(signInEmail, { email, password })
    assert.strictEqual(
      yield* ada.code(twoFactorCodesEnable, { method, code: yield* ownCode(ada).pipe(Effect.flip, Effect.as("")), password }),
      "email_not_verified",
    )
    yield* verified(ada)
    const code = yield* ownCode(ada)
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method, code }), "invalid_request")
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method, code, password: "not it" }), "invalid_credentials")
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method, code: wrong(code), password }), "invalid_otp")
    assert.strictEqual(yield* other.code(twoFactorCodesEnable, { method, code, password }), "invalid_otp")
    assert.deepStrictEqual(yield* ada.body(twoFactorCodesStatus), { methods: [{ method, enabled: false, recipient: "a•••@example.com" }] })
    yield* ada.body(twoFactorCodesEnable, { method, code, password })
    assert.deepStrictEqual(yield* ada.body(twoFactorCodesStatus), { methods: [{ method, enabled: true, recipient: "a•••@example.com" }] })
    assert.deepStrictEqual([yield* isSignedIn(ada), yield* isSignedIn(other)], [true, false])
    assert.include((yield* emails).at(-1)?.text ?? "", "takes a code that we send by email as well")
    assert.strictEqual((yield* rows(Sessions))[0]?.methods, "pwd otp")
    assert.strictEqual((yield* rows(SentCodes)).length, 0)
  })

  rule("need another way to sign in than by mail", function* () {
    const their = visitor()
    yield* their.body(codes.endpoints.emailOtpSend, { email })
    yield* their.body(codes.endpoints.signInEmailOtp, { email, otp: yield* mailedCode })
    assert.strictEqual(yield* their.code(twoFactorCodesEnable, { method, code: yield* ownCode(their) }), "invalid_request")
  })

  rule("complete a sign-in, for which the challenge shows a masked address", function* () {
    yield* owner()
    const their = visitor()
    const challenge = yield* waiting(their)
    assert.deepStrictEqual(challenge.methods, ["email"])
    assert.deepStrictEqual(challenge.code_recipients, { email: "a•••@example.com" })
    const answer = yield* sent(their)
    assert.strictEqual((yield* emails).at(-1)?.to, email)
    const { user } = yield* their.body(twoFactorTotpChallenge, answer)
    assert.strictEqual(user.email, email)
    const session = (yield* rows(Sessions)).at(-1)
    assert.deepStrictEqual([session?.multi_factor, session?.methods], [true, "pwd otp"])
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
  })

  rule("are valid for 300 seconds, and only with their own sign-in", function* () {
    yield* owner()
    const [first, second] = [yield* sent(visitor()), yield* sent(visitor())]
    assert.strictEqual(
      yield* visitor().code(twoFactorTotpChallenge, { ...first, email_code: second.email_code }),
      first.email_code === second.email_code ? "ok" : "invalid_otp",
    )
    yield* TestClock.adjust("299 seconds")
    yield* visitor().body(twoFactorTotpChallenge, first)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, second), "invalid_token")
  })

  rule("of a session are valid for 300 seconds", function* () {
    const ada = yield* signedUp(email, auth)
    yield* verified(ada)
    const code = yield* ownCode(ada)
    yield* TestClock.adjust("300 seconds")
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method, code, password }), "invalid_otp")
    const next = yield* ownCode(ada)
    yield* TestClock.adjust("299 seconds")
    yield* ada.body(twoFactorCodesEnable, { method, code: next, password })
  })

  rule("end with the third wrong guess; another code replaces them, and the fifth guess ends the sign-in", function* () {
    yield* owner()
    const their = visitor()
    const answer = yield* sent(their)
    const guess = (code: string) => their.code(twoFactorTotpChallenge, { ...answer, email_code: code })
    const guesses = [yield* guess(wrong(answer.email_code)), yield* guess("not a code"), yield* guess(wrong(answer.email_code))]
    assert.deepStrictEqual(
      [...guesses, yield* guess(answer.email_code)],
      times(4, () => "invalid_otp"),
    )
    yield* their.body(twoFactorCodesSend, { method, challenge_token: answer.challenge_token })
    const next = yield* mailedCode
    assert.strictEqual(yield* guess(wrong(next)), "invalid_otp")
    assert.deepStrictEqual([yield* guess(next), yield* rows(PendingSignIns)], ["invalid_token", []])
  })

  rule("are right after two wrong guesses", function* () {
    yield* owner()
    const their = visitor()
    const answer = yield* sent(their)
    for (const email_code of times(2, () => wrong(answer.email_code)))
      assert.strictEqual(yield* their.code(twoFactorTotpChallenge, { ...answer, email_code }), "invalid_otp")
    yield* their.body(twoFactorTotpChallenge, answer)
  })

  rule("are sent five times for one sign-in, also at once, and only the newest counts", function* () {
    yield* owner()
    const their = visitor()
    const { challenge_token, email_code } = yield* sent(their)
    const before = (yield* emails).length
    const sending = times(10, () => their.call(twoFactorCodesSend, { method, challenge_token }))
    assert.deepStrictEqual(yield* atOnce(sending), { ok: 4, rate_limited: 6 })
    assert.strictEqual((yield* emails).length, before + 4)
    const newest = yield* mailedCode
    if (newest !== email_code) assert.strictEqual(yield* their.code(twoFactorTotpChallenge, { challenge_token, email_code }), "invalid_otp")
    assert.strictEqual((yield* rows(SentCodes)).length, 1)
    yield* their.body(twoFactorTotpChallenge, { challenge_token, email_code: newest })
  })

  rule("give one session for twenty right answers at once", function* () {
    yield* owner()
    const answer = yield* sent(visitor())
    const outcomes = yield* atOnce(times(20, () => visitor().call(twoFactorTotpChallenge, answer)))
    assert.deepStrictEqual(outcomes, { ok: 1, invalid_token: 19 })
    assert.strictEqual((yield* rows(Sessions)).length, 2)
  })

  rule("are guessed three times, also at once", function* () {
    yield* owner()
    const answer = yield* sent(visitor())
    const guesses = times(20, () => visitor().call(twoFactorTotpChallenge, { ...answer, email_code: wrong(answer.email_code) }))
    yield* atOnce(guesses)
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
    assert.strictEqual((yield* rows(Sessions)).length, 1)
  })

  rule("are refused for 15 minutes after the tenth wrong one, over any number of sign-ins", function* () {
    yield* owner()
    for (const _ of times(10, String)) {
      const { challenge_token, email_code } = yield* sent(visitor())
      assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, email_code: wrong(email_code) }), "invalid_otp")
    }
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, yield* sent(visitor())), "rate_limited")
    yield* TestClock.adjust("899 seconds")
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, yield* sent(visitor())), "rate_limited")
    yield* TestClock.adjust("1 second")
    yield* visitor().body(twoFactorTotpChallenge, yield* sent(visitor()))
    assert.strictEqual((yield* rows(EmailFactors))[0]?.failures, 0)
  })

  rule("are sent to no other person: not without a challenge, a session, or the method", function* () {
    const eve = yield* signedUp("eve@example.com", auth)
    yield* owner()
    const before = (yield* emails).length
    assert.strictEqual(yield* visitor().code(twoFactorCodesSend, { method }), "unauthorized")
    assert.strictEqual(yield* visitor().code(twoFactorCodesSend, { method, challenge_token: "x" }), "invalid_token")
    yield* verified(eve)
    const { secret } = yield* enrolled(eve, undefined, built)
    const { challenge_token, methods } = yield* waiting(visitor(), "eve@example.com")
    assert.deepStrictEqual(methods, ["totp", "backup_code"])
    assert.strictEqual(yield* visitor().code(twoFactorCodesSend, { method, challenge_token }), "invalid_request")
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, email_code: "123456" }), "invalid_token")
    assert.strictEqual((yield* emails).filter(({ to }) => to === email).length, before)
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
  })

  rule("stand beside the app, and are not needed after a passkey or without the password", function* () {
    const ada = yield* owner()
    const { secret } = yield* enrolled(ada, undefined, built)
    const their = visitor()
    const challenge = yield* waiting(their)
    assert.deepStrictEqual(challenge.methods, ["totp", "backup_code", "email"])
    const { challenge_token } = challenge
    const both = { challenge_token, code: yield* shownBy(secret), email_code: "1" }
    assert.strictEqual(yield* their.code(twoFactorTotpChallenge, both), "invalid_request")
    yield* their.body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    yield* their.body(twoFactorTotpChallenge, yield* sent(visitor()))
  })

  rule("cannot be passed by the enrolment of an app", function* () {
    yield* owner()
    const { challenge_token } = yield* waiting(visitor())
    assert.strictEqual(yield* visitor().code(twoFactorTotpEnrol, { challenge_token }), "invalid_token")
  })

  rule("are refused while the address is not verified", function* () {
    const ada = yield* owner()
    const { challenge_token, email_code } = yield* sent(visitor())
    yield* withVerified(ada.user.id, false)
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, email_code }), "invalid_token")
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "second_factor_unavailable")
  })

  rule("have a browser remembered, which also admits a sign-in by mail", function* () {
    yield* owner()
    const their = visitor()
    yield* their.body(twoFactorTotpChallenge, { ...(yield* sent(their)), remember_browser: true })
    assert.notProperty(yield* their.body(signInEmail, { email, password }), "challenge_token")
    yield* their.body(codes.endpoints.emailOtpSend, { email })
    assert.notProperty(yield* their.body(codes.endpoints.signInEmailOtp, { email, otp: yield* mailedCode }), "challenge_token")
    yield* visitor().body(codes.endpoints.emailOtpSend, { email })
    const otp = yield* mailedCode
    assert.strictEqual(yield* visitor().code(codes.endpoints.signInEmailOtp, { email, otp }), "second_factor_unavailable")
  })

  rule("are reset by administrators, who see them among the credentials", function* () {
    const { user } = yield* owner()
    const user_id = user.id
    const her = yield* signedUp(root, auth)
    yield* verified(her)
    const { second_factor, authenticators } = yield* her.body(adminUsersCredentials, { user_id })
    assert.deepStrictEqual([second_factor, authenticators.map(({ kind }) => kind)], [true, ["two_factor_email"]])
    const { challenge_token, email_code } = yield* sent(visitor())
    yield* her.body(adminUsersResetFactors, { user_id, kind: "two_factor_email", reason: "lost mailbox" })
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, email_code }), "invalid_token")
    assert.deepStrictEqual(yield* rows(EmailFactors), [])
    assert.notProperty(yield* visitor().body(signInEmail, { email, password }), "challenge_token")
  })

  rule("are turned off with the password, and told by mail", function* () {
    const ada = yield* owner()
    assert.strictEqual(yield* ada.code(twoFactorCodesDisable, { method }), "invalid_request")
    assert.strictEqual(yield* ada.code(twoFactorCodesDisable, { method, password: "not it" }), "invalid_credentials")
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* ada.code(twoFactorCodesDisable, { method, password }), "session_not_fresh")
    yield* ada.body(stepUp, { email_code: { password, code: yield* ownCode(ada) } })
    assert.deepStrictEqual(yield* ada.body(twoFactorCodesDisable, { method, password }), { success: true })
    assert.deepStrictEqual(yield* ada.body(twoFactorCodesDisable, { method, password }), { success: false })
    assert.include((yield* emails).at(-1)?.text ?? "", "no longer takes a code by email")
    assert.deepStrictEqual(yield* rows(EmailFactors), [])
    assert.notProperty(yield* visitor().body(signInEmail, { email, password }), "challenge_token")
  })
})

describe("a mailed code after a proof of the mailbox", () => {
  const byCode = Effect.gen(function* () {
    yield* visitor().body(codes.endpoints.emailOtpSend, { email })
    return visitor().call(codes.endpoints.signInEmailOtp, { email, otp: yield* mailedCode })
  })
  const byLink = Effect.gen(function* () {
    yield* visitor().body(links.endpoints.magicLinkSend, { email })
    return visitor().call(links.endpoints.magicLinkVerify, { token: yield* mailedToken })
  })
  const flow = "f".repeat(43)
  const byLinkCode = Effect.gen(function* () {
    yield* visitor().body(links.endpoints.magicLinkSend, { email, flow })
    return visitor().call(links.endpoints.magicLinkVerifyCode, { email, flow, code: yield* mailedCode })
  })
  const byReset = Effect.gen(function* () {
    yield* visitor().body(requestPasswordReset, { email })
    yield* visitor().body(resetPassword, { token: yield* mailedToken, new_password: password })
    return visitor().call(signInEmail, { email, password })
  })
  const starts = {
    "a mailed code": byCode,
    "a mailed link": byLink,
    "the code of a mailed link": byLinkCode,
    "a password that a mailed link has set": byReset,
  }

  rule("counts again 72 hours after the link has set the password, and not a second before", function* () {
    yield* owner()
    yield* Effect.flip(yield* byReset)
    yield* TestClock.adjust((72 * 3600 - 1) * 1000)
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "second_factor_unavailable")
    yield* TestClock.adjust(1000)
    assert.deepStrictEqual(challengeIn(yield* visitor().call(signInEmail, { email, password })).methods, [method])
  })

  for (const [name, start] of Object.entries(starts)) {
    rule(`is refused: ${name}`, function* () {
      yield* owner()
      const error = yield* Effect.flip(yield* start)
      assert.deepStrictEqual([error._tag, error.status], ["second_factor_unavailable", 403])
      assert.deepStrictEqual(yield* rows(PendingSignIns), [])
    })

    rule(`is not offered beside an app: ${name}`, function* () {
      const ada = yield* owner()
      const { secret } = yield* enrolled(ada, undefined, built)
      const { methods, challenge_token, ...rest } = challengeIn(yield* yield* start)
      assert.deepStrictEqual(methods, ["totp", "backup_code"])
      assert.notProperty(rest, "code_recipients")
      assert.strictEqual(yield* visitor().code(twoFactorCodesSend, { method, challenge_token }), "invalid_request")
      assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, email_code: "1" }), "invalid_token")
      yield* visitor().body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    })
  }

  rule("counts again once the user has changed the password in a session", function* () {
    const ada = yield* owner()
    const { secret } = yield* enrolled(ada, undefined, built)
    const { challenge_token } = challengeIn(yield* yield* byReset)
    const their = visitor()
    yield* their.body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    assert.strictEqual(yield* their.code(stepUp, { email_code: { password, code: yield* ownCode(their) } }), "invalid_otp")
    yield* their.body(changePassword, { current_password: password, new_password: password })
    assert.deepStrictEqual((yield* waiting(visitor())).methods, ["totp", "backup_code", "email"])
    yield* their.body(stepUp, { email_code: { password, code: yield* ownCode(their) } })
  })

  rule("counts after a code by SMS", function* () {
    const ada = yield* owner()
    const number = "+442079460018"
    const textedCode = Effect.map(texts, (all) => /\b\d{6}\b/.exec(all.at(-1)?.text ?? "")?.[0])
    yield* ada.body(phones.endpoints.phoneSendOtp, { phone: number })
    yield* ada.body(phones.endpoints.phoneVerify, { phone: number, otp: yield* textedCode })
    const their = visitor()
    yield* their.body(phones.endpoints.phoneSendOtp, { phone: number })
    const challenge = challengeIn(yield* their.call(phones.endpoints.signInPhone, { phone: number, otp: yield* textedCode }))
    assert.deepStrictEqual(challenge.methods, ["email"])
    const { challenge_token } = challenge
    yield* their.body(twoFactorCodesSend, { method, challenge_token })
    yield* their.body(twoFactorTotpChallenge, { challenge_token, email_code: yield* mailedCode })
  })
})

describe("step-up with a mailed code", () => {
  rule("needs the password too, and counts as both factors", function* () {
    const ada = yield* owner()
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* ada.code(twoFactorTotpDisable, { password }), "session_not_fresh")
    const code = yield* ownCode(ada)
    assert.strictEqual(yield* ada.code(stepUp, { password }), "invalid_request")
    assert.strictEqual(yield* ada.code(stepUp, { email_code: { password, code: wrong(code) } }), "invalid_otp")
    assert.strictEqual(yield* ada.code(stepUp, { email_code: { password: "not it", code } }), "invalid_credentials")
    yield* ada.body(stepUp, { email_code: { password, code } })
    assert.strictEqual(yield* ada.code(stepUp, { email_code: { password, code } }), "invalid_otp")
    assert.strictEqual(yield* ada.code(twoFactorTotpDisable, { password }), "two_factor_not_enabled")
  })

  rule("is refused without the method, and with the code of a sign-in", function* () {
    const ada = yield* owner()
    const { email_code } = yield* sent(visitor())
    assert.strictEqual(yield* ada.code(stepUp, { email_code: { password, code: email_code } }), "invalid_otp")
    const eve = yield* signedUp("eve@example.com", auth)
    yield* verified(eve)
    assert.strictEqual(yield* eve.code(stepUp, { email_code: { password, code: yield* ownCode(eve) } }), "invalid_otp")
  })

  rule("is not done by a code to sign in with", function* () {
    const ada = yield* owner()
    yield* ada.body(codes.endpoints.emailOtpSend, { email })
    assert.strictEqual(yield* ada.code(stepUp, { otp: yield* mailedCode }), "invalid_request")
  })
})
