import { assert, describe } from "@effect/vitest"
import { TestClock } from "effect/testing"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { multiSession } from "../../../application/modules/multi_session/index.ts"
import { OneTimeTokens, oneTimeToken } from "../../../application/modules/one_time_token/index.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { rulesOf } from "../../rule.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../two-factor.ts"
import { at, atOnce, browser, core, emails, endpoints, isSignedIn, password, rows, signedIn, signedUp, times } from "../../world.ts"

// OWASP ASVS 5.0, 7.2.4: a sign-in ends the session that its request carries.

const handOffs = oneTimeToken.build({ expires_in: 60 })
const codes = emailOtp.build({ length: 6, ttl: 300, max_attempts: 3, disable_signup: false })
const several = multiSession.build({ max_sessions: 3 })
const rule = rulesOf([...core, bearer.build({ redirects: [] }), handOffs, codes, twoFactor])

const { signInEmail, signUpEmail, changePassword, revokeOtherSessions } = endpoints
const email = "ada@example.com"

type Their = Pick<ReturnType<typeof browser>, "jar">
/** An attacker's copy of a browser's session. */
const copied = ({ jar }: Their) => {
  const copy = browser()
  copy.jar.credential = jar.credential
  return copy
}

describe("a sign-in by a browser that is signed in as the same user", () => {
  rule("invalidates stolen copies of the old session", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const thief = copied(ada)
    yield* ada.body(signInEmail, { email, password })
    assert.isTrue(yield* isSignedIn(ada))
    assert.isTrue(yield* isSignedIn(elsewhere))
    assert.isFalse(yield* isSignedIn(thief))
    assert.lengthOf(yield* rows(Sessions), 2)
  })

  rule("ends the old session when a mailed code proves the address for the first time", function* () {
    const ada = yield* signedUp(email)
    const thief = copied(ada)
    yield* ada.body(codes.endpoints.emailOtpSend, { email })
    const [otp] = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "") ?? []
    yield* ada.body(codes.endpoints.signInEmailOtp, { email, otp })
    assert.isTrue(yield* isSignedIn(ada))
    assert.isFalse(yield* isSignedIn(thief))
  })

  rule("ends the old session when the second factor is proved, not before", function* () {
    yield* TestClock.setTime(1_700_000_010_000)
    const ada = yield* signedUp(email)
    const { secret } = yield* enrolled(ada)
    const thief = copied(ada)
    const { challenge_token } = challengeIn(yield* ada.call(signInEmail, { email, password }))
    assert.isTrue(yield* isSignedIn(thief))
    yield* ada.body(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
    assert.isTrue(yield* isSignedIn(ada))
    assert.isFalse(yield* isSignedIn(thief))
  })

  rule("ends what references the old session, such as its hand-offs", function* () {
    const ada = yield* signedUp(email)
    const { token } = yield* ada.body(handOffs.endpoints.oneTimeTokenGenerate)
    yield* ada.body(signInEmail, { email, password })
    assert.lengthOf(yield* rows(OneTimeTokens), 0)
    assert.strictEqual(yield* browser().code(handOffs.endpoints.oneTimeTokenVerify, { token }), "invalid_token")
  })

  rule("keeps the old session when the sign-in fails", function* () {
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* ada.code(signInEmail, { email, password: "a wrong password" }), "invalid_credentials")
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("ignores a session that has expired, was signed out, or never existed", function* () {
    const ada = yield* signedUp(email)
    const { credential } = ada.jar
    yield* copied(ada).body(endpoints.signOut)
    for (const each of [credential, "", "x", "x.y", `${credential}.`]) {
      const their = browser()
      their.jar.credential = each
      yield* their.body(signInEmail, { email, password })
      assert.isTrue(yield* isSignedIn(their))
    }
    assert.lengthOf(yield* rows(Sessions), 5)
    yield* TestClock.adjust("7 days")
    yield* ada.body(signInEmail, { email, password })
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("gives each of many concurrent sign-ins a session, and ends the old one", function* () {
    const ada = yield* signedUp(email)
    const thief = copied(ada)
    const calls = times(10, () => copied(ada).call(signInEmail, { email, password }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 10 })
    assert.isFalse(yield* isSignedIn(thief))
    assert.lengthOf(yield* rows(Sessions), 10)
  })

  rule("ends no session with a credential that is signed but another user's", function* () {
    const ada = yield* signedUp(email)
    const bob = yield* signedUp("bob@example.com")
    const both = copied(ada)
    yield* both.body(signInEmail, { email: "bob@example.com", password })
    yield* both.body(signUpEmail, { email: "cy@example.com", password })
    for (const their of [ada, bob, both]) assert.isTrue(yield* isSignedIn(their))
  })

  rule("ends all other sessions by a change of the password, as without it", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const new_password = "another fine password"
    yield* ada.body(changePassword, { current_password: password, new_password, revoke_other_sessions: true })
    assert.isTrue(yield* isSignedIn(ada))
    assert.isFalse(yield* isSignedIn(elsewhere))
    assert.lengthOf(yield* rows(Sessions), 1)
    yield* ada.body(changePassword, { current_password: new_password, new_password: password })
    assert.isTrue(yield* isSignedIn(ada))
  })
})

describe("a hand-off", () => {
  const { oneTimeTokenGenerate, oneTimeTokenVerify } = handOffs.endpoints

  rule("never ends the session that it comes from, even in the same browser", function* () {
    const ada = yield* signedUp(email)
    const source = copied(ada)
    const { token } = yield* ada.body(oneTimeTokenGenerate)
    yield* ada.body(oneTimeTokenVerify, { token })
    assert.isTrue(yield* isSignedIn(source))
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("replaces another session of the user in the browser that takes it", function* () {
    const ada = yield* signedUp(email)
    const elsewhere = yield* signedIn(email)
    const thief = copied(elsewhere)
    const { token } = yield* ada.body(oneTimeTokenGenerate)
    yield* elsewhere.body(oneTimeTokenVerify, { token })
    for (const their of [ada, elsewhere]) assert.isTrue(yield* isSignedIn(their))
    assert.isFalse(yield* isSignedIn(thief))
  })
})

describe("with multi_session", () => {
  const kept = rulesOf([...core, several])

  kept("the browser holds the old session beside the new one, and can end it", function* () {
    const ada = yield* signedUp(email)
    const before = copied(ada)
    yield* ada.body(signInEmail, { email, password })
    assert.isTrue(yield* isSignedIn(before))
    assert.lengthOf((yield* ada.body(several.endpoints.multiSessionList)).sessions, 2)
    yield* ada.body(revokeOtherSessions)
    assert.isFalse(yield* isSignedIn(before))
  })

  kept("an old session that the browser's cookie does not hold is ended", function* () {
    const ada = yield* signedUp(email)
    const other = yield* signedUp("bob@example.com")
    const thief = copied(ada)
    ada.jar.cookies = other.jar.cookies
    yield* ada.body(signInEmail, { email, password })
    assert.isFalse(yield* isSignedIn(thief))
  })

  kept("a session that began before the module was on is ended", function* () {
    const ada = browser()
    const before = at(ada)
    yield* before.body(signUpEmail, { email, password })
    const thief = copied(ada)
    yield* ada.body(signInEmail, { email, password })
    assert.isFalse(yield* isSignedIn(thief))
    assert.lengthOf(yield* rows(Sessions), 1)
  })
})
