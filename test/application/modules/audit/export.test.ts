import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { Exports, mostExported } from "../../../../application/modules/audit/export.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { type AuditRecord, Records } from "../../../../application/modules/audit/tables.ts"
import { insert, Store, StoreUnavailable } from "../../../../domain/ports/store.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { at, core, onWire, rows, signedUp, times } from "../../../world.ts"

const administration = (settings: object = {}) =>
  admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"], roles: {}, ...settings }))
const administrators = administration()
const log = audit.build(Schema.decodeUnknownSync(audit.settings)({ keep: 60, keep_changes: 3600 }), owned)
const rule = rulesOf([...core, administrators, log])
const { adminAuditExport, adminAuditList } = log.endpoints
const { adminSetRole } = administrators.endpoints
const reason = "for the yearly review"

const entriesOf = ({ lines }: { readonly lines: string }) =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown)

/** Adds records, the first of which is the oldest. */
const added = Effect.fnUntraced(function* (count: number, changes: Partial<AuditRecord> = {}) {
  const [one] = yield* rows(Records)
  if (one === undefined) return assert.fail("no record to copy")
  const expires_at = DateTime.add(yield* DateTime.now, { hours: 1 })
  const id = (index: number) => `10000000-0000-7000-8000-${String(index).padStart(12, "0")}`
  const all = times(count, (index) => insert(Records, { ...one, type: "session.opened", ...changes, id: id(index), expires_at }))
  for (let from = 0; from < count; from += 1000) yield* Effect.orDie((yield* Store).commit(all.slice(from, from + 1000)))
  return id
})

rule("exports the entries of the list as lines, with its filters, for those with audit:export", function* () {
  const [owner, helper, ada] = [
    yield* signedUp("root@example.com"),
    yield* signedUp("helper@example.com"),
    yield* signedUp("ada@example.com"),
  ]
  for (const role of ["support", "user_manager"]) {
    yield* owner.body(adminSetRole, { user_id: helper.user.id, role })
    assert.strictEqual(yield* helper.code(adminAuditExport, { reason }), "forbidden")
  }
  assert.strictEqual(yield* ada.code(adminAuditExport, { reason }), "forbidden")
  yield* owner.body(adminSetRole, { user_id: helper.user.id, role: "security" })
  for (const filters of [
    {},
    { subject_id: ada.user.id },
    { type: "user.created" },
    { actor_id: "unknown" },
    { since: "1970-01-01T01:00:00Z" },
  ]) {
    const listed = yield* onWire(adminAuditList, yield* helper.body(adminAuditList, { ...filters, limit: 1000 }))
    const exported = yield* helper.body(adminAuditExport, { ...filters, reason })
    assert.deepStrictEqual(entriesOf(exported), listed.entries)
    assert.deepInclude(exported, { records: listed.entries.length, capped: false })
  }
})

rule("needs a reason of 10 to 500 characters, and keeps it as long as the record", function* () {
  const owner = yield* signedUp("root@example.com")
  for (const refused of [undefined, "", "too short", `x${" ".repeat(20)}`, "x".repeat(501)])
    assert.strictEqual(yield* owner.code(adminAuditExport, { reason: refused }), "invalid_request")
  for (const taken of ["x".repeat(10), "x".repeat(500)]) yield* owner.body(adminAuditExport, { reason: taken })
  const notes = (yield* rows(Records)).filter(({ type }) => type === "audit.exported").map(({ note }) => note)
  assert.sameMembers(notes, ["x".repeat(10), "x".repeat(500)])
  const now = yield* DateTime.now
  for (const { expires_at } of yield* rows(Exports)) assert.deepStrictEqual(expires_at, DateTime.add(now, { seconds: 3600 }))
})

rule("is recorded with the number of records and the reason", function* () {
  const owner = yield* signedUp("root@example.com")
  const { records } = yield* owner.body(adminAuditExport, { reason, type: "user.created", since: "1969-01-01T00:00:00Z" })
  const [one, ...others] = (yield* rows(Records)).filter(({ type }) => type === "audit.exported")
  assert.lengthOf(others, 0)
  assert.deepInclude(one, { actor_kind: "admin", actor_id: owner.user.id, subject_kind: "service", subject_id: null })
  assert.deepInclude(one?.data, { records: String(records), filters: ["since", "type"] })
  assert.strictEqual(one?.note, reason)
})

rule("answers nothing that is not recorded", function* () {
  const owner = yield* signedUp("root@example.com")
  const store = yield* Store
  const away = Store.of({ ...store, commit: () => Effect.die(new StoreUnavailable({ cause: "gone" })) })
  const refused = yield* Effect.exit(Effect.provideService(owner.call(adminAuditExport, { reason }), Store, away))
  assert.isTrue(Exit.isFailure(refused))
})

rule("has at most 10,000 records, the newest", function* () {
  const owner = yield* signedUp("root@example.com")
  const id = yield* added(mostExported + 3)
  const filters = { reason, type: "session.opened", since: "1970-01-01T00:00:00Z" }
  const first = yield* owner.body(adminAuditExport, filters)
  assert.deepStrictEqual([first.records, entriesOf(first).length], [mostExported, mostExported])
  const idsOf = (exported: { readonly lines: string }) => entriesOf(exported).map((entry) => (entry as { readonly id: string }).id)
  assert.deepStrictEqual(idsOf(first).slice(0, 2), [id(mostExported + 2), id(mostExported + 1)])
  assert.strictEqual(idsOf(first).at(-1), id(3))
  assert.isTrue(first.capped)
})

rule("needs a recent proof of identity where step_up is set", function* () {
  const owner = yield* signedUp("root@example.com")
  const strict = at(owner, administration({ step_up: true }), log)
  yield* strict.body(adminAuditExport, { reason })
  yield* TestClock.adjust("1 hour")
  assert.strictEqual(yield* strict.code(adminAuditExport, { reason }), "session_not_fresh")
})
