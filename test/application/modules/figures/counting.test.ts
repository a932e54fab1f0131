import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { Chain } from "../../../../application/modules/audit/tables.ts"
import { countsWith, maxNames } from "../../../../application/modules/figures/counting.ts"
import { Figures, Starts } from "../../../../application/modules/figures/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, endpoints, rows, Service, signedUp, times, world } from "../../../world.ts"
import { administration, counted, type Happened, log, modules, recorded, seal, sealOf, summed } from "./world.ts"

const rule = rulesOf(modules)
const now = Date.UTC(2026, 10, 23, 10, 30)
const setNow = TestClock.setTime(now)
const utc = (millis: number) => DateTime.makeUnsafe(millis)

/** Moments around the boundaries of hours and days, and any of the last two days. */
const moment = fc.oneof(
  fc.constantFrom(-1, 0, 1, 3_599_999, 3_600_000).map((offset) => Date.UTC(2026, 10, 23) + offset),
  fc.constantFrom(-1, 0, 1).map((offset) => Date.UTC(2026, 10, 23, 10) + offset),
  fc.integer({ min: now - 2 * 86_400_000, max: now }),
)
const happened: fc.Arbitrary<Happened> = fc
  .record({
    at: moment.map(utc),
    type: fc.constantFrom("sign_in.succeeded", "sign_in.failed", "limit.reached", "user.created"),
    count: fc.integer({ min: 1, max: 1000 }),
    detail: fc.option(fc.constantFrom("email_password", "passkey", "invalid_credentials"), { nil: undefined }),
    refused: fc.boolean(),
  })
  .map(({ detail, refused, ...shared }) => ({
    ...shared,
    ...(refused ? { code: detail ?? "rate_limited" } : detail === undefined ? {} : { method: detail }),
  }))
const batches = fc.array(fc.array(happened, { maxLength: 12 }), { minLength: 1, maxLength: 4 })

it("counts each record once, whenever it is sealed and by whichever of two processes", async () => {
  const counts = (rounds: ReadonlyArray<ReadonlyArray<Happened>>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const round of rounds) {
        if (round.length > 0) yield* recorded(round)
        yield* Effect.all([seal, seal, seal], { concurrency: "unbounded" })
      }
      yield* seal
      assert.deepStrictEqual(yield* counted, yield* summed)
    }).pipe(Effect.provide([world(modules), TestClock.layer()]))
  await fc.assert(
    fc.asyncProperty(batches, (rounds) => Effect.runPromise(counts(rounds))),
    { numRuns: 30 },
  )
}, 120_000)

rule("counts 1,000 records of a seal and what comes while it is made", function* () {
  yield* setNow
  const at = utc(now)
  yield* recorded(times(1_000, () => ({ at, type: "sign_in.succeeded", count: 1, method: "passkey" })))
  const more = times(10, (index) => recorded([{ at, type: "sign_in.failed", count: index + 1, code: "invalid_credentials" }]))
  yield* Effect.all([seal, ...more, seal], { concurrency: "unbounded" })
  yield* seal
  assert.deepStrictEqual((yield* counted)["h:2026-11-23T10"], {
    "sign_in.succeeded": 1_000,
    "sign_in.succeeded/passkey": 1_000,
    "sign_in.failed": 55,
    "sign_in.failed/invalid_credentials": 55,
  })
})

it("keeps 400 names, and counts the others together", () => {
  const event = (index: number) => ({ type: `type${index}`, outcome: "success", reason: null, data: {}, count: 2 }) as never
  const full = countsWith({}, times(maxNames, event))
  assert.strictEqual(Object.keys(full).length, 400)
  const more = countsWith(full, times(maxNames + 10, event))
  assert.strictEqual(Object.keys(more).length, 401)
  assert.deepInclude(more, { type0: 4, type399: 4, other: 20 })
  assert.strictEqual(countsWith(more, [event(500)])["other"], 22)
})

rule("counts a late record in its hour, and none whose hour has expired", function* () {
  yield* setNow
  const late = { type: "sign_in.succeeded", count: 1 }
  yield* recorded([
    { ...late, at: utc(now - 35 * 86_400_000 - 30 * 60_000) },
    { ...late, at: utc(now - 34 * 86_400_000) },
  ])
  yield* seal
  assert.deepStrictEqual(Object.keys(yield* counted).toSorted(), ["d:2026-10-19", "d:2026-10-20", "h:2026-10-20T10"])
  const [row] = (yield* rows(Figures)).filter(({ id }) => id === "h:2026-10-20T10")
  assert.strictEqual(DateTime.formatIso(row!.expires_at), "2026-11-24T10:00:00.000Z")
})

const start = Effect.map(
  Effect.flatMap(Store, (store) => store.read(Starts, { id: "start" })),
  (found) => Option.getOrThrow(found).row,
)

rule("is complete from the next hour on, and again after seals that were not counted", function* () {
  yield* setNow
  yield* signedUp("ada@example.com")
  yield* seal
  const first = yield* start
  assert.strictEqual(DateTime.formatIso(first.since), "2026-11-23T11:00:00.000Z")
  yield* TestClock.adjust("2 hours")
  yield* browser().body(endpoints.signInEmail, { email: "ada@example.com", password: "correct horse battery staple" })
  yield* seal
  assert.deepStrictEqual(yield* start, { ...first, seal: 2 })
  yield* signedUp("bob@example.com", AuthOf.make([...core, administration, log]))
  yield* sealOf([...core, administration, log])
  yield* signedUp("eve@example.com")
  yield* seal
  const again = yield* start
  assert.deepStrictEqual([DateTime.formatIso(again.since), again.seal, again.key], ["2026-11-23T13:00:00.000Z", 4, first.key])
})

rule("counts nothing and has no row without the module", function* () {
  const without = AuthOf.make([...core, log])
  assert.isFalse(without.tables.some(({ name }) => name.startsWith("figure")))
  assert.isFalse(Object.keys(without.endpoints).includes("adminFigures"))
  yield* signedUp("ada@example.com", without)
  yield* sealOf([...core, log])
  assert.strictEqual((yield* rows(Chain)).length, 1)
  assert.deepStrictEqual(yield* rows(Figures), [])
})

rule("counts the repeats of refused sign-ins", function* () {
  yield* setNow
  yield* signedUp("ada@example.com")
  const { flush } = yield* Service
  yield* Effect.all(times(7, () => browser().code(endpoints.signInEmail, { email: "ada@example.com", password: "a wrong one" })))
  yield* TestClock.adjust("3 seconds")
  yield* flush
  yield* seal
  assert.deepInclude((yield* counted)["d:2026-11-23"], { "sign_in.failed": 7, "sign_in.failed/invalid_credentials": 7, "user.created": 1 })
})
