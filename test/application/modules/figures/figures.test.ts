import { assert } from "@effect/vitest"
import { DateTime, Effect, Redacted, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { estimate, read } from "../../../../application/modules/figures/sketch.ts"
import { ActiveDays, Starts } from "../../../../application/modules/figures/tables.ts"
import { impersonation } from "../../../../application/modules/impersonation/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyModule } from "../../../../application/service/module.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { rotate } from "../../../../domain/secrets/sealing.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, endpoints, onWire, rows, secret, signedIn, signedUp, type WorldServices } from "../../../world.ts"
import { administration, processOf, recorded, seal } from "./world.ts"

const now = Date.UTC(2026, 10, 23, 10, 30)
const utc = (iso: string) => DateTime.makeUnsafe(iso)
type Process = ReturnType<typeof processOf>
type Test = (own: Process) => Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>

/** A test with a process of its own. */
const rule = (name: string, shown: Test, ...more: ReadonlyArray<AnyModule>) => {
  const own = processOf()
  return rulesOf([...own.modules, ...more])(name, () => shown(own))
}

const owner = signedUp("root@example.com")
const aDay = { from: "2026-11-23T00:00:00Z", step: "day" } as const

const setUp = Effect.andThen(TestClock.setTime(now), owner)

rule("GET /admin/figures has the counts of each hour or day of a time, and from when on they are complete", function* ({ endpoint }) {
  const root = yield* setUp
  assert.strictEqual((yield* root.body(endpoint, aDay)).counted_since, null)
  const locked = { type: "sign_in.locked", count: 3, code: "rate_limited" } as const
  yield* recorded([{ ...locked, at: utc("2026-11-22T23:59:59.999Z") }])
  yield* recorded([{ ...locked, at: utc("2026-11-23T09:00:00Z"), count: 4 }])
  yield* seal
  const hours = { from: "2026-11-22T22:10:00Z", to: "2026-11-23T09:00:00.001Z", step: "hour" }
  const answer = yield* root.body(endpoint, hours)
  assert.strictEqual(answer.points.length, 12)
  const shown = yield* onWire(endpoint, answer)
  assert.deepStrictEqual(shown.points[0], { at: "2026-11-22T22:00:00.000Z", counts: {} })
  assert.deepStrictEqual(shown.points[1].counts, { "sign_in.locked": 3, "sign_in.locked/rate_limited": 3 })
  assert.deepInclude(shown.points[11], { at: "2026-11-23T09:00:00.000Z" })
  assert.strictEqual(shown.points[11].counts["sign_in.locked"], 4)
  assert.strictEqual(shown.counted_since, "2026-11-23T11:00:00.000Z")
  const untilNine = yield* root.body(endpoint, { ...hours, to: "2026-11-23T09:00:00Z" })
  assert.strictEqual(untilNine.points.length, 11)
  const days = yield* root.body(endpoint, { from: "2026-11-22T10:00:00Z", step: "day" })
  assert.deepStrictEqual(
    days.points.map(({ counts }) => counts["sign_in.locked"]),
    [3, 4],
  )
  assert.strictEqual(days.points[1]?.counts["user.created/email_password"], 1)
})

rule("GET /admin/figures refuses more than 400 points, a time without one, and an unknown step", function* ({ endpoint }) {
  const root = yield* setUp
  const at = "2026-11-23T00:00:00Z"
  assert.strictEqual((yield* root.body(endpoint, { from: "2025-10-19T00:00:00Z", to: at, step: "day" })).points.length, 400)
  for (const input of [
    { from: "2025-10-18T23:59:59.999Z", to: at, step: "day" },
    { from: "0001-01-01T00:00:00Z", step: "hour" },
    { from: at, to: at, step: "day" },
    { from: at, step: "minute" },
    { from: "yesterday", step: "day" },
    { step: "day" },
  ])
    assert.strictEqual(yield* root.code(endpoint, input), "invalid_request", JSON.stringify(input))
})

rule("GET /admin/figures needs its permission, which support has", function* ({ endpoint }) {
  const root = yield* setUp
  const ada = yield* signedUp("ada@example.com")
  assert.strictEqual(yield* ada.code(endpoint, aDay), "forbidden")
  yield* root.body(administration.endpoints.adminSetRole, { user_id: ada.user.id, role: "support" })
  assert.strictEqual((yield* ada.body(endpoint, aDay)).counted_since, null)
})

rule("counts users who are active on a day, a week and a month, in any number of processes", function* ({ endpoint, merge }) {
  const root = yield* setUp
  const ada = yield* signedUp("ada@example.com")
  yield* seal
  const other = processOf()
  const there = AuthOf.make(other.modules)
  const bob = yield* signedUp("bob@example.com", there)
  const adaThere = browser(there, ada.jar)
  const calls = [
    ada.body(endpoints.getSession),
    adaThere.body(endpoints.listSessions),
    bob.body(endpoints.getSession, { extend: "false" }),
    root.body(endpoints.getSession),
  ]
  yield* Effect.all([...calls, ...calls], { concurrency: "unbounded" })
  const merged = Effect.all([merge, other.merge], { concurrency: "unbounded" })
  yield* merged
  assert.deepStrictEqual((yield* root.body(endpoint, aDay)).active, { day: 3, week: 3, month: 3 })
  yield* signedIn("ada@example.com")
  yield* TestClock.adjust("1 day")
  yield* root.body(endpoints.getSession)
  yield* merged
  assert.deepStrictEqual((yield* root.body(endpoint, aDay)).active, { day: 1, week: 3, month: 3 })
  yield* TestClock.adjust("6 days")
  const bobAgain = yield* signedIn("bob@example.com")
  yield* bobAgain.body(endpoints.getSession)
  const rootAgain = yield* signedIn("root@example.com")
  yield* rootAgain.body(endpoints.getSession)
  yield* merged
  assert.deepStrictEqual((yield* rootAgain.body(endpoint, aDay)).active, { day: 2, week: 2, month: 3 })
  const before = yield* rootAgain.body(endpoint, { ...aDay, to: "2026-11-24T00:00:00Z" })
  assert.deepStrictEqual(before.active, { day: 3, week: 3, month: 3 })
  yield* bobAgain.body(endpoints.getSession)
  yield* ada.body(endpoints.getSession)
  assert.deepStrictEqual((yield* rootAgain.body(endpoint, aDay)).active, { day: 2, week: 2, month: 3 })
})

rule("counts a new use of a day at the latest five minutes after it was merged", function* ({ endpoint, merge }) {
  const root = yield* setUp
  yield* seal
  const ofDay = Effect.map(root.body(endpoint, aDay), ({ active }) => active.day)
  assert.strictEqual(yield* ofDay, 0)
  yield* merge
  yield* TestClock.adjust("299 seconds")
  assert.strictEqual(yield* ofDay, 0)
  yield* TestClock.adjust("1 second")
  assert.strictEqual(yield* ofDay, 1)
})

rule("keeps who was active in a process until the store has it, and stores nothing that names a user", function* ({ merge }) {
  yield* setUp
  const ada = yield* signedUp("ada@example.com")
  yield* seal
  yield* ada.body(endpoints.getSession)
  const store = yield* Store
  const failing = Store.of({ ...store, commit: () => Effect.die(new Error("the store does not answer")) })
  yield* Effect.exit(Effect.provideService(merge, Store, failing))
  assert.deepStrictEqual(yield* rows(ActiveDays), [])
  yield* merge
  const [row] = yield* rows(ActiveDays)
  assert.deepStrictEqual([row?.day, row?.registers.length], ["2026-11-23", 16_384])
  assert.strictEqual(DateTime.formatIso(row!.expires_at), "2027-12-28T00:00:00.000Z")
  const stored = JSON.stringify([row, yield* rows(Starts)])
  assert.notInclude(stored, ada.user.id)
})

rule("counts a user once also when the secret is rotated in between", function* ({ merge, modules }) {
  const root = yield* setUp
  yield* seal
  yield* root.body(endpoints.getSession)
  yield* merge
  const before = yield* rows(ActiveDays)
  const other = "another secret of thirty-two bytes or more"
  const both = Keys.layer([Redacted.make(other), Redacted.make(secret)])
  const tables = modules.flatMap((module) => module.tables)
  yield* Effect.provide(rotate(tables, { removeUnreadable: false }), [both, commandPolicies(modules)])
  const later = processOf()
  later.counting.accepted?.(root.user.id, yield* DateTime.now)
  later.counting.accepted?.("another user", yield* DateTime.now)
  yield* Effect.provide(later.merge, Keys.layer([Redacted.make(other)]))
  const [row] = yield* rows(ActiveDays)
  assert.notDeepEqual(row, before[0])
  assert.strictEqual(estimate(read(row?.registers ?? "")), 2)
})

const impersonating = impersonation.build(Schema.decodeUnknownSync(impersonation.settings)({}))
const impersonated = function* ({ merge }: Process) {
  const root = yield* setUp
  const ada = yield* signedUp("ada@example.com")
  yield* seal
  yield* root.body(impersonating.endpoints.adminImpersonateStart, { user_id: ada.user.id, reason: "a ticket of support" })
  assert.strictEqual((yield* root.body(endpoints.getSession)).user?.id, ada.user.id)
  yield* merge
  const [row] = yield* rows(ActiveDays)
  assert.strictEqual(estimate(read(row?.registers ?? "")), 1)
}
rule("does not count a user in whose session an administrator acts", impersonated, impersonating)
