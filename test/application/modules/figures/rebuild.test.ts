import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { lastSeal, newestSealed } from "../../../../application/modules/audit/sealed-pages.ts"
import { Records, Seals } from "../../../../application/modules/audit/tables.ts"
import { rebuild } from "../../../../application/modules/figures/rebuild.ts"
import { maxGaps, readStart } from "../../../../application/modules/figures/start.ts"
import { removeEach, Store } from "../../../../domain/ports/store.ts"
import { rulesOf } from "../../../rule.ts"
import { core, rows, times, world } from "../../../world.ts"
import { administration, counted, type Happened, log, modules, recorded, seal, sealOf, summed } from "./world.ts"

const rule = rulesOf(modules)
const rebuilt = rebuild({ last: lastSeal, newest: newestSealed })
/** A seal by a process without the module. */
const sealUncounted = sealOf([...core, administration, log])

const now = Date.UTC(2026, 10, 23, 10, 30)
const hour = 3_600_000
const setNow = TestClock.setTime(now)
const signIn = (at: number, count = 1): Happened => ({ at: DateTime.makeUnsafe(at), type: "sign_in.succeeded", count, method: "passkey" })
const signIns = (count: number, at = now) => recorded(times(count, () => signIn(at)))
const since = Effect.map(readStart, (found) => DateTime.formatIso(Option.getOrThrow(found).row.since))
const gaps = Effect.map(readStart, (found) => Option.getOrThrow(found).row.gaps)
const isEqualToLog = Effect.gen(function* () {
  assert.deepStrictEqual(yield* counted, yield* summed)
})

const steps = fc.array(
  fc.record({
    events: fc.array(fc.integer({ min: 0, max: 50 * hour }), { maxLength: 6 }),
    run: fc.constantFrom("off", "on", "rebuild", "both", "interrupted"),
  }),
  { minLength: 1, maxLength: 8 },
)

/** Rebuilds until the store fails at the next commit but one. */
const interrupted = Effect.gen(function* () {
  const store = yield* Store
  let commits = 0
  const commit: typeof store.commit = (writes) => (commits++ < 2 ? store.commit(writes) : Effect.die(new Error("killed")))
  yield* Effect.exit(Effect.provideService(rebuilt, Store, Store.of({ ...store, commit })))
})

const runs = {
  off: sealUncounted,
  on: seal,
  rebuild: rebuilt,
  both: Effect.all([rebuilt, seal, rebuilt, sealUncounted, rebuilt], { concurrency: "unbounded" }),
  interrupted,
}

it("counts each record once, whatever was sealed without the module, interrupted, or done at the same time", async () => {
  const check = (plan: ReadonlyArray<{ readonly events: ReadonlyArray<number>; readonly run: keyof typeof runs }>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const { events, run } of plan) {
        if (events.length > 0) yield* recorded(events.map((ago) => signIn(now - ago, 2)))
        yield* Effect.asVoid<unknown, never, Effect.Services<(typeof runs)[keyof typeof runs]>>(runs[run])
      }
      yield* seal
      yield* rebuilt
      yield* isEqualToLog
      assert.deepStrictEqual(yield* rebuilt.pipe(Effect.map(({ records }) => records)), 0)
    }).pipe(Effect.provide([world(modules), TestClock.layer()]))
  await fc.assert(
    fc.asyncProperty(steps, (plan) => Effect.runPromise(check(plan))),
    { numRuns: 30 },
  )
}, 120_000)

describe("figures rebuild", () => {
  rule("counts what was sealed before the module was on, and what it finds without a count", function* () {
    yield* setNow
    yield* signIns(3)
    yield* sealUncounted
    assert.deepInclude(yield* rebuilt, { records: 3 })
    yield* isEqualToLog
    yield* signIns(2)
    yield* seal
    yield* isEqualToLog
    assert.deepInclude(yield* rebuilt, { records: 0 })
    yield* isEqualToLog
  })

  rule("reads pages of 1,000 records: of one seal, and of at most 100 small ones", function* () {
    yield* setNow
    for (const _ of times(15, () => 0)) yield* signIns(100)
    yield* sealUncounted
    for (const _ of times(130, () => 0)) {
      yield* signIns(1)
      yield* sealUncounted
    }
    const pages: Array<number> = []
    const newest = (from: number, to: number) =>
      Effect.tap(newestSealed(from, to), (page) => Effect.sync(() => void pages.push(page?.events.length ?? 0)))
    assert.deepInclude(yield* rebuild({ last: lastSeal, newest }), { records: 1_630 })
    assert.deepStrictEqual(pages, [100, 530, 1_000])
    yield* isEqualToLog
  })

  rule("makes no rows older than figures are kept", function* () {
    yield* setNow
    const day = 24 * hour
    yield* recorded([signIn(now - 400 * day), signIn(now - 399 * day), signIn(now - 35 * day - hour), signIn(now - 35 * day + hour)])
    yield* sealUncounted
    yield* rebuilt
    assert.deepStrictEqual(Object.keys(yield* counted).toSorted(), ["d:2025-10-20", "d:2026-10-19", "h:2026-10-19T11"])
  })

  rule("moves the first complete hour back, as far as the log has all records", function* () {
    yield* setNow
    yield* signIns(1)
    yield* sealUncounted
    yield* TestClock.adjust("5 hours")
    yield* signIns(1)
    yield* seal
    assert.strictEqual(yield* since, "2026-11-23T16:00:00.000Z")
    yield* rebuilt
    assert.strictEqual(yield* since, "2026-11-23T11:00:00.000Z")
    yield* TestClock.adjust("5 hours")
    yield* signIns(1)
    yield* sealUncounted
    yield* TestClock.adjust("2 hours")
    yield* signIns(1)
    yield* seal
    assert.strictEqual(yield* since, "2026-11-23T23:00:00.000Z")
    yield* rebuilt
    assert.strictEqual(yield* since, "2026-11-23T11:00:00.000Z")
    assert.deepStrictEqual(yield* gaps, [])
  })

  rule("does not call figures complete for a time whose records or seals have expired", function* () {
    yield* setNow
    for (const _ of times(3, () => 0)) {
      yield* signIns(1)
      yield* sealUncounted
      yield* TestClock.adjust("2 hours")
    }
    yield* signIns(1)
    yield* seal
    const store = yield* Store
    const [first, second] = (yield* rows(Records)).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    yield* Effect.orDie(store.commit([removeEach(Records, [first!.id, second!.id]), removeEach(Seals, ["000000000001"])]))
    yield* rebuilt
    assert.strictEqual(yield* since, "2026-11-23T15:00:00.000Z")
    assert.deepStrictEqual(yield* gaps, [])
    yield* isEqualToLog
  })

  rule("keeps a limited number of gaps", function* () {
    yield* setNow
    for (const _ of times(maxGaps + 2, () => 0)) {
      yield* signIns(1)
      yield* sealUncounted
      yield* signIns(1)
      yield* seal
    }
    assert.strictEqual((yield* gaps).length, maxGaps)
    assert.deepInclude(yield* rebuilt, { records: maxGaps })
  })
})
