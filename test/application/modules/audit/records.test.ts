import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, endpoints, mailedToken, password, rows, Service, signedIn, signedUp, times, withSettings } from "../../../world.ts"

const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}))
const administration = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const rule = rulesOf([...core, administration, organizations, log])

const flush = Effect.flatMap(Service, ({ flush }) => flush)

/** Types and outcomes of all records, in the order of their ids. */
const recorded = Effect.gen(function* () {
  yield* flush
  const all = yield* (yield* Store).list(Records, {}, { limit: 1000, order: "id" })
  return all.map(({ type }) => type)
})

/** The counts of the failed sign-ins, in the order of their records. */
const failureCounts = Effect.gen(function* () {
  yield* flush
  const all = yield* (yield* Store).list(Records, {}, { limit: 1000, order: "id" })
  return all.filter(({ type }) => type === "sign_in.failed").map(({ count }) => count)
})

rule("records a sign-up in its commit", function* () {
  const { user } = yield* signedUp("ada@example.com")
  const all = yield* rows(Records)
  assert.deepStrictEqual(all.map(({ type }) => type).toSorted(), [
    "credential.added",
    "session.opened",
    "sign_in.succeeded",
    "user.created",
  ])
  const opened = all.find(({ type }) => type === "session.opened")
  assert.deepInclude(opened, { subject_id: user.id, actor_kind: "user", actor_id: user.id, ip_address: "192.0.2.1", user_agent: "test" })
  assert.deepStrictEqual(opened?.data, { operation: "signUpEmail", method: "email_password" })
})

rule("records failed sign-ins: the first at once, repeats after 2, 10 and 60 seconds with their number", function* () {
  const { user } = yield* signedUp("ada@example.com")
  const attempt = browser().code(endpoints.signInEmail, { email: "ada@example.com", password: "a wrong one" })
  yield* Effect.all(times(5, () => attempt))
  assert.deepStrictEqual(yield* failureCounts, [1])
  yield* TestClock.adjust("1999 millis")
  assert.deepStrictEqual(yield* failureCounts, [1])
  yield* TestClock.adjust("1 millis")
  assert.deepStrictEqual(yield* failureCounts, [1, 4])
  yield* Effect.all(times(2, () => attempt))
  yield* TestClock.adjust("7999 millis")
  assert.deepStrictEqual(yield* failureCounts, [1, 4])
  yield* TestClock.adjust("1 millis")
  assert.deepStrictEqual(yield* failureCounts, [1, 4, 2])
  yield* attempt
  yield* TestClock.adjust("49 seconds")
  assert.deepStrictEqual(yield* failureCounts, [1, 4, 2])
  yield* TestClock.adjust("1 second")
  assert.deepStrictEqual(yield* failureCounts, [1, 4, 2, 1])
  const [one] = (yield* rows(Records)).filter(({ type }) => type === "sign_in.failed")
  assert.deepInclude(one, {
    outcome: "failure",
    reason: "invalid_credentials",
    subject_kind: "user",
    subject_id: user.id,
    actor_kind: "visitor",
  })
})

rule("records a failure at once again after a minute without one", function* () {
  yield* signedUp("ada@example.com")
  const attempt = browser().code(endpoints.signInEmail, { email: "ada@example.com", password: "a wrong one" })
  yield* attempt
  for (const pause of ["2 seconds", "8 seconds", "50 seconds"] as const) {
    yield* TestClock.adjust(pause)
    assert.deepStrictEqual(yield* failureCounts, [1])
  }
  yield* attempt
  assert.deepStrictEqual(yield* failureCounts, [1, 1])
})

rule("records at most 20 different failures of a network in a minute, and the rest as one record with their number", function* () {
  const names = times(100, (at) => `eve${at}@example.com`)
  yield* Effect.forEach(names, (email) => browser().code(endpoints.signInEmail, { email, password }))
  yield* flush
  yield* TestClock.adjust("1 minute")
  yield* flush
  const counts = (yield* rows(Records)).map(({ count }) => count)
  assert.deepStrictEqual(
    counts.toSorted((one, other) => one - other),
    [...times(21, () => 1), 79],
  )
})

rule("records an unknown name by its hash, without the name", function* () {
  yield* browser().code(endpoints.signInEmail, { email: "eve@example.com", password })
  yield* flush
  const [one] = yield* rows(Records)
  assert.strictEqual(one?.subject_kind, "identifier")
  assert.notInclude(JSON.stringify(one), "eve")
})

rule("records as many rows for a reset link of an unknown as of a known address", function* () {
  yield* signedUp("ada@example.com")
  const before = (yield* rows(Records)).length
  yield* browser().body(endpoints.requestPasswordReset, { email: "ada@example.com" })
  const known = (yield* rows(Records)).length - before
  yield* browser().body(endpoints.requestPasswordReset, { email: "eve@example.com" })
  assert.deepStrictEqual([known, (yield* rows(Records)).length - before - known], [1, 1])
  assert.notInclude(JSON.stringify(yield* rows(Records)), "example.com")
})

rule("records a recovery with the sessions that it ends", function* () {
  yield* signedUp("ada@example.com")
  yield* browser().body(endpoints.requestPasswordReset, { email: "ada@example.com" })
  const token = yield* mailedToken
  yield* browser().body(endpoints.resetPassword, { token, new_password: "another battery staple" })
  const types = yield* recorded
  assert.includeMembers(types, ["recovery.requested", "recovery.completed", "session.revoked"])
})

rule("records nothing when the commit fails", function* () {
  yield* signedUp("ada@example.com")
  const before = (yield* rows(Records)).length
  assert.strictEqual(yield* browser().code(endpoints.signUpEmail, { email: "ada@example.com", password }), "user_already_exists")
  assert.strictEqual((yield* rows(Records)).length, before)
})

rule("records what administrators do, with both users", function* () {
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp("ada@example.com")
  yield* root.body(administration.endpoints.adminBanUser, { user_id: ada.user.id, reason: "a reason" })
  yield* root.body(administration.endpoints.adminUnbanUser, { user_id: ada.user.id })
  yield* root.body(administration.endpoints.adminSetRole, { user_id: ada.user.id, role: "admin" })
  const byRoot = (yield* rows(Records)).filter(({ actor_kind }) => actor_kind === "admin")
  assert.deepStrictEqual(byRoot.map(({ type }) => type).toSorted(), [
    "session.revoked",
    "user.banned",
    "user.role_changed",
    "user.unbanned",
  ])
  assert.isTrue(byRoot.every(({ actor_id, subject_id }) => actor_id === root.user.id && subject_id === ada.user.id))
})

rule("records refused callers", function* () {
  const ada = yield* signedUp("ada@example.com")
  assert.strictEqual(yield* ada.code(administration.endpoints.adminListUsers), "forbidden")
  assert.include(yield* recorded, "access.denied")
})

const withRoles = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [], roles: {} })
const ruleWithRoles = rulesOf([...core, withRoles, organizations, log])

ruleWithRoles("records what a refused administrator lacks, and the user whom the call names", function* () {
  const { adminSetRole, adminBanUser } = withRoles.endpoints
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp("ada@example.com")
  const helper = yield* signedUp("helper@example.com")
  yield* root.body(adminSetRole, { user_id: helper.user.id, role: "support" })
  for (const caller of [ada, helper]) {
    assert.strictEqual(yield* caller.code(adminBanUser, { user_id: root.user.id, reason: "typed" }), "forbidden")
    assert.strictEqual(yield* caller.code(adminBanUser, { user_id: "' or 1=1" }), "forbidden")
  }
  yield* recorded
  const denied = (yield* rows(Records)).filter(({ type }) => type === "access.denied")
  const shown = denied.map(({ actor_kind, actor_id, subject_id, data }) => [actor_kind, actor_id === subject_id, actor_id, data])
  const data = { operation: "adminBanUser", method: "admin", permission: "users:suspend" }
  assert.sameDeepMembers(shown, [
    ["user", true, ada.user.id, { ...data, target_user_id: root.user.id }],
    ["user", true, ada.user.id, data],
    ["admin", true, helper.user.id, { ...data, target_user_id: root.user.id }],
    ["admin", true, helper.user.id, data],
  ])
})

rule("records that a user was removed, and not each of their rows", function* () {
  const ada = yield* signedUp("ada@example.com")
  const before = (yield* rows(Records)).length
  yield* ada.body(endpoints.deleteUser, { password })
  assert.deepStrictEqual((yield* recorded).slice(before), ["user.deleted"])
})

rule("shows users their own records, without the address of an administrator", function* () {
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp("ada@example.com")
  yield* root.body(administration.endpoints.adminSetRole, { user_id: ada.user.id, role: "admin" })
  const { entries, next_cursor } = yield* ada.body(log.endpoints.auditList)
  assert.isUndefined(next_cursor)
  assert.deepInclude(entries[0], { type: "user.role_changed", by: "admin", ip_address: null, session_id: null, method: null })
  assert.deepInclude(entries.at(-1), { ip_address: "192.0.2.1", method: "email_password", operation: "signUpEmail" })
  assert.strictEqual(entries.find(({ type }) => type === "credential.added")?.kind, "credential")
  assert.deepStrictEqual(yield* ada.edge("auditLog"), entries)
})

rule("shows all records to administrators only, filtered and page by page", function* () {
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp("ada@example.com")
  yield* signedIn("ada@example.com")
  assert.strictEqual(yield* browser().code(log.endpoints.adminAuditList), "unauthorized")
  assert.strictEqual(yield* ada.code(log.endpoints.adminAuditList), "forbidden")
  const filter = { subject_id: ada.user.id, type: "session.opened" }
  const { entries } = yield* root.body(log.endpoints.adminAuditList, filter)
  assert.strictEqual(entries.length, 2)
  const first = yield* root.body(log.endpoints.adminAuditList, { ...filter, limit: 1 })
  const second = yield* root.body(log.endpoints.adminAuditList, { ...filter, limit: 1, cursor: first.next_cursor })
  assert.deepStrictEqual([...first.entries, ...second.entries], [...entries])
  assert.strictEqual(second.next_cursor, null)
})

rule("filters by time: from `since` on, before `until`", function* () {
  const root = yield* signedUp("root@example.com")
  yield* TestClock.adjust("1 hour")
  yield* signedIn("root@example.com")
  const at = new Date(3_600_000).toISOString()
  const listed = (filter: object) =>
    Effect.map(root.body(log.endpoints.adminAuditList, { type: "session.opened", ...filter }), ({ entries }) => entries.length)
  assert.deepStrictEqual([yield* listed({ since: at }), yield* listed({ until: at })], [1, 1])
})

rule("shows the records of an organization to its owners", function* () {
  const ada = yield* signedUp("ada@example.com")
  const eve = yield* signedUp("eve@example.com")
  const created = yield* ada.body(organizations.endpoints.organizationCreate, { name: "Acme", slug: "acme" })
  const organization_id = created.organization.id
  const { entries } = yield* ada.body(log.endpoints.organizationAuditList, { organization_id })
  assert.deepStrictEqual(entries.map(({ type }) => type).toSorted(), ["organization.created", "organization.member_added"])
  assert.strictEqual(yield* eve.code(log.endpoints.organizationAuditList, { organization_id }), "forbidden")
})

rule("keeps sign-ins for 90 days and changes for a year", function* () {
  yield* signedUp("ada@example.com")
  const store = yield* Store
  yield* store.sweep(new Date(90 * 86_400_000 - 1), 1000)
  assert.strictEqual((yield* rows(Records)).length, 4)
  yield* store.sweep(new Date(90 * 86_400_000), 1000)
  assert.deepStrictEqual((yield* recorded).toSorted(), ["credential.added", "user.created"])
})

rule(
  "records refused newcomers and the invitations of administrators, without their addresses",
  function* () {
    yield* withSettings({})(signedUp("root@example.com"))
    const root = yield* signedIn("root@example.com")
    const before = (yield* recorded).length
    const email = "ada@example.com"
    assert.strictEqual(yield* browser().code(endpoints.signUpEmail, { email, password }), "registration_closed")
    const { adminInvitationsCreate, adminInvitationsCancel } = administration.endpoints
    const { invitation } = yield* root.body(adminInvitationsCreate, { email })
    yield* root.body(adminInvitationsCancel, { invitation_id: invitation.id })
    yield* root.body(adminInvitationsCreate, { email })
    assert.strictEqual(yield* browser().code(endpoints.signUpEmail, { email, password }), "email_not_verified")
    const kinds = (yield* recorded).slice(before).filter((type) => type.startsWith("registration."))
    assert.sameMembers(kinds, ["registration.refused", "registration.invited", "registration.invitation_cancelled", "registration.invited"])
    assert.notInclude(JSON.stringify(yield* rows(Records)), email)
  },
  { registration: { mode: "invited" } },
)
