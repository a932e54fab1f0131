import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../application/modules/admin/index.ts"
import { audit } from "../../../application/modules/audit/index.ts"
import { Records } from "../../../application/modules/audit/tables.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { guest } from "../../../application/modules/guest/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { oneTimeToken } from "../../../application/modules/one_time_token/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { PendingMessages } from "../../../domain/mail/outbox-tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { rulesOf } from "../../rule.ts"
import { at, browser, core, emails, endpoints, rows, signedUp, texts, withSettings } from "../../world.ts"

const decoded = <S extends Schema.Codec<any, any>>({ settings }: { readonly settings: S }, value: unknown = {}): S["Type"] =>
  Schema.decodeUnknownSync(settings)(value)
const root = "root@example.com"
const built = {
  admin: admin.build(decoded(admin, { admin_emails: [root], roles: {} })),
  audit: audit.build(decoded(audit)),
  emailOtp: emailOtp.build(decoded(emailOtp)),
  guest: guest.build({}),
  magicLink: magicLink.build(decoded(magicLink)),
  oneTimeToken: oneTimeToken.build(decoded(oneTimeToken)),
  phone: phone.build(decoded(phone)),
}
const { emailOtpSend, signInEmailOtp } = built.emailOtp.endpoints
const { phoneSendOtp, phoneVerify, signInPhone } = built.phone.endpoints

const email = "reviewer@example.com"
const otp = "4711"
const number = "+44 20 7946 0018"
/** Tests begin in 1970. */
const test_users = { codes: { [email]: otp, "+442079460018": otp, [root]: otp }, valid_until: "1970-01-01T01:00:00Z" }

const rule = (name: string, shown: Parameters<ReturnType<typeof rulesOf>>[1], settings: Record<string, unknown> = {}) =>
  rulesOf([...core, ...Object.values(built)])(name, shown, { test_users, ...settings })

const byMail = Effect.gen(function* () {
  const their = browser()
  yield* their.body(emailOtpSend, { email })
  const { user } = yield* their.body(signInEmailOtp, { email, otp })
  return { ...their, user }
})

const marks = Effect.map(rows(Records), (all) =>
  all.filter(({ type }) => type === "session.opened").map(({ data }) => data["test_user"] ?? "no"),
)

describe("a test user", () => {
  rule("signs up and in by the code of the configuration, and gets no mail", function* () {
    yield* byMail
    yield* byMail
    assert.deepStrictEqual(
      (yield* rows(Users)).map(({ email, email_verified, is_test }) => ({ email, email_verified, is_test })),
      [{ email, email_verified: true, is_test: true }],
    )
    yield* browser().body(built.magicLink.endpoints.magicLinkSend, { email })
    yield* browser().body(endpoints.requestPasswordReset, { email })
    assert.deepStrictEqual(yield* emails, [])
    assert.deepStrictEqual(yield* rows(PendingMessages), [])
  })

  rule("signs in by a telephone number in any spelling, and gets no message", function* () {
    for (const spelling of [number, "+44 (20) 7946-0018"]) {
      yield* browser().body(phoneSendOtp, { phone: spelling })
      yield* browser().body(signInPhone, { phone: spelling, otp })
    }
    assert.isTrue((yield* rows(Users)).every(({ is_test }) => is_test))
    assert.deepStrictEqual(yield* texts, [])
  })

  rule("is marked in the audit log at every session, others are not", function* () {
    const { body } = yield* byMail
    const { token } = yield* body(built.oneTimeToken.endpoints.oneTimeTokenGenerate)
    yield* browser().body(built.oneTimeToken.endpoints.oneTimeTokenVerify, { token })
    yield* signedUp("ada@example.com")
    assert.sameMembers(yield* marks, ["true", "true", "no"])
  })

  rule("has no rights, however they are given", function* () {
    yield* browser().body(emailOtpSend, { email: root })
    const tester = browser()
    const { user } = yield* tester.body(signInEmailOtp, { email: root, otp })
    assert.strictEqual(yield* tester.code(built.admin.endpoints.adminMe), "forbidden")
    const administration = admin.build(decoded(admin, { admin_emails: ["ada@example.com"], admin_user_ids: [user.id], roles: {} }))
    assert.strictEqual(yield* at(tester, administration).code(administration.endpoints.adminMe), "forbidden")
    const ada = at(yield* signedUp("ada@example.com"), administration)
    const target = { user_id: user.id, role: "support" }
    assert.strictEqual(yield* ada.code(administration.endpoints.adminSetRole, target), "forbidden")
    assert.strictEqual(yield* ada.code(administration.endpoints.adminRolesAssign, target), "forbidden")
  })
})

describe("the code of the configuration", () => {
  rule("is refused for accounts that exist otherwise, which get their codes by mail", function* () {
    yield* signedUp(email)
    const their = browser()
    yield* their.body(emailOtpSend, { email })
    assert.strictEqual(yield* their.code(signInEmailOtp, { email, otp }), "invalid_otp")
    const mailed = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "")?.[0]
    yield* their.body(signInEmailOtp, { email, otp: mailed })
    assert.deepStrictEqual(
      (yield* rows(Users)).map(({ is_test }) => is_test),
      [false],
    )
  })

  rule("is refused for an account that was added after the code was requested", function* () {
    yield* browser().body(emailOtpSend, { email })
    yield* signedUp(email)
    assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp }), "invalid_otp")
  })

  rule("is refused for the account of a telephone number that exists otherwise", function* () {
    yield* withSettings({})(browser().body(phoneSendOtp, { phone: number }))
    const texted = /\b\d{6}\b/.exec((yield* texts).at(-1)?.text ?? "")?.[0]
    yield* withSettings({})(browser().body(signInPhone, { phone: number, otp: texted }))
    yield* browser().body(phoneSendOtp, { phone: number })
    assert.strictEqual(yield* browser().code(signInPhone, { phone: number, otp }), "invalid_otp")
    assert.lengthOf(yield* texts, 2)
  })

  rule("does not link a telephone number to an account that exists otherwise", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* ada.body(phoneSendOtp, { phone: number })
    assert.strictEqual(yield* ada.code(phoneVerify, { phone: number, otp }), "invalid_otp")
    const tester = yield* byMail
    yield* tester.body(phoneSendOtp, { phone: number })
    yield* tester.body(phoneVerify, { phone: number, otp })
  })

  rule("must be requested, and is invalid after 3 wrong guesses", function* () {
    assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp }), "invalid_otp")
    yield* browser().body(emailOtpSend, { email })
    for (const wrong of ["1", "2", "3"]) assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp: wrong }), "invalid_otp")
    assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp }), "invalid_otp")
  })

  rule(
    "counts against the budgets of messages",
    function* () {
      for (const _ of [1, 2, 3, 4, 5]) yield* browser().body(emailOtpSend, { email })
      assert.strictEqual(yield* browser().code(emailOtpSend, { email }), "rate_limited")
    },
    { rate_limit: { enabled: true } },
  )

  rule("works until `valid_until`, also if it was requested before", function* () {
    yield* TestClock.adjust("3599 seconds")
    yield* byMail
    yield* browser().body(emailOtpSend, { email })
    yield* TestClock.adjust("1 seconds")
    assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp }), "invalid_otp")
    yield* browser().body(emailOtpSend, { email })
    const mailed = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "")?.[0]
    yield* browser().body(signInEmailOtp, { email, otp: mailed })
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("is refused once the configuration does not have it any more", function* () {
    yield* browser().body(emailOtpSend, { email })
    assert.strictEqual(yield* withSettings({})(browser().code(signInEmailOtp, { email, otp })), "invalid_otp")
    assert.lengthOf(yield* rows(Users), 0)
  })

  rule(
    "adds no user where registration is closed",
    function* () {
      yield* browser().body(emailOtpSend, { email })
      assert.strictEqual(yield* browser().code(signInEmailOtp, { email, otp }), "invalid_otp")
      assert.lengthOf(yield* rows(Users), 0)
    },
    { registration: { mode: "closed" } },
  )

  rule("does not make a guest a user: nothing is sent to the address", function* () {
    const their = browser()
    yield* their.body(built.guest.endpoints.signInGuest)
    yield* their.body(built.guest.endpoints.guestSendCode, { email })
    assert.strictEqual(yield* their.code(built.guest.endpoints.guestUpgrade, { email, otp }), "invalid_otp")
    assert.deepStrictEqual(yield* emails, [])
  })

  rule("steps up the session of a test user", function* () {
    const their = yield* byMail
    yield* their.body(emailOtpSend, { email })
    yield* their.body(endpoints.stepUp, { otp })
  })
})
