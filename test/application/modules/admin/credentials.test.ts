import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts } from "../../../../domain/users/tables.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import {
  atOnce,
  browser,
  endpoints as core,
  emails,
  isSignedIn,
  linked,
  mailedToken,
  onWire,
  password,
  rows,
  signedUp as signedUpTo,
  times,
  withoutPassword,
  withVerified,
} from "../../../world.ts"

const [root, boss] = ["root@example.com", "boss@example.com"]
const configured = (settings: object) => {
  const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root, boss], roles: {}, ...settings }))
  const modules = [...everything.filter(({ name }) => name !== "admin"), built]
  return { modules, built, auth: AuthOf.make(modules) }
}
const { modules, built, auth } = configured({})
const rule = rulesOf(modules)
const strict = configured({ require_versions: true })
const {
  adminSetRole,
  adminUsersCredentials,
  adminUsersMemberships,
  adminUsersRevokeSession,
  adminUsersSendReset,
  adminUsersSendVerification,
  adminUsersSessions,
  adminUsersSetPassword,
  adminUsersShow,
  adminUsersVerifyEmail,
} = built.endpoints
const { getSession, resetPassword, signInEmail, verifyEmail } = core

const signedUp = (address: string) => signedUpTo(address, auth)
const [email, next] = ["ada@example.com", "another correct horse"]
const both = Effect.gen(function* () {
  const owner = yield* signedUp(root)
  const ada = yield* signedUp(email)
  return { owner, ada, user_id: ada.user.id }
})

describe("POST /admin/users/set-password", () => {
  rule("replaces the password, ends the sessions and tells the user", function* () {
    const { owner, ada, user_id } = yield* both
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const shown = yield* owner.body(adminUsersSetPassword, { user_id, password: next, expected_version: version })
    assert.notStrictEqual(shown.version, version)
    assert.isFalse(yield* isSignedIn(ada))
    assert.strictEqual(yield* browser(auth).code(signInEmail, { email, password }), "invalid_credentials")
    yield* browser(auth).body(signInEmail, { email, password: next })
    assert.deepStrictEqual(
      (yield* emails).map(({ to }) => to),
      [email],
    )
    const again = { user_id, password, expected_version: version }
    assert.strictEqual(yield* owner.code(adminUsersSetPassword, again), "version_mismatch")
    for (const wrong of [{ password: "short" }, { password: 7 }, { user_id: "unknown", password: next }])
      assert.include(
        ["password_too_short", "invalid_request", "user_not_found"],
        yield* owner.code(adminUsersSetPassword, { user_id, ...wrong } as object),
      )
  })

  rule("keeps the sessions on request, and gives a password to a user without one", function* () {
    const { owner, ada, user_id } = yield* both
    yield* withoutPassword(user_id)
    yield* owner.body(adminUsersSetPassword, { user_id, password: next, revoke_sessions: false })
    assert.isTrue(yield* isSignedIn(ada))
    yield* browser(auth).body(signInEmail, { email, password: next })
  })

  rule("sent many times at once with one version succeeds once", function* () {
    const { owner, user_id } = yield* both
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const set = (index: number) => owner.call(adminUsersSetPassword, { user_id, password: `${next} ${index}`, expected_version: version })
    assert.deepStrictEqual(yield* atOnce(times(20, set)), { ok: 1, version_mismatch: 19 })
  })

  rulesOf(strict.modules)("needs a version where the configuration says so", function* () {
    const owner = yield* signedUpTo(root, strict.auth)
    const { adminUsersSetPassword, adminUsersUpdate, adminUsersVerifyEmail } = strict.built.endpoints
    const input = { user_id: owner.user.id, password: next, changes: {} }
    for (const endpoint of [adminUsersSetPassword, adminUsersUpdate, adminUsersVerifyEmail] as ReadonlyArray<AnyEndpoint>)
      assert.strictEqual(yield* owner.code(endpoint, input), "version_required")
  })
})

describe("mails on behalf of a user", () => {
  rule("have a link to set a new password", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersSendReset, { user_id })
    assert.notInclude((yield* emails).at(-1)?.text, "Browser:")
    yield* browser(auth).body(resetPassword, { token: yield* mailedToken, new_password: next })
    yield* browser(auth).body(signInEmail, { email, password: next })
  })

  rule("have a link to verify the address, unless it is verified", function* () {
    const { owner, user_id } = yield* both
    yield* owner.body(adminUsersSendVerification, { user_id })
    yield* browser(auth).body(verifyEmail, { token: yield* mailedToken })
    assert.isTrue((yield* owner.body(adminUsersShow, { user_id })).user.email_verified)
    assert.strictEqual(yield* owner.code(adminUsersSendVerification, { user_id }), "invalid_request")
  })

  rule("are not sent to an address without a mailbox, or for an unknown user", function* () {
    const owner = yield* signedUp(root)
    const { user } = yield* owner.body(built.endpoints.adminUsersCreate, { email: null })
    for (const endpoint of [adminUsersSendReset, adminUsersSendVerification] as ReadonlyArray<AnyEndpoint>) {
      assert.strictEqual(yield* owner.code(endpoint, { user_id: user.id }), "invalid_request")
      assert.strictEqual(yield* owner.code(endpoint, { user_id: "unknown" }), "user_not_found")
    }
    assert.lengthOf(yield* emails, 0)
  })
})

describe("POST /admin/users/verify-email", () => {
  rule("verifies the address, and removes what the link would remove from an account that was never verified", function* () {
    const { owner, ada, user_id } = yield* both
    yield* linked(user_id, "github")
    const shown = yield* owner.body(adminUsersVerifyEmail, { user_id })
    assert.isTrue(shown.user.email_verified)
    assert.deepStrictEqual(
      (yield* rows(Accounts)).filter((account) => account.user_id === user_id).map(({ provider_id }) => provider_id),
      ["credential"],
    )
    assert.isTrue(yield* isSignedIn(ada))
    assert.strictEqual(yield* owner.code(adminUsersVerifyEmail, { user_id: "unknown" }), "user_not_found")
  })

  rule("does not give the rights of an address, neither to a manager nor to the user who registered it", function* () {
    const { owner, ada: manager } = yield* both
    yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "user_manager" })
    const squatter = yield* signedUpTo(boss, auth)
    yield* withVerified(squatter.user.id, false)
    const refused = yield* manager.code(adminUsersVerifyEmail, { user_id: squatter.user.id })
    assert.strictEqual(refused, "forbidden")
    yield* owner.body(adminUsersVerifyEmail, { user_id: squatter.user.id })
    assert.isFalse(yield* isSignedIn(squatter))
    assert.strictEqual(yield* browser(auth).code(signInEmail, { email: boss, password }), "invalid_credentials")
  })
})

describe("what administrators see of a user", () => {
  rule("are credentials without secrets", function* () {
    const { owner, user_id } = yield* both
    yield* linked(user_id, "github")
    const seen = yield* owner.body(adminUsersCredentials, { user_id })
    assert.sameMembers(
      seen.accounts.map(({ provider_id }) => provider_id),
      ["credential", "github"],
    )
    assert.deepInclude(seen, { authenticators: [], second_factor: false, required_actions: [] })
    assert.isNotNull(seen.password_set_at)
    const wire = JSON.stringify(yield* onWire(adminUsersCredentials, seen))
    for (const hidden of ["hash", password]) assert.notInclude(wire, hidden)
    assert.strictEqual(yield* owner.code(adminUsersCredentials, { user_id: "unknown" }), "user_not_found")
  })

  rule("are sessions, each of which ends on its own", function* () {
    const { owner, ada, user_id } = yield* both
    const other = yield* signedUp("eve@example.com")
    const second = browser(auth)
    yield* second.body(signInEmail, { email, password })
    const { sessions } = yield* owner.body(adminUsersSessions, { user_id })
    assert.lengthOf(sessions, 2)
    assert.notInclude(JSON.stringify(yield* onWire(adminUsersSessions, { sessions })), "token")
    const { session } = yield* second.body(getSession)
    const input = { user_id, session_id: session?.id }
    assert.deepStrictEqual(yield* owner.body(adminUsersRevokeSession, { ...input, user_id: other.user.id }), { success: false })
    const tally = yield* Effect.all(
      times(10, () => owner.body(adminUsersRevokeSession, input)),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(
      tally.filter(({ success }) => success),
      1,
    )
    assert.deepStrictEqual([yield* isSignedIn(second), yield* isSignedIn(ada)], [false, true])
    assert.lengthOf(yield* rows(Sessions), 3)
    for (const endpoint of [adminUsersSessions, adminUsersRevokeSession] as ReadonlyArray<AnyEndpoint>)
      assert.strictEqual(yield* owner.code(endpoint, { user_id: "unknown", session_id: "1" }), "user_not_found")
  })

  rule("are organizations, with the role in each", function* () {
    const { owner, ada, user_id } = yield* both
    const create: AnyEndpoint = auth.endpoints["organizationCreate"]!
    for (const slug of ["acme", "other"]) yield* ada.body(create, { name: slug.toUpperCase(), slug })
    const { memberships } = yield* owner.body(adminUsersMemberships, { user_id })
    assert.deepStrictEqual(
      memberships.map(({ name, slug, role }) => [name, slug, role]),
      [
        ["ACME", "acme", "owner"],
        ["OTHER", "other", "owner"],
      ],
    )
    assert.strictEqual(yield* owner.code(adminUsersMemberships, { user_id: "unknown" }), "user_not_found")
  })
})

rule("no caller acts upward on credentials and sessions", function* () {
  const { owner, ada: manager } = yield* both
  yield* owner.body(adminSetRole, { user_id: manager.user.id, role: "user_manager" })
  const auditor = yield* signedUp("auditor@example.com")
  yield* owner.body(adminSetRole, { user_id: auditor.user.id, role: "security" })
  const { session } = yield* auditor.body(getSession)
  const writes = [adminUsersSetPassword, adminUsersVerifyEmail, adminUsersSendReset, adminUsersSendVerification, adminUsersRevokeSession]
  for (const endpoint of writes as ReadonlyArray<AnyEndpoint>)
    for (const user_id of [owner.user.id, auditor.user.id])
      assert.strictEqual(yield* manager.code(endpoint, { user_id, password: next, session_id: session?.id }), "forbidden", endpoint.path)
  assert.isTrue(yield* isSignedIn(auditor))
})
