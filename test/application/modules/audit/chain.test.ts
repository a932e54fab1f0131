import { assert } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { erase } from "../../../../application/modules/audit/erase.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { seal as sealing } from "../../../../application/modules/audit/seal.ts"
import { Chain, Days, Erasures, Records, Seals, Unsealed } from "../../../../application/modules/audit/tables.ts"
import { verify } from "../../../../application/modules/audit/verify.ts"
import { insert, put, remove, Store, update } from "../../../../domain/ports/store.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import { rulesOf } from "../../../rule.ts"
import { core, endpoints, password, rows, secret, signedIn, signedUp, times } from "../../../world.ts"

const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}))
const modules = [...core, log]
const rule = rulesOf(modules)
const seal = Effect.provide(sealing, commandPolicies(modules))
const secretRotated = Effect.provide(log.secretRotated, commandPolicies(modules))
const commit = (...writes: Parameters<Store["Service"]["commit"]>[0]) =>
  Effect.flatMap(Store, (store) => Effect.orDie(store.commit(writes)))
const faults = Effect.map(verify, (result) => result.faults)
const settle = TestClock.adjust("2 minutes")
const withSecrets = (...secrets: ReadonlyArray<string>) => Effect.provide(Keys.layer(secrets.map((each) => Redacted.make(each))))
const other = "another secret of thirty-two bytes or more"

rule("seals every record once, also when many processes seal while users sign in", function* () {
  yield* signedUp("ada@example.com")
  const work = times(20, (at) => (at % 2 === 0 ? seal : signedIn("ada@example.com")))
  yield* Effect.all(work, { concurrency: "unbounded" })
  yield* seal
  yield* settle
  const stored = yield* rows(Records)
  const sealed = (yield* rows(Seals)).flatMap(({ entries }) => entries.map(([id]) => id))
  assert.deepStrictEqual(sealed.toSorted(), stored.map(({ id }) => id).toSorted())
  assert.deepStrictEqual(yield* rows(Unsealed), [])
  const result = yield* verify
  assert.deepStrictEqual({ records: result.records, faults: result.faults }, { records: stored.length, faults: [] })
})

rule("finds a changed record", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  const [one] = yield* rows(Records)
  yield* commit(put(Records, { ...one!, reason: "harmless" }))
  assert.deepStrictEqual(yield* faults, [`record ${one?.id} was changed`])
  yield* commit(put(Records, { ...one!, ip_address: "203.0.113.9" }))
  assert.deepStrictEqual(yield* faults, [`record ${one?.id} was changed`])
  yield* commit(put(Records, one!))
  assert.deepStrictEqual(yield* faults, [])
})

rule("finds a removed record, until its expiry", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  const opened = (yield* rows(Records)).find(({ type }) => type === "session.opened")!
  yield* commit(remove(Records, opened.id))
  assert.deepStrictEqual(yield* faults, [`record ${opened.id} is missing`])
  yield* TestClock.setTime(DateTime.toEpochMillis(opened.expires_at))
  assert.deepStrictEqual(yield* faults, [])
})

rule("finds a record that was added without a seal", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  const [one] = yield* rows(Records)
  yield* commit(insert(Records, { ...one!, id: "01900000-0000-7000-8000-000000000000" }))
  yield* settle
  assert.deepStrictEqual(yield* faults, ["1 records have no seal"])
})

rule("finds seals that are missing in the middle, at the end and at the beginning", function* () {
  for (const email of ["ada@example.com", "bob@example.com", "eve@example.com"]) {
    yield* signedUp(email)
    yield* seal
  }
  yield* settle
  const all = (yield* rows(Seals)).toSorted((one, next) => (one.id < next.id ? -1 : 1))
  for (const [at, message] of [
    [0, "the seals before 000000000002 are missing"],
    [1, "a seal before 000000000003 is missing"],
    [2, "the last seals are missing"],
  ] as const) {
    yield* commit(remove(Seals, all[at]!.id))
    assert.include(yield* faults, message)
    yield* commit(insert(Seals, all[at]!))
  }
  assert.deepStrictEqual(yield* faults, [])
})

rule("finds a changed seal, also with a digest that fits", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  const [one] = yield* rows(Seals)
  yield* commit(put(Seals, { ...one!, entries: one!.entries.slice(1) }))
  assert.include(yield* faults, `seal ${one?.id} was changed`)
  yield* commit(put(Seals, { ...one!, digest: "a digest that was computed without the secret" }))
  assert.include(yield* faults, `seal ${one?.id} has a tag that no listed secret made`)
})

rule("stays verifiable when the secret is rotated and the old one removed", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  yield* signedIn("ada@example.com").pipe(withSecrets(other, secret))
  yield* seal.pipe(withSecrets(other, secret))
  yield* settle
  const result = yield* verify.pipe(withSecrets(other))
  assert.deepStrictEqual([result.faults, result.retired], [[], 1])
  const [first] = (yield* rows(Seals)).toSorted((one, next) => (one.id < next.id ? -1 : 1))
  yield* commit(put(Seals, { ...first!, tag: "forged", entries: [] }))
  assert.include(yield* faults.pipe(withSecrets(other)), `seal ${first?.id} was changed`)
})

rule("adds a seal under the new secret when secrets are rotated, so that the old one can be removed at once", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  yield* settle
  yield* secretRotated.pipe(withSecrets(other, secret))
  yield* secretRotated.pipe(withSecrets(other, secret))
  assert.strictEqual((yield* rows(Seals)).length, 2)
  const result = yield* verify.pipe(withSecrets(other))
  assert.deepStrictEqual([result.faults, result.retired], [[], 1])
  yield* signedIn("ada@example.com").pipe(withSecrets(other))
  yield* seal.pipe(withSecrets(other))
  assert.deepStrictEqual(yield* faults.pipe(withSecrets(other)), [])
})

rule("adds no seal after a last seal that no listed secret made, and says how to verify it", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  yield* settle
  yield* secretRotated.pipe(withSecrets(other))
  assert.strictEqual((yield* rows(Seals)).length, 1)
  const [fault] = yield* faults.pipe(withSecrets(other))
  assert.match(fault ?? "", /secret that is not listed.*after the others and run `secret rotate`/)
})

rule("adds no seal to an empty log when secrets are rotated", function* () {
  yield* secretRotated
  assert.deepStrictEqual(yield* rows(Seals), [])
})

rule("seals of both secrets expire in their order, and the chain stays valid", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  yield* secretRotated.pipe(withSecrets(other, secret))
  const [first, second] = (yield* rows(Seals)).toSorted((one, next) => (one.id < next.id ? -1 : 1))
  assert.deepStrictEqual(second?.expires_at, first?.expires_at)
  assert.deepStrictEqual(second?.entries, [])
})

rule("notes the last seal of each day once", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  yield* TestClock.adjust("24 hours")
  yield* Effect.all(
    times(5, () => seal),
    { concurrency: "unbounded" },
  )
  const [head] = yield* rows(Chain)
  assert.deepStrictEqual(
    (yield* rows(Days)).map(({ day, number }) => ({ day, number })),
    [{ day: "1970-01-01", number: 1 }],
  )
  assert.deepInclude(head, { day: "1970-01-02", number: 1 })
})

rule("erases address and browser of a removed user, and stays verifiable", function* () {
  const ada = yield* signedUp("ada@example.com")
  yield* signedUp("bob@example.com")
  yield* seal
  yield* ada.body(endpoints.deleteUser, { password })
  yield* erase
  yield* seal
  yield* settle
  const own = (yield* rows(Records)).filter(({ subject_id }) => subject_id === ada.user.id)
  assert.isAbove(own.length, 3)
  assert.isTrue(own.every(({ ip_address, user_agent, salt }) => ip_address === null && user_agent === null && salt === null))
  assert.strictEqual((yield* rows(Records)).filter(({ ip_address }) => ip_address !== null).length, 4)
  assert.deepStrictEqual([yield* rows(Erasures), yield* faults], [[], []])
})

rule("has no gap in the chain when seals expire", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  yield* TestClock.adjust("300 days")
  yield* signedIn("ada@example.com")
  yield* seal
  const store = yield* Store
  for (const days of [100, 366, 367, 460]) {
    yield* TestClock.setTime(days * 86_400_000)
    yield* store.sweep(DateTime.toDateUtc(yield* DateTime.now), 1000)
    assert.deepStrictEqual(yield* faults, [], `day ${days}`)
  }
})

rule("ignores a record that is stored after its expiry, when its seal is gone", function* () {
  yield* signedUp("ada@example.com")
  yield* seal
  const kept = (yield* rows(Records)).map((row) => put(Records, row))
  yield* TestClock.adjust("400 days")
  yield* (yield* Store).sweep(DateTime.toDateUtc(yield* DateTime.now), 1000)
  assert.deepStrictEqual([yield* rows(Records), yield* rows(Seals)], [[], []])
  yield* commit(...kept)
  assert.deepStrictEqual(yield* faults, [])
})

rule("counts a record that was changed before its seal as changed", function* () {
  yield* signedUp("ada@example.com")
  const [one] = yield* rows(Records)
  const held = Option.getOrThrow(yield* (yield* Store).read(Records, { id: one!.id }))
  yield* commit(update(Records, held, { ip_address: "203.0.113.9" }))
  yield* seal
  assert.deepStrictEqual(yield* faults, [`record ${one?.id} was changed`])
})
