import { assert, it } from "@effect/vitest"
import { Effect, Logger, Schema } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { erase } from "../../../../application/modules/audit/erase.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { seal as sealing } from "../../../../application/modules/audit/seal.ts"
import { type AuditRecord, Records } from "../../../../application/modules/audit/tables.ts"
import { verify } from "../../../../application/modules/audit/verify.ts"
import { events } from "../../../../application/modules/events/index.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { tables as outboxTables } from "../../../../domain/mail/outbox-tables.ts"
import { put, Store } from "../../../../domain/ports/store.ts"
import type { AnyTable } from "../../../../domain/ports/table.ts"
import { modules as everything } from "../../../everything.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { core, emails, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { arrived, opened } from "../../service/open-stream.ts"

const root = "root@example.com"
const built = admin.build({ admin_emails: [root], admin_user_ids: [], suspension: true, erasures: true, roles: {} } as never)
const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const webhooks = events.build(Schema.decodeUnknownSync(events.settings)({ webhooks: [] }), owned)
const modules = [...core, built, organizations, log, webhooks]
const auth = AuthOf.make(modules)
const seal = Effect.provide(sealing, commandPolicies(modules))
const rule = rulesOf(modules)
const { adminBanUser, adminRemoveUser, adminRevokeUserSessions, adminSetRole, adminUsersErase, adminUsersResetFactors } = built.endpoints
const signedUp = (email: string) => signedUpTo(email, auth)
const both = Effect.map(Effect.all([signedUp(root), signedUp("ada@example.com")]), ([owner, ada]) => ({ owner, ada, user_id: ada.user.id }))

const marker = "MARKER-7f3d"
const reason = `They lost their phone, ${marker}`
const notesOf = (all: ReadonlyArray<AuditRecord>) => all.flatMap(({ type, note }) => (note === null ? [] : [`${type}: ${note}`])).toSorted()

/** The names of the tables that have a text in one of their rows. */
const tablesWith = Effect.fnUntraced(function* tablesWith(text: string) {
  const { list } = yield* Store
  const all: ReadonlyArray<AnyTable> = [...auth.tables, ...outboxTables]
  const found = yield* Effect.filter(all, (table) =>
    Effect.map(list(table, {}, { limit: 1000 }), (stored) => JSON.stringify(stored).includes(text)),
  )
  return [...new Set(found.map(({ name }) => name))]
})

const settledFaults = Effect.gen(function* () {
  yield* seal
  yield* TestClock.adjust("2 minutes")
  return (yield* verify).faults
})

rule("keeps the reason in the records of the call, and nowhere else", function* () {
  const { owner, ada, user_id } = yield* both
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  yield* owner.body(adminRevokeUserSessions, { user_id, reason }).pipe(Effect.provide(Logger.layer([logger])))
  assert.deepStrictEqual(notesOf(yield* rows(Records)), [`session.revoked: ${reason}`])
  assert.deepStrictEqual(yield* tablesWith(marker), ["audit_record"])
  assert.notInclude(JSON.stringify([yield* emails, lines]), marker)
  yield* owner.body(adminSetRole, { user_id, role: "support" })
  assert.lengthOf(notesOf(yield* rows(Records)), 1)
  assert.isFalse(yield* Effect.isSuccess(ada.body(auth.endpoints["listSessions"]!)))
})

rule("shows it to administrators with audit:read, to neither the user nor owners of an organization", function* () {
  const { owner, ada, user_id } = yield* both
  const { organization } = (yield* ada.body(auth.endpoints["organizationCreate"]!, { name: "One", slug: "one" })) as {
    readonly organization: { readonly id: string }
  }
  const stream = yield* opened("adminAuditEvents", owner)
  yield* arrived(stream)
  const input = { organization_id: organization.id, user_id: owner.user.id }
  yield* owner.body(auth.endpoints["adminOrganizationsAddMember"]!, { ...input, role: "member" })
  yield* owner.body(auth.endpoints["adminOrganizationsRemoveMember"]!, { ...input, reason })
  yield* owner.body(adminSetRole, { user_id, role: "support", reason })
  assert.include(JSON.stringify(yield* arrived(stream, ({ value }) => value)), marker)
  const { entries } = yield* owner.body(log.endpoints.adminAuditList, { subject_id: user_id })
  assert.strictEqual(entries[0]?.note, reason)
  const own = JSON.stringify(yield* ada.body(log.endpoints.auditList))
  const ofOrganization = JSON.stringify(yield* ada.body(log.endpoints.organizationAuditList, { organization_id: organization.id }))
  assert.include(ofOrganization, "organization.member_removed")
  assert.notInclude(own + ofOrganization, `"note`)
  assert.notInclude(own + ofOrganization, marker)
})

rule("erases it with its subject, before and after the seal, and stays verifiable", function* () {
  const { owner, user_id } = yield* both
  const other = yield* signedUp("eve@example.com")
  yield* owner.body(adminBanUser, { user_id, reason })
  yield* owner.body(adminSetRole, { user_id: other.user.id, role: "support", reason: "A reason that stays" })
  yield* seal
  yield* owner.body(adminRemoveUser, { user_id, reason })
  assert.include(yield* tablesWith(marker), "audit_record")
  yield* erase
  assert.deepStrictEqual(yield* tablesWith(marker), [])
  const [own] = (yield* rows(Records)).filter(({ type }) => type === "user.banned")
  assert.deepInclude(own, { note: null, note_salt: null, ip_address: "192.0.2.1" })
  assert.isString(own?.note_hash)
  assert.isTrue(notesOf(yield* rows(Records)).every((note) => note.endsWith("A reason that stays")))
  assert.isAbove(notesOf(yield* rows(Records)).length, 0)
  assert.deepStrictEqual(yield* settledFaults, [])
})

rule("is in no record of something else that the call removed with the user", function* () {
  const { owner, ada, user_id } = yield* both
  const create = auth.endpoints["organizationCreate"]!
  const { organization } = (yield* owner.body(create, { name: "One", slug: "one" })) as { readonly organization: { readonly id: string } }
  yield* owner.body(auth.endpoints["adminOrganizationsDelete"]!, { organization_id: organization.id, reason })
  assert.deepStrictEqual(notesOf(yield* rows(Records)), [`organization.deleted: ${reason}`])
  yield* ada.body(create, { name: "Two", slug: "two" })
  yield* owner.body(adminRemoveUser, { user_id, reason: "They asked for it, MARKER-2" })
  assert.include(yield* tablesWith("MARKER-2"), "audit_record")
  yield* erase
  assert.deepStrictEqual(yield* tablesWith("MARKER-2"), [])
  assert.deepStrictEqual(yield* settledFaults, [])
})

rule("keeps it when the administrator who wrote it is removed, without their address", function* () {
  const { owner, ada, user_id } = yield* both
  yield* owner.body(adminSetRole, { user_id, role: "admin", reason })
  yield* ada.body(adminUsersErase, { user_id: owner.user.id, confirm: root, reason: "They left the company" })
  yield* erase
  const written = (yield* rows(Records)).filter(({ note }) => note === reason)
  assert.isAbove(written.length, 0)
  for (const { ip_address, salt } of written) assert.deepStrictEqual([ip_address, salt], [null, null])
  assert.deepStrictEqual(yield* tablesWith("They left the company"), [])
  assert.deepStrictEqual(yield* settledFaults, [])
})

rule("erases the parts of one record for two users at once", function* () {
  const { owner, ada, user_id } = yield* both
  yield* owner.body(adminSetRole, { user_id, role: "admin", reason })
  yield* Effect.all(times(10, () => owner.body(adminSetRole, { user_id, role: "admin", reason })))
  const last = yield* signedUp("eve@example.com")
  yield* owner.body(adminSetRole, { user_id: last.user.id, role: "admin" })
  yield* last.body(adminRemoveUser, { user_id })
  yield* last.body(adminRemoveUser, { user_id: owner.user.id })
  yield* Effect.all(
    times(5, () => erase),
    { concurrency: "unbounded" },
  )
  const shared = (yield* rows(Records)).filter(({ actor_id, subject_id }) => actor_id === owner.user.id && subject_id === ada.user.id)
  assert.isAbove(shared.length, 0)
  for (const { note, salt, note_salt, ip_address } of shared)
    assert.deepStrictEqual([note, note_salt, salt, ip_address], [null, null, null, null])
  assert.deepStrictEqual(yield* settledFaults, [])
})

rule("finds a changed, added and replaced note", function* () {
  const { owner, user_id } = yield* both
  yield* owner.body(adminRevokeUserSessions, { user_id, reason })
  assert.deepStrictEqual(yield* settledFaults, [])
  const all = yield* rows(Records)
  const [noted, plain] = [all.find(({ note }) => note !== null)!, all.find(({ note }) => note === null)!]
  const commit = (row: AuditRecord) => Effect.flatMap(Store, (store) => Effect.orDie(store.commit([put(Records, row)])))
  const changes: ReadonlyArray<readonly [AuditRecord, Partial<AuditRecord>]> = [
    [noted, { note: "Something else happened" }],
    [noted, { note: null }],
    [noted, { note_salt: null }],
    [noted, { note: null, note_salt: null, note_hash: null }],
    [plain, { note: "Something else happened" }],
    [plain, { note: "Something else happened", note_salt: noted.note_salt, note_hash: noted.note_hash }],
    [plain, { note: noted.note, note_salt: noted.note_salt, note_hash: noted.note_hash }],
  ]
  for (const [row, change] of changes) {
    yield* commit({ ...row, ...change })
    assert.deepStrictEqual((yield* verify).faults, [`record ${row.id} was changed`], JSON.stringify(change))
    yield* commit(row)
  }
  yield* commit({ ...noted, note: null, note_salt: null })
  assert.deepStrictEqual((yield* verify).faults, [])
})

rule("takes 10 to 500 characters, without those that hide or reorder text", function* () {
  const { owner, user_id } = yield* both
  const given = (typed: unknown) => owner.body(adminRevokeUserSessions, { user_id, reason: typed })
  for (const typed of ["", "123456789", "\u202e\u200b1234567\n9", "x".repeat(501), 1234567890, null, "1234567890\ud800"]) {
    const error = yield* Effect.flip(given(typed))
    assert.strictEqual(error._tag, "invalid_request", String(typed))
    assert.notInclude(error.message, "1234567890")
  }
  for (const typed of ["1234567890", "x".repeat(500), " one\u202e two\r\nthree\u200b "]) yield* given(typed)
  const { entries } = yield* owner.body(log.endpoints.adminAuditList, { subject_id: user_id })
  assert.deepStrictEqual(
    entries.filter(({ note }) => note !== null).map(({ note }) => note),
    ["1234567890"],
  )
  yield* owner.body(adminBanUser, { user_id, reason: `${"x".repeat(499)}😀 and more` })
  const [banned] = (yield* rows(Records)).filter(({ type }) => type === "user.banned")
  assert.strictEqual(banned?.note, `${"x".repeat(499)}\ufffd`)
  assert.deepStrictEqual(yield* settledFaults, [])
})

rule("leaves the reasons of endpoints that had one before as they were", function* () {
  const { owner, user_id } = yield* both
  assert.strictEqual(yield* owner.code(adminUsersResetFactors, { user_id }), "invalid_request")
  yield* owner.body(built.endpoints.adminUsersSuspend, { user_id, reason: "spam" })
  assert.strictEqual(yield* owner.code(built.endpoints.adminUsersSuspend, { user_id }), "invalid_request")
  const [suspended] = (yield* rows(Records)).filter(({ type }) => type === "user.suspended")
  assert.strictEqual(suspended?.note, "spam")
  const shown = yield* owner.body(built.endpoints.adminUsersShow, { user_id })
  assert.strictEqual(shown.ban?.reason, "spam")
})

rule("is in no record of a refused call", function* () {
  const { ada } = yield* both
  yield* signedUp("eve@example.com")
  assert.strictEqual(yield* ada.code(adminSetRole, { user_id: "unknown", role: "admin", reason }), "forbidden")
  yield* auth.flush as Effect.Effect<void>
  assert.deepStrictEqual(yield* tablesWith(marker), [])
})

it("is taken by what harms an account, shows a secret, cannot be undone or concerns many", () => {
  const takers = Object.values<AnyEndpoint>(AuthOf.make(everything).endpoints).filter(({ access, input }) => {
    const { fields } = input as unknown as Schema.Struct<Schema.Struct.Fields>
    return typeof access === "object" && fields !== undefined && Object.hasOwn(fields, "reason")
  })
  assert.sameMembers(
    takers.map(({ path }) => path),
    [
      "/admin/api-keys/create",
      "/admin/api-keys/revoke",
      "/admin/api-keys/rotate",
      "/admin/ban-user",
      "/admin/clients/block",
      "/admin/clients/unblock",
      "/admin/clients/delete",
      "/admin/clients/rotate-secret",
      "/admin/impersonate/start",
      "/admin/jobs/create",
      "/admin/audit/export",
      "/admin/keys/rotate",
      "/admin/organizations/delete",
      "/admin/organizations/remove-member",
      "/admin/outbox/discard",
      "/admin/remove-user",
      "/admin/revoke-user-sessions",
      "/admin/roles/assign",
      "/admin/roles/withdraw",
      "/admin/service-accounts/create",
      "/admin/service-accounts/delete",
      "/admin/service-accounts/update",
      "/admin/set-role",
      "/admin/users/cancel-erasure",
      "/admin/users/erase",
      "/admin/users/export",
      "/admin/users/merge",
      "/admin/users/remove-credential",
      "/admin/users/reset-factors",
      "/admin/users/set-email",
      "/admin/users/set-password",
      "/admin/users/set-phone",
      "/admin/users/set-username",
      "/admin/users/suspend",
      "/admin/webhooks/delete",
      "/admin/webhooks/rotate-secret",
      "/oauth2/rotate-keys",
    ],
  )
})
