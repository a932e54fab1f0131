import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Logger, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as StoreMemory from "../../../adapters/memory/memory-store.ts"
import { insert, Store, StoreUnavailable } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Leases } from "../../../domain/storage/lease.ts"
import { Removals } from "../../../domain/storage/removals.ts"
import * as Sweeper from "../../../domain/storage/sweeper.ts"

const Passing = Table.make("passing", Schema.Struct({ id: Schema.String, expires_at: Schema.DateTimeUtc }), {
  key: "id",
  expires: "expires_at",
})

const inMemory = Layer.merge(StoreMemory.layer([Passing, Removals, Leases]), NodeCrypto.layer)

const add = Effect.fnUntraced(function* (name: string, count: number, seconds: number) {
  const expires_at = DateTime.add(yield* DateTime.now, { seconds })
  const rows = Array.from({ length: count }, (_, index) => insert(Passing, { id: `${name}${index}`, expires_at }))
  yield* Effect.orDie((yield* Store).commit(rows))
})
const left = Effect.gen(function* () {
  return (yield* (yield* Store).list(Passing, {}, { limit: 10_000 })).length
})

it.effect("removes expired rows every minute, in any number", () =>
  Effect.gen(function* () {
    yield* Layer.build(Sweeper.layer([Passing]))
    yield* add("gone", 2500, 60)
    yield* add("stays", 3, 61)
    yield* TestClock.adjust("59 seconds")
    expect(yield* left).toBe(2503)
    yield* TestClock.adjust("1 second")
    expect(yield* left).toBe(1503)
    yield* TestClock.adjust("199 millis")
    expect(yield* left).toBe(1503)
    yield* TestClock.adjust("1 millis")
    expect(yield* left).toBe(503)
    yield* TestClock.adjust("200 millis")
    expect(yield* left).toBe(3)
    yield* TestClock.adjust("1 minute")
    expect(yield* left).toBe(0)
  }).pipe(Effect.provide(inMemory)),
)

it.effect("one process sweeps for all, and another one when its turn ends without a word", () =>
  Effect.gen(function* () {
    const counts = [0, 0]
    const store = yield* Store
    const processes = yield* Effect.forEach([0, 1], (index) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const sweep: typeof store.sweep = (...request) => {
          counts[index]! += 1
          return store.sweep(...request)
        }
        const counting = Layer.succeed(Store, { ...store, sweep })
        yield* Layer.build(Layer.provide(Sweeper.layer([Passing]), counting)).pipe(Scope.provide(scope))
        return scope
      }),
    )
    yield* TestClock.adjust("5 minutes")
    expect(counts.toSorted()).toEqual([0, 5])
    const first = counts.indexOf(5)
    yield* Scope.close(processes[first]!, Exit.void)
    yield* TestClock.adjust("2 minutes")
    expect(counts.toSorted()).toEqual([0, 5])
    yield* TestClock.adjust("1 minute")
    expect(counts[1 - first]).toBe(1)
  }).pipe(Effect.provide(inMemory)),
)

it.effect("an unreachable store is logged once, and swept when it is reachable again", () => {
  const lines: Array<string> = []
  const log = Logger.layer([Logger.make(({ message }) => lines.push(String(message)))])
  let calls = 0
  let away = true
  const sweep = () =>
    Effect.suspend(() => {
      calls += 1
      return away ? Effect.die(new StoreUnavailable({ cause: "gone" })) : Effect.succeed(0)
    })
  const store = Layer.effect(
    Store,
    Effect.map(Store, (store) => ({ ...store, sweep })),
  ).pipe(Layer.provide(StoreMemory.layer([Passing, Removals, Leases])))

  return Effect.gen(function* () {
    yield* Layer.build(Sweeper.layer([Passing]))
    yield* TestClock.adjust("3 minutes")
    expect([calls, lines.length]).toEqual([3, 1])
    away = false
    yield* TestClock.adjust("1 minute")
    away = true
    yield* TestClock.adjust("2 minutes")
    expect([calls, lines.length]).toEqual([6, 2])
  }).pipe(Effect.provide([store, log, NodeCrypto.layer]))
})
