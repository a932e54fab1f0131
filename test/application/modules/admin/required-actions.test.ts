import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { RequiredActions } from "../../../../application/modules/admin/required-actions/table.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { oneTimeToken } from "../../../../application/modules/one_time_token/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { enrolled, built as factors, shownBy, step } from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  core,
  endpoints,
  isSignedIn,
  mailedToken,
  password,
  rows,
  signedUp as signedUpTo,
  times,
  withVerified,
} from "../../../world.ts"

const root = "root@example.com"
const handOff = oneTimeToken.build({ expires_in: 60 })
const worldOf = (settings: object, ...more: ReadonlyArray<(typeof core)[number]>) => {
  const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {}, ...settings }))
  // The module is before that of the factors, as in a service.
  const modules = [...core, handOff, built, ...more, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)]
  return { built, modules, auth: AuthOf.make(modules) }
}
const { built, modules, auth } = worldOf({ required_actions: true }, factors)
const off = worldOf({})
const rule = (name: string, shown: Parameters<ReturnType<typeof rulesOf>>[1], settings: Record<string, unknown> = {}) =>
  rulesOf(modules)(
    name,
    function* () {
      yield* TestClock.setTime(1_700_000_010_000)
      yield* Effect.gen(shown)
    },
    settings,
  )
const { adminUsersCredentials, adminUsersRequire, adminUsersSetPassword, adminUsersShow, requiredActionsChangePassword } = built.endpoints
const { twoFactorTotpChallenge, twoFactorTotpEnrol, twoFactorTotpEnrolConfirm } = factors.endpoints
const { requestPasswordReset, resetPassword, sendVerificationEmail, signInEmail, verifyEmail } = endpoints

const email = "ada@example.com"
const next = "another correct horse"
const both = Effect.gen(function* () {
  const [owner, ada] = [yield* signedUpTo(root, auth), yield* signedUpTo(email, auth)]
  return { owner, ada, user_id: ada.user.id }
})
const challenged = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, typed = password) {
  const { body, session } = yield* their.call(signInEmail, { email, password: typed })
  assert.strictEqual(session, "keep")
  return body as unknown as { readonly required_actions: ReadonlyArray<string>; readonly challenge_token: string }
})

describe("POST /admin/users/require", () => {
  rule("sets what a user has to do, which ends with an empty list", function* () {
    const { owner, ada, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["enrol_factor", "change_password", "change_password"] })
    const shown = yield* owner.body(adminUsersCredentials, { user_id })
    assert.deepStrictEqual(shown.required_actions, ["change_password", "enrol_factor"])
    assert.isTrue(yield* isSignedIn(ada))
    const noted = (yield* rows(Records)).filter(({ type }) => type === "user.action_required")
    assert.sameMembers(
      noted.map(({ subject_id, data }) => `${subject_id} ${data["action"]}`),
      [`${user_id} change_password`, `${user_id} enrol_factor`],
    )
    yield* owner.body(adminUsersRequire, { user_id, actions: [] })
    yield* browser(auth).body(signInEmail, { email, password })
    assert.isEmpty(yield* rows(RequiredActions))
    for (const actions of [["sing"], "change_password", undefined])
      assert.strictEqual(yield* owner.code(adminUsersRequire, { user_id, actions }), "invalid_request")
    assert.strictEqual(yield* owner.code(adminUsersRequire, { user_id: "unknown", actions: [] }), "user_not_found")
  })

  rule("changes only the version that the caller has seen, once", function* () {
    const { owner, user_id } = yield* both
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const set = () => owner.call(adminUsersRequire, { user_id, actions: ["change_password"], expected_version: version })
    assert.deepStrictEqual(yield* atOnce(times(10, set)), { ok: 1, version_mismatch: 9 })
  })

  rulesOf(off.modules)("is refused without the setting, and for what the service cannot ask for", function* () {
    const owner = yield* signedUpTo(root, off.auth)
    const user_id = owner.user.id
    assert.strictEqual(yield* owner.code(off.built.endpoints.adminUsersRequire, { user_id, actions: [] }), "invalid_request")
    const changed = { user_id, password: next, require_change: true }
    assert.strictEqual(yield* owner.code(off.built.endpoints.adminUsersSetPassword, changed), "invalid_request")
    const without = worldOf({ required_actions: true })
    const same = browser(without.auth, owner.jar)
    assert.strictEqual(yield* same.code(adminUsersRequireOf(without), { user_id, actions: ["enrol_factor"] }), "invalid_request")
    yield* same.body(adminUsersRequireOf(without), { user_id, actions: ["change_password"] })
  })
})
const adminUsersRequireOf = ({ built }: ReturnType<typeof worldOf>) => built.endpoints.adminUsersRequire

describe("a required change of the password", () => {
  rule("is made during the sign-in, and ends the other sessions", function* () {
    const { owner, ada, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["change_password"] })
    const their = browser(auth)
    const { challenge_token, ...rest } = yield* challenged(their)
    assert.deepStrictEqual(rest as object, { required_actions: ["change_password"], expires_in: 300 })
    const change = (new_password: string) => their.code(requiredActionsChangePassword, { challenge_token, new_password })
    assert.strictEqual(yield* change(password), "invalid_request")
    assert.strictEqual(yield* change("short"), "password_too_short")
    assert.isTrue(yield* isSignedIn(ada))
    const { user } = yield* their.body(requiredActionsChangePassword, { challenge_token, new_password: next })
    assert.deepStrictEqual([(user as { readonly id: string }).id, yield* isSignedIn(their), yield* isSignedIn(ada)], [user_id, true, false])
    assert.strictEqual(yield* change(`${next} again`), "invalid_token")
    yield* browser(auth).body(signInEmail, { email, password: next })
    assert.isEmpty(yield* rows(RequiredActions))
  })

  rule("is made once by many requests with one token", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["change_password"] })
    const { challenge_token } = yield* challenged(browser(auth))
    const change = (index: number) =>
      browser(auth).call(requiredActionsChangePassword, { challenge_token, new_password: `${next} ${index}` })
    assert.deepStrictEqual(yield* atOnce(times(10, change)), { ok: 1, invalid_token: 9 })
  })

  rule("needs the token of such a sign-in, for 300 seconds", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["verify_email"] })
    const other = yield* challenged(browser(auth))
    const change = (challenge_token: string) => browser(auth).code(requiredActionsChangePassword, { challenge_token, new_password: next })
    assert.strictEqual(yield* change(other.challenge_token), "invalid_token")
    assert.strictEqual(yield* change("unknown"), "invalid_token")
    yield* owner.body(adminUsersRequire, { user_id, actions: ["change_password"] })
    const { challenge_token } = yield* challenged(browser(auth))
    yield* TestClock.adjust("299 seconds")
    assert.strictEqual(
      yield* browser(auth).code(requiredActionsChangePassword, { challenge_token, new_password: password }),
      "invalid_request",
    )
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* change(challenge_token), "invalid_token")
  })

  rule("is made by a mailed link as well", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["change_password"] })
    yield* browser(auth).body(requestPasswordReset, { email })
    yield* browser(auth).body(resetPassword, { token: yield* mailedToken, new_password: next })
    assert.isEmpty(yield* rows(RequiredActions))
    yield* browser(auth).body(signInEmail, { email, password: next })

    yield* withVerified(user_id)
    yield* owner.body(adminUsersRequire, { user_id, actions: ["change_password"] })
    yield* browser(auth).body(requestPasswordReset, { email })
    yield* browser(auth).body(resetPassword, { token: yield* mailedToken, new_password: password })
    assert.isEmpty(yield* rows(RequiredActions))
  })

  rule("follows a password that an administrator sets, unless they say otherwise", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersSetPassword, { user_id, password: next })
    assert.deepStrictEqual((yield* challenged(browser(auth), next)).required_actions, ["change_password"])
    yield* owner.body(adminUsersSetPassword, { user_id, password, require_change: false })
    yield* browser(auth).body(signInEmail, { email, password })
    yield* owner.body(adminUsersSetPassword, { user_id: owner.user.id, password: next })
    assert.isEmpty(yield* rows(RequiredActions))
  })

  rule("is asked of no hand-off of a session, which keeps it required", function* () {
    const { owner, ada, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["change_password"] })
    const { token } = yield* ada.body(handOff.endpoints.oneTimeTokenGenerate)
    yield* browser(auth).body(handOff.endpoints.oneTimeTokenVerify, { token })
    assert.lengthOf(yield* rows(RequiredActions), 1)
  })

  rule("is asked after the second factor", function* () {
    const { owner, ada, user_id } = yield* both
    yield* withVerified(user_id)
    const { secret } = yield* enrolled(ada)
    yield* owner.body(adminUsersRequire, { user_id, actions: ["change_password"] })
    const their = browser(auth)
    const first = yield* challenged(their)
    assert.notProperty(first, "required_actions")
    yield* TestClock.adjust(step)
    const code = yield* shownBy(secret)
    const second = (yield* their.call(twoFactorTotpChallenge, { challenge_token: first.challenge_token, code }))
      .body as unknown as typeof first
    assert.deepStrictEqual(second.required_actions, ["change_password"])
    yield* their.body(requiredActionsChangePassword, { challenge_token: second.challenge_token, new_password: next })
    assert.isTrue(yield* isSignedIn(their))
  })
})

describe("other required actions", () => {
  rule("a verified address is what the link of a mail does, after which the sign-in succeeds", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["verify_email"] })
    assert.deepStrictEqual((yield* challenged(browser(auth))).required_actions, ["verify_email"])
    yield* browser(auth).body(sendVerificationEmail, { email })
    yield* browser(auth).body(verifyEmail, { token: yield* mailedToken })
    yield* browser(auth).body(signInEmail, { email, password })
    assert.isEmpty(yield* rows(RequiredActions))
  })

  rule("a factor is enrolled by the endpoints of its module, after a change of the password", function* () {
    const { owner, user_id } = yield* both
    yield* withVerified(user_id)
    yield* owner.body(adminUsersRequire, { user_id, actions: ["enrol_factor", "change_password"] })
    const their = browser(auth)
    const first = yield* challenged(their)
    assert.deepStrictEqual(first.required_actions, ["change_password", "enrol_factor"])
    assert.strictEqual(yield* their.code(twoFactorTotpEnrol, { challenge_token: first.challenge_token }), "invalid_token")
    const changed = yield* their.call(requiredActionsChangePassword, { challenge_token: first.challenge_token, new_password: next })
    const { challenge_token, ...rest } = changed.body as unknown as typeof first
    assert.deepInclude(rest as object, { required_actions: ["enrol_factor"], two_factor_enrolment_required: true })
    assert.isFalse(yield* isSignedIn(their))
    const { secret } = yield* their.body(twoFactorTotpEnrol, { challenge_token })
    yield* their.body(twoFactorTotpEnrolConfirm, { challenge_token, code: yield* shownBy(secret) })
    assert.isTrue(yield* isSignedIn(their))
    assert.isEmpty(yield* rows(RequiredActions))
  })

  rule("no factor is enrolled for an address that was never verified", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersRequire, { user_id, actions: ["enrol_factor"] })
    assert.strictEqual(yield* browser(auth).code(signInEmail, { email, password }), "email_not_verified")
  })
})
