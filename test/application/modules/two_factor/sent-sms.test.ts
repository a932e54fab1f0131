import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { account } from "../../../../application/modules/account/index.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { emailOtp } from "../../../../application/modules/email_otp/index.ts"
import { phone } from "../../../../application/modules/phone/index.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import { SentCodes, SmsFactors } from "../../../../application/modules/two_factor/sent-codes/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { PendingSignIns } from "../../../../domain/sign-in/challenges.ts"
import { Accounts } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, verified } from "../../../two-factor.ts"
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
} from "../../../world.ts"

const decoded = Schema.decodeUnknownSync
const built = twoFactor.build(decoded(twoFactor.settings)({ methods: ["totp", "email", "sms"] }))
const { twoFactorTotpChallenge, twoFactorCodesSend, twoFactorCodesEnable, twoFactorCodesDisable, twoFactorCodesStatus } = built.endpoints
const codes = emailOtp.build(decoded(emailOtp.settings)({}))
const phones = phone.build(decoded(phone.settings)({}))
const { phoneSendOtp, phoneVerify, signInPhone, adminUsersSetPhone } = phones.endpoints
const root = "root@example.com"
const administration = admin.build(decoded(admin.settings)({ admin_emails: [root] }))
const { adminUsersResetFactors, adminUsersCredentials, adminUsersRemoveCredential } = administration.endpoints
const modules = [...core, administration, built, codes, phones]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)

const { signInEmail, stepUp, requestPasswordReset, resetPassword } = endpoints
const { unlinkAccount } = account.build({}).endpoints
const email = "ada@example.com"
const number = "+442079460018"
const other = "+442079460019"
type Browser = ReturnType<typeof browser>
const visitor = () => browser(auth)
const method = "sms"
const textedCode = Effect.map(texts, (all) => /\b\d{6}\b/.exec(all.at(-1)?.text ?? "")?.[0] ?? "")

/** Links a number to the user of a browser. */
const withNumber = Effect.fnUntraced(function* (their: Browser, to = number) {
  yield* their.body(phoneSendOtp, { phone: to })
  yield* their.body(phoneVerify, { phone: to, otp: yield* textedCode })
})

/** A code that was sent for the session of a browser. */
const ownCode = Effect.fnUntraced(function* (their: Browser) {
  yield* their.body(twoFactorCodesSend, { method })
  return yield* textedCode
})

/** A user whose sign-ins take a code by SMS. */
const owner = Effect.gen(function* () {
  const ada = yield* signedUp(email, auth)
  yield* verified(ada)
  yield* withNumber(ada)
  yield* ada.body(twoFactorCodesEnable, { method, code: yield* ownCode(ada), password })
  return ada
})

/** A sign-in with the password that waits for a code. */
const waiting = Effect.fnUntraced(function* (their: Browser) {
  return challengeIn(yield* their.call(signInEmail, { email, password }))
})

/** The same with a code that was sent. */
const sent = Effect.fnUntraced(function* (their: Browser) {
  const { challenge_token } = yield* waiting(their)
  yield* their.body(twoFactorCodesSend, { method, challenge_token })
  return { challenge_token, sms_code: yield* textedCode }
})

/** An administrator. */
const administrator = Effect.gen(function* () {
  const her = yield* signedUp(root, auth)
  yield* verified(her)
  return her
})

/** Another code than this one. */
const wrong = (code: string) => `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`

const sessionMethods = Effect.map(rows(Sessions), (all) => all.at(-1)?.methods)

describe("the setting methods with sms", () => {
  it("needs the module of numbers", () => {
    const faults = (modules: object) => twoFactor.faults(decoded(twoFactor.settings)({ methods: ["sms"] }), { modules } as never)
    assert.deepStrictEqual(faults({}), [{ path: ["methods"], wanted: 'modules.phone as well, for "sms"' }])
    assert.deepStrictEqual(faults({ phone: {} }), [])
  })
})

describe("codes by SMS as a second factor", () => {
  rule("are turned on by a code to the user's number, which ends other sessions and is told by mail", function* () {
    const ada = yield* signedUp(email, auth)
    const elsewhere = visitor()
    yield* elsewhere.body(signInEmail, { email, password })
    yield* verified(ada)
    assert.strictEqual(yield* ada.code(twoFactorCodesSend, { method }), "invalid_request")
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method, code: "1", password }), "invalid_request")
    yield* withNumber(ada)
    const code = yield* ownCode(ada)
    assert.strictEqual((yield* texts).at(-1)?.to, number)
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method, code }), "invalid_request")
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method, code: wrong(code), password }), "invalid_otp")
    assert.strictEqual(yield* ada.code(twoFactorCodesEnable, { method: "email", code, password }), "invalid_otp")
    yield* ada.body(twoFactorCodesEnable, { method, code, password })
    const { methods } = yield* ada.body(twoFactorCodesStatus)
    assert.deepStrictEqual(methods[1], { method, enabled: true, recipient: "•••18" })
    assert.deepStrictEqual([yield* isSignedIn(ada), yield* isSignedIn(elsewhere)], [true, false])
    assert.include((yield* emails).at(-1)?.text ?? "", "takes a code that we send by SMS as well")
    assert.deepStrictEqual([yield* sessionMethods, yield* rows(SentCodes)], ["pwd sms", []])
  })

  rule("need another way to sign in than by the phone", function* () {
    const their = visitor()
    yield* their.body(phoneSendOtp, { phone: number })
    yield* their.body(signInPhone, { phone: number, otp: yield* textedCode })
    assert.strictEqual(yield* their.code(twoFactorCodesEnable, { method, code: yield* ownCode(their) }), "invalid_request")
  })

  rule("complete a sign-in, for which the challenge shows the last digits, and count as sms", function* () {
    yield* owner
    const their = visitor()
    const challenge = yield* waiting(their)
    assert.deepStrictEqual([challenge.methods, challenge.code_recipients], [["sms"], { sms: "•••18" }])
    const answer = yield* sent(their)
    yield* their.body(twoFactorTotpChallenge, answer)
    const session = (yield* rows(Sessions)).at(-1)
    assert.deepStrictEqual([session?.multi_factor, session?.methods], [true, "pwd sms"])
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
  })

  rule("are valid for 300 seconds, with their own sign-in, and by their own method", function* () {
    yield* owner
    const [first, second] = [yield* sent(visitor()), yield* sent(visitor())]
    assert.strictEqual(
      yield* visitor().code(twoFactorTotpChallenge, { ...first, sms_code: second.sms_code }),
      first.sms_code === second.sms_code ? "ok" : "invalid_otp",
    )
    const { challenge_token, sms_code } = first
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, email_code: sms_code }), "invalid_token")
    yield* TestClock.adjust("299 seconds")
    yield* visitor().body(twoFactorTotpChallenge, first)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, second), "invalid_token")
  })

  rule("are sent five times for one sign-in, also at once, and guessed three times", function* () {
    yield* owner
    const their = visitor()
    const { challenge_token } = yield* sent(their)
    const before = (yield* texts).length
    const sending = times(10, () => their.call(twoFactorCodesSend, { method, challenge_token }))
    assert.deepStrictEqual(yield* atOnce(sending), { ok: 4, rate_limited: 6 })
    assert.strictEqual((yield* texts).length, before + 4)
    const right = yield* textedCode
    const guesses = times(20, () => visitor().call(twoFactorTotpChallenge, { challenge_token, sms_code: wrong(right) }))
    yield* atOnce(guesses)
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, sms_code: right }), "invalid_token")
  })

  rule("give one session for twenty right answers at once", function* () {
    yield* owner
    const answer = yield* sent(visitor())
    const outcomes = yield* atOnce(times(20, () => visitor().call(twoFactorTotpChallenge, answer)))
    assert.deepStrictEqual(outcomes, { ok: 1, invalid_token: 19 })
    assert.strictEqual((yield* rows(Sessions)).length, 2)
  })

  rule(
    "are refused for 15 minutes after the tenth wrong one, over any number of sign-ins",
    function* () {
      yield* owner
      for (const _ of times(10, String)) {
        const { challenge_token, sms_code } = yield* sent(visitor())
        assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, sms_code: wrong(sms_code) }), "invalid_otp")
      }
      assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, yield* sent(visitor())), "rate_limited")
      yield* TestClock.adjust("15 minutes")
      yield* visitor().body(twoFactorTotpChallenge, yield* sent(visitor()))
      assert.strictEqual((yield* rows(SmsFactors))[0]?.failures, 0)
    },
    { rate_limit: { enabled: false } },
  )

  rule("are reset by administrators, who see them among the credentials", function* () {
    const { user } = yield* owner
    const user_id = user.id
    const her = yield* administrator
    const { second_factor, authenticators } = yield* her.body(adminUsersCredentials, { user_id })
    assert.deepStrictEqual([second_factor, authenticators.map(({ kind }) => kind)], [true, ["two_factor_sms"]])
    const answer = yield* sent(visitor())
    yield* her.body(adminUsersResetFactors, { user_id, kind: "two_factor_sms", reason: "lost phone" })
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
    assert.notProperty(yield* visitor().body(signInEmail, { email, password }), "challenge_token")
  })

  rule("are turned off with the password, and told by mail", function* () {
    const ada = yield* owner
    assert.strictEqual(yield* ada.code(twoFactorCodesDisable, { method }), "invalid_request")
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* ada.code(twoFactorCodesDisable, { method, password }), "session_not_fresh")
    yield* ada.body(stepUp, { sms_code: { password, code: yield* ownCode(ada) } })
    assert.strictEqual(yield* sessionMethods, "pwd sms")
    assert.deepStrictEqual(yield* ada.body(twoFactorCodesDisable, { method, password }), { success: true })
    assert.include((yield* emails).at(-1)?.text ?? "", "no longer takes a code by SMS")
    assert.notProperty(yield* visitor().body(signInEmail, { email, password }), "challenge_token")
  })
})

describe("a code by SMS after a sign-in", () => {
  const byPhone = Effect.gen(function* () {
    yield* visitor().body(phoneSendOtp, { phone: number })
    return visitor().call(signInPhone, { phone: number, otp: yield* textedCode })
  })

  rule("by SMS is refused", function* () {
    yield* owner
    const error = yield* Effect.flip(yield* byPhone)
    assert.deepStrictEqual([error._tag, error.status], ["second_factor_unavailable", 403])
    assert.deepStrictEqual(yield* rows(PendingSignIns), [])
  })

  rule("by SMS is not offered beside mailed codes, and those count", function* () {
    const ada = yield* owner
    yield* ada.body(twoFactorCodesSend, { method: "email" })
    yield* ada.body(twoFactorCodesEnable, { method: "email", code: yield* mailedCode, password })
    const { methods, challenge_token } = challengeIn(yield* yield* byPhone)
    assert.deepStrictEqual(methods, ["email"])
    assert.strictEqual(yield* visitor().code(twoFactorCodesSend, { method, challenge_token }), "invalid_request")
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, sms_code: "1" }), "invalid_token")
    yield* visitor().body(twoFactorCodesSend, { method: "email", challenge_token })
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token, email_code: yield* mailedCode })
    assert.strictEqual(yield* sessionMethods, "sms otp")
  })

  rule("by a mailed code counts", function* () {
    yield* owner
    yield* visitor().body(codes.endpoints.emailOtpSend, { email })
    const { challenge_token, methods } = challengeIn(
      yield* visitor().call(codes.endpoints.signInEmailOtp, { email, otp: yield* mailedCode }),
    )
    assert.deepStrictEqual(methods, ["sms"])
    yield* visitor().body(twoFactorCodesSend, { method, challenge_token })
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token, sms_code: yield* textedCode })
    assert.strictEqual(yield* sessionMethods, "otp sms")
  })

  rule("whose methods are not known is refused", function* () {
    yield* owner
    const { challenge_token, sms_code } = yield* sent(visitor())
    const [pending] = yield* rows(PendingSignIns)
    const store = yield* Store
    const found = Option.getOrThrow(yield* store.read(PendingSignIns, { hash: pending?.hash ?? "" }))
    yield* store.commit([update(PendingSignIns, found, { methods: null })])
    assert.strictEqual(yield* visitor().code(twoFactorCodesSend, { method, challenge_token }), "invalid_request")
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, sms_code }), "invalid_token")
  })
})

describe("the number of codes by SMS", () => {
  const numbers = Effect.map(rows(Accounts), (all) =>
    all.flatMap(({ provider_id, account_id }) => (provider_id === "phone" ? [account_id] : [])),
  )

  rule("is not removed while they are on, by the user, an administrator, or a new password", function* () {
    const ada = yield* owner
    assert.strictEqual(yield* ada.code(unlinkAccount, { provider_id: "phone" }), "invalid_request")
    const user_id = ada.user.id
    const her = yield* administrator
    const credential_id = (yield* rows(Accounts)).find(({ provider_id }) => provider_id === "phone")?.id ?? ""
    const removing = { user_id, credential_id, force: true }
    assert.strictEqual(yield* her.code(adminUsersRemoveCredential, removing), "invalid_request")
    yield* visitor().body(requestPasswordReset, { email })
    yield* visitor().body(resetPassword, { token: yield* mailedToken, new_password: password })
    assert.deepStrictEqual(yield* numbers, [number])
    yield* visitor().body(twoFactorTotpChallenge, yield* sent(visitor()))

    yield* her.body(adminUsersResetFactors, { user_id, reason: "lost phone" })
    yield* her.body(adminUsersRemoveCredential, removing)
    assert.deepStrictEqual(yield* numbers, [])
  })

  rule("is set by no administrator while they are on", function* () {
    const { user } = yield* owner
    const her = yield* administrator
    assert.strictEqual(yield* her.code(adminUsersSetPhone, { user_id: user.id, phone: other }), "invalid_request")
    assert.deepStrictEqual(yield* numbers, [number])
  })

  rule("is changed by its user with a code to the new one, which ends codes to the old one", function* () {
    const ada = yield* owner
    const answer = yield* sent(visitor())
    const old = yield* ownCode(ada)
    yield* withNumber(ada, other)
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
    assert.strictEqual(yield* ada.code(stepUp, { sms_code: { password, code: old } }), "invalid_otp")
    yield* visitor().body(twoFactorTotpChallenge, yield* sent(visitor()))
    assert.strictEqual((yield* texts).at(-1)?.to, other)
  })

  rule("is needed: without it, sign-ins are refused", function* () {
    const ada = yield* owner
    const answer = yield* sent(visitor())
    const store = yield* Store
    const found = Option.getOrThrow(yield* store.read(Accounts, { provider_id: "phone", account_id: number }))
    yield* store.commit([update(Accounts, found, { account_id: other, user_id: (yield* signedUp("eve@example.com", auth)).user.id })])
    assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, answer), "invalid_token")
    assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "second_factor_unavailable")
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("is changed only with the second factor", function* () {
    const ada = yield* owner
    yield* TestClock.adjust("1 hour")
    yield* ada.body(phoneSendOtp, { phone: other })
    assert.strictEqual(yield* ada.code(phoneVerify, { phone: other, otp: yield* textedCode }), "session_not_fresh")
    assert.deepStrictEqual(yield* numbers, [number])
  })
})
