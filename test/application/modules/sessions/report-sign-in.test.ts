import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Audit from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { SignInAlerts } from "../../../../application/modules/sessions/tables.ts"
import { find, Store, update } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { MailedTokens, Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { challengeIn, enrolled, built as twoFactor } from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  core,
  credential,
  emails,
  endpoints,
  isSignedIn,
  mailedToken,
  password,
  rows,
  signedIn,
  signedUp,
  times,
  withoutPassword,
  withSettings,
  withVerified,
} from "../../../world.ts"

const audit = Audit.audit.build({ keep: 86_400, keep_changes: 86_400, organization_roles: [] })
const ruleOf = rulesOf([...core, twoFactor, audit])
const rule = (name: string, test: Parameters<typeof ruleOf>[1]) => ruleOf(name, test, { session: { notify_new_browser: true } })

const email = "ada@example.com"
const newPassword = "a new long password"
const { reportSignIn, reportSignInShow, signInEmail, changePassword, changeEmail, resetPassword } = endpoints
const code = (typed: string) => browser().code(signInEmail, { email, password: typed })

/** A user whose password an attacker has, with the token of the mail about the attacker's sign-in. */
const attacked = Effect.gen(function* () {
  const ada = yield* signedUp(email)
  yield* withVerified(ada.user.id)
  const eve = yield* signedIn(email)
  return { ada, eve, token: yield* mailedToken }
})

describe("a reported sign-in", () => {
  rule("ends all sessions and the password, and mails a link for a new one", function* () {
    const { ada, eve, token } = yield* attacked
    assert.deepStrictEqual(yield* browser().body(reportSignInShow, { token }), { email })
    assert.isTrue(yield* isSignedIn(eve))

    const visitor = browser()
    assert.deepStrictEqual(yield* visitor.body(reportSignIn, { token }), { reset_sent: true })
    assert.strictEqual(visitor.jar.credential, null)
    assert.deepStrictEqual([yield* isSignedIn(ada), yield* isSignedIn(eve), (yield* rows(Sessions)).length], [false, false, 0])
    assert.strictEqual(yield* code(password), "invalid_credentials")

    const reset = yield* mailedToken
    yield* browser().body(resetPassword, { token: reset, new_password: newPassword })
    yield* browser().body(signInEmail, { email, password: newPassword })
  })

  rule("is recorded, and takes browsers from before for new", function* () {
    const { eve, token } = yield* attacked
    yield* TestClock.adjust("1 second")
    yield* browser().body(reportSignIn, { token })
    const types = (yield* rows(Records)).map(({ type }) => type)
    for (const type of ["sign_in.reported", "session.revoked", "credential.changed"]) assert.include(types, type)
    yield* browser().body(resetPassword, { token: yield* mailedToken, new_password: newPassword })
    const before = (yield* emails).length
    yield* eve.body(signInEmail, { email, password: newPassword })
    assert.strictEqual((yield* emails).length, before + 1)
  })

  rule("works once, of twenty reports at once", function* () {
    const { token } = yield* attacked
    assert.deepStrictEqual(yield* atOnce(times(20, () => browser().call(reportSignIn, { token }))), { ok: 1, invalid_token: 19 })
    assert.strictEqual((yield* emails).filter(({ text }) => text.includes("/reset-password?")).length, 1)
    assert.strictEqual(yield* browser().code(reportSignInShow, { token }), "invalid_token")
  })

  rule("works for a day, with no other token, and ends the other reports", function* () {
    const { token: first } = yield* attacked
    const before = yield* mailedToken
    yield* signedIn(email)
    const token = yield* mailedToken
    assert.notStrictEqual(token, before)
    yield* browser().body(reportSignIn, { token: first })
    assert.strictEqual(yield* browser().code(reportSignIn, { token }), "invalid_token")
    const reset = yield* mailedToken
    assert.strictEqual(yield* browser().code(reportSignIn, { token: reset }), "invalid_token")
    yield* browser().body(resetPassword, { token: reset, new_password: newPassword })
    yield* browser().body(signInEmail, { email, password: newPassword })
    const late = yield* mailedToken
    yield* TestClock.adjust("24 hours")
    assert.strictEqual(yield* browser().code(reportSignIn, { token: late }), "invalid_token")
  })

  rule("beats a new password of the attacker", function* () {
    const { eve, token } = yield* attacked
    yield* eve.body(changePassword, { current_password: password, new_password: newPassword })
    assert.deepStrictEqual(yield* browser().body(reportSignIn, { token }), { reset_sent: true })
    assert.deepStrictEqual([yield* isSignedIn(eve), yield* code(newPassword)], [false, "invalid_credentials"])
  })

  rule("ends a change of address that the attacker has requested", function* () {
    const { eve, token } = yield* attacked
    yield* withSettings({ email_password: { enabled: true, require_email_verification: true } })(
      eve.body(changeEmail, { new_email: "eve@example.com" }),
    )
    assert.deepStrictEqual(
      (yield* rows(MailedTokens)).map(({ kind }) => kind),
      ["change_email"],
    )
    yield* browser().body(reportSignIn, { token })
    const links = yield* rows(MailedTokens)
    assert.deepStrictEqual(
      links.map((link) => [link.kind, link.email]),
      [["reset_password", email]],
    )
  })

  rule("mails no link to an address that the account got since", function* () {
    const { ada, token } = yield* attacked
    const store = yield* Store
    const user = Option.getOrThrow(yield* store.read(Users, { id: ada.user.id }))
    yield* Effect.orDie(store.commit([update(Users, user, { email: "eve@example.com" })]))
    const before = (yield* emails).length
    assert.deepStrictEqual(yield* browser().body(reportSignIn, { token }), { reset_sent: false })
    assert.deepStrictEqual([(yield* emails).length, yield* isSignedIn(ada)], [before, false])
    assert.strictEqual((yield* credential(ada.user.id)).row.password_hash, null)
  })

  rule("keeps the second factor, which the new password does not replace", function* () {
    const ada = yield* signedUp(email)
    yield* withVerified(ada.user.id)
    const other = yield* signedIn(email)
    const token = yield* mailedToken
    yield* enrolled(other)
    yield* browser().body(reportSignIn, { token })
    yield* browser().body(resetPassword, { token: yield* mailedToken, new_password: newPassword })
    challengeIn(yield* browser().call(signInEmail, { email, password: newPassword }))
  })

  rule("of a user without a password only ends the sessions", function* () {
    const { ada, token } = yield* attacked
    yield* withoutPassword(ada.user.id)
    assert.deepStrictEqual(yield* browser().body(reportSignIn, { token }), { reset_sent: false })
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("races with a sign-in, which then has no session", function* () {
    const { token } = yield* attacked
    const both = [browser().call(reportSignIn, { token }), ...times(5, () => browser().call(signInEmail, { email, password }))]
    yield* atOnce(both)
    assert.strictEqual((yield* rows(Sessions)).length, 0)
    assert.strictEqual((yield* rows(SignInAlerts)).length, 0)
  })

  rule("stores no token", function* () {
    const { token } = yield* attacked
    const [row] = yield* rows(SignInAlerts)
    assert.notInclude(JSON.stringify(row), token)
    assert.isTrue(Option.isNone(yield* find(SignInAlerts, { hash: token })))
  })
})
