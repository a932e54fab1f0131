import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { applyErasures, listErasures } from "../../../../adapters/cli/erasures.ts"
import { erasureParts } from "../../../../application/modules/admin/erasure/index.ts"
import { ErasureReceipts, PendingErasures } from "../../../../application/modules/admin/erasure/tables.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { erase as eraseRecords } from "../../../../application/modules/audit/erase.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { Counters } from "../../../../domain/limits/rate-limits.ts"
import { tables as outboxTables } from "../../../../domain/mail/outbox-tables.ts"
import { finishRemovals } from "../../../../domain/storage/removals.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { printed } from "../../../adapters/cli/printed.ts"
import { modules } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, emails, rows, signedUp as signedUpTo, times, type WorldServices, withVerified } from "../../../world.ts"
import { until } from "./job-world.ts"

const root = "root@example.com"
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const endpoints: Readonly<Record<string, AnyEndpoint>> = Object.assign({}, ...modules.map(({ endpoints }) => endpoints))
const endpoint = (name: string) => endpoints[name] ?? assert.fail(name)

const signedUp = Effect.fnUntraced(function* (email: string) {
  const their = yield* signedUpTo(email, auth)
  yield* withVerified(their.user.id)
  const post = (name: string, input: object): Effect.Effect<any, never, WorldServices> => Effect.orDie(their.body(endpoint(name), input))
  return { ...their, post, refused: (name: string, input: object) => their.code(endpoint(name), input), id: their.user.id }
})
const both = Effect.gen(function* () {
  return { owner: yield* signedUp(root), ada: yield* signedUp("ada@example.com"), bob: yield* signedUp("bob@example.com") }
})

/** The background work of the service, until a condition holds. */
const workedUntil = (condition: Effect.Effect<boolean, never, WorldServices>) =>
  Effect.scoped(Effect.andThen(auth.background, until(condition))) as Effect.Effect<void, never, WorldServices>
const isGone = (id: string) => Effect.map(rows(Users), (all) => all.every((user) => user.id !== id))

/** Everything that the store has, as text. */
const stored = Effect.gen(function* () {
  const all = [...auth.tables, ...outboxTables, Counters]
  return JSON.stringify(yield* Effect.forEach(all, (table) => Effect.map(rows(table), (list) => [table.name, list])))
})

describe("POST /admin/users/erase", () => {
  rule("leaves no text of the user in any table, and all texts of others", function* () {
    const { owner, ada, bob } = yield* both
    for (const [their, name] of [
      [ada, "ada"],
      [bob, "bob"],
    ] as const) {
      yield* their.post("updateUser", { name: `${name}-marker`, image: `https://${name}-marker.example.com/a.png` })
      yield* their.post("usernameSet", { username: `${name}_marker` })
      yield* their.post("apiKeyCreate", { name: `${name}-marker` })
      yield* their.post("organizationCreate", { name: `${name}-marker`, slug: `${name}-marker` })
      yield* their.post("magicLinkSend", { email: their.user.email })
      yield* their.post("emailOtpSend", { email: their.user.email })
    }
    const { organization } = yield* bob.post("organizationCreate", { name: "shared", slug: "shared" })
    const invite = (email: string) => bob.post("organizationInvite", { organization_id: organization.id, email, role: "member" })
    yield* invite(ada.user.email)
    yield* invite("carl@example.com")
    yield* owner.post("adminUsersSuspend", { user_id: ada.id, reason: "ada-marker" })
    const before = yield* stored
    for (const text of ["ada-marker", "ada_marker", "ada@example.com"]) assert.include(before, text)

    yield* owner.post("adminUsersErase", { user_id: ada.id, confirm: ada.user.email })
    yield* finishRemovals(auth.tables)
    yield* eraseRecords
    const after = yield* stored
    for (const text of ["ada-marker", "ada_marker", "ada@example.com"]) assert.notInclude(after, text)
    for (const text of ["bob-marker", "bob_marker", "bob@example.com", "carl@example.com"])
      assert.strictEqual(after.split(text).length, before.split(text).length, text)
    const [receipt] = yield* rows(ErasureReceipts)
    assert.deepInclude(receipt, { user_id: ada.id, erased_by: { kind: "admin", id: owner.id } })
    assert.deepInclude(receipt?.rows, { user: 1, account: 1, username: 1, api_key: 1, api_key_secret: 1, member: 1 })
    const toAda = (yield* emails).filter(({ to }) => to === ada.user.email)
    assert.deepStrictEqual(
      toAda.map(({ subject }) => subject.includes("erased")),
      [true],
    )
    const types = (yield* rows(Records)).filter(({ subject_id }) => subject_id === ada.id).map(({ type }) => type)
    assert.includeMembers(types, ["user.deleted", "user.erased"])
  })

  rule("needs the address or the id of another user, and a time of at most 30 days", function* () {
    const { owner, ada, bob } = yield* both
    const user_id = ada.id
    const wrong = [{ confirm: "" }, { confirm: bob.user.email }, { confirm: user_id, after_days: 31 }, { confirm: user_id, after_days: -1 }]
    for (const each of wrong) assert.strictEqual(yield* owner.refused("adminUsersErase", { user_id, ...each }), "invalid_request")
    assert.strictEqual(yield* owner.refused("adminUsersErase", { user_id: owner.id, confirm: owner.id }), "invalid_request")
    assert.strictEqual(yield* owner.refused("adminUsersErase", { user_id: "unknown", confirm: "unknown" }), "user_not_found")
    assert.strictEqual(yield* bob.refused("adminUsersErase", { user_id, confirm: user_id }), "forbidden")
    assert.deepStrictEqual(yield* owner.post("adminUsersErase", { user_id, confirm: " ADA@example.com" }), { erased: true, due_at: null })
  })

  rule("waits for its day, and can be cancelled until then", function* () {
    const { owner, ada, bob } = yield* both
    for (const { id } of [ada, bob]) yield* owner.post("adminUsersErase", { user_id: id, confirm: id, after_days: 2 })
    const dueOf = ({ id }: { readonly id: string }) =>
      Effect.map(owner.post("adminUsersShow", { user_id: id }), ({ erasure_due_at }) => erasure_due_at?.epochMilliseconds)
    assert.deepStrictEqual([yield* dueOf(ada), yield* dueOf(owner)], [2 * 86_400_000, undefined])
    yield* owner.post("adminUsersCancelErasure", { user_id: bob.id })
    yield* owner.post("adminUsersCancelErasure", { user_id: bob.id })
    assert.isUndefined(yield* dueOf(bob))
    const told = yield* emails
    assert.sameMembers(
      told.map(({ to, subject }) => `${to} ${subject}`),
      [
        ...[ada, bob].map(({ user }) => `${user.email} Your Sallyport account will be erased`),
        `${bob.user.email} Your Sallyport account will be kept`,
      ],
    )
    const waiting = told.filter(({ subject }) => subject.endsWith("erased"))
    for (const { text } of waiting) assert.include(text, "Time: January 3, 1970 at 00:00 (UTC).")
    yield* TestClock.adjust("172799 seconds")
    yield* workedUntil(Effect.succeed(true))
    assert.isFalse(yield* isGone(ada.id))
    yield* TestClock.adjust("1 second")
    yield* workedUntil(isGone(ada.id))
    assert.isFalse(yield* isGone(bob.id))
    assert.deepStrictEqual(yield* rows(PendingErasures), [])
    assert.deepInclude((yield* rows(ErasureReceipts))[0], { user_id: ada.id, erased_by: { kind: "admin", id: owner.id } })
  })

  rule("is postponed for an administrator who is none any more", function* () {
    const { owner, ada, bob } = yield* both
    yield* owner.post("adminSetRole", { user_id: bob.id, role: "admin" })
    yield* bob.post("adminUsersErase", { user_id: ada.id, confirm: ada.id, after_days: 1 })
    yield* owner.post("adminSetRole", { user_id: bob.id, role: "user" })
    yield* TestClock.adjust("1 day")
    const due = Effect.map(rows(PendingErasures), ([first]) => first?.due_at.epochMilliseconds ?? 0)
    const first = yield* due
    yield* workedUntil(Effect.map(due, (later) => later - first === 86_400_000))
    assert.isFalse(yield* isGone(ada.id))
  })

  rule("happens once, of many at once", function* () {
    const { owner, ada } = yield* both
    const erase = () => owner.call(endpoint("adminUsersErase"), { user_id: ada.id, confirm: ada.id })
    const outcomes = yield* atOnce(times(10, erase) as ReadonlyArray<Effect.Effect<unknown, any, WorldServices>>)
    assert.deepStrictEqual(outcomes, { ok: 1, user_not_found: 9 })
    assert.lengthOf(yield* rows(ErasureReceipts), 1)
  })
})

describe("a due erasure", () => {
  rule("and its cancellation at the same time: one of them happens", function* () {
    const { owner, bob } = yield* both
    for (const at of times(5, String)) {
      const { id } = yield* signedUp(`user${at}@example.com`)
      yield* owner.post("adminUsersErase", { user_id: id, confirm: id, after_days: 1 })
    }
    yield* TestClock.adjust("1 day")
    const ids = (yield* rows(PendingErasures)).map(({ user_id }) => user_id)
    const cancel = (user_id: string) => Effect.exit(owner.call(endpoint("adminUsersCancelErasure"), { user_id }))
    const isDone = Effect.map(rows(PendingErasures), ({ length }) => length === 0)
    yield* Effect.all([workedUntil(isDone), ...ids.map(cancel)] as ReadonlyArray<Effect.Effect<unknown, never, WorldServices>>, {
      concurrency: "unbounded",
    })
    const [left, receipts] = [(yield* rows(Users)).map((user) => user.id), (yield* rows(ErasureReceipts)).map(({ user_id }) => user_id)]
    for (const id of ids) assert.notStrictEqual(left.includes(id), receipts.includes(id))
    assert.isTrue(left.includes(bob.id))
    const kept = (yield* emails).filter(({ subject }) => subject.endsWith("kept"))
    assert.lengthOf(kept, ids.filter((id) => left.includes(id)).length)
  })

  rule("that many cancel at once is announced as cancelled once", function* () {
    const { owner, ada } = yield* both
    yield* owner.post("adminUsersErase", { user_id: ada.id, confirm: ada.id, after_days: 1 })
    const cancel = () => owner.call(endpoint("adminUsersCancelErasure"), { user_id: ada.id })
    assert.deepStrictEqual(yield* atOnce(times(10, cancel) as ReadonlyArray<Effect.Effect<unknown, any, WorldServices>>), { ok: 10 })
    assert.lengthOf(
      (yield* emails).filter(({ subject }) => subject.endsWith("kept")),
      1,
    )
  })
})

describe("sallyport erasures", () => {
  rule("lists receipts, and erases their users again whom a restore has revived", function* () {
    const { owner, ada, bob } = yield* both
    yield* owner.post("adminUsersErase", { user_id: ada.id, confirm: ada.id })
    const lines = yield* printed(Effect.provide(listErasures(), commandPolicies(modules)))
    assert.lengthOf(lines, 1)
    const revived = lines.map((line) => line.replace(ada.id, bob.id))
    const folder = mkdtempSync(join(tmpdir(), "sallyport-erasures-"))
    const apply = (text: string) => {
      const file = join(folder, "receipts.jsonl")
      writeFileSync(file, text)
      return Effect.provide(applyErasures({ file, json: true }), commandPolicies(modules))
    }
    const receipts = [...lines, ...revived, ""].join("\n")
    assert.deepStrictEqual(yield* printed(apply(receipts)), [JSON.stringify({ erased: 1, absent: 1, refused: 0 })])
    assert.isTrue(yield* isGone(bob.id))
    assert.deepStrictEqual(yield* printed(apply(receipts)), [JSON.stringify({ erased: 0, absent: 2, refused: 0 })])
    assert.deepInclude(yield* Effect.flip(apply("{}")), { lines: [`${join(folder, "receipts.jsonl")}:1 is no receipt of erasures list`] })
    rmSync(folder, { recursive: true })
    assert.deepStrictEqual(
      (yield* emails).filter(({ to }) => to === bob.user.email),
      [],
    )
  })
})

it("nothing is there while the setting is off", () => {
  const off = erasureParts(Schema.decodeUnknownSync(admin.settings)({}))
  assert.deepStrictEqual(off, { tables: [], endpoints: [], rowEvents: [], background: [] } as object)
})
