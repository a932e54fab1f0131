import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { makeShedding, type Workload, workloadOf, workloads } from "../../../application/service/shedding.ts"
import { StoreUnavailable } from "../../../domain/ports/store.ts"
import { StoreBudget } from "../../../domain/ports/store-budget.ts"
import { modules } from "../../everything.ts"

const limit = 5000

/** A store that answers one call after another, each after this time. A caller gives up at the end of its budget. */
const slowStore = (millis: number) => {
  const connection = Semaphore.makeUnsafe(1)
  return Effect.gen(function* useStore() {
    const budget = yield* StoreBudget
    const begun = yield* Clock.currentTimeMillis
    const call = connection.withPermit(Effect.sleep(millis))
    yield* Effect.timeoutOrElse(call, { duration: budget.left, orElse: () => Effect.die(new StoreUnavailable({ cause: "late" })) })
    budget.left -= (yield* Clock.currentTimeMillis) - begun
  })
}

/** Begins requests of each workload every 100 ms for a minute; returns how many of each were answered, refused and late. */
const storm = (store: Effect.Effect<void>, each: Readonly<Record<Workload, number>>) =>
  Effect.gen(function* () {
    const { admitted } = makeShedding()
    const counts = { session: [0, 0, 0], change: [0, 0, 0], list: [0, 0, 0] }
    const waits: Array<number> = []
    const request = Effect.fnUntraced(function* (workload: Workload) {
      const begun = yield* Clock.currentTimeMillis
      const exit = yield* admitted(workload)(store).pipe(Effect.provideService(StoreBudget, { left: limit, limit }), Effect.exit)
      const isRefused = exit._tag === "Failure" && exit.cause.reasons[0]?._tag === "Fail"
      counts[workload][exit._tag === "Success" ? 0 : isRefused ? 1 : 2]!++
      if (isRefused) waits.push((yield* Clock.currentTimeMillis) - begun)
    })
    const fibers: Array<Fiber.Fiber<void>> = []
    for (let turn = 0; turn < 600; turn++) {
      for (const workload of workloads)
        for (let left = each[workload]; left > 0; left--) fibers.push(yield* Effect.forkChild(request(workload)))
      yield* TestClock.adjust("100 millis")
    }
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.awaitAll(fibers)
    assert.isBelow(Math.max(0, ...waits), 1, "a refused request does not wait")
    return counts
  })

it.effect("nothing is refused while the store keeps up", () =>
  Effect.gen(function* () {
    const counts = yield* storm(slowStore(20), { session: 2, change: 1, list: 1 })
    assert.deepStrictEqual(counts, { session: [1200, 0, 0], change: [600, 0, 0], list: [600, 0, 0] })
  }),
)

it.effect("lists are refused first, and nothing is late", () =>
  Effect.gen(function* () {
    const { session, change, list } = yield* storm(slowStore(25), { session: 1, change: 2, list: 3 })
    assert.deepStrictEqual(
      [session, change],
      [
        [600, 0, 0],
        [1200, 0, 0],
      ],
    )
    assert.isAbove(list[1]!, 300)
    assert.strictEqual(list[2], 0)
  }),
)

it.effect("then sign-ins and changes, while reads of sessions are answered", () =>
  Effect.gen(function* () {
    const { session, change, list } = yield* storm(slowStore(50), { session: 1, change: 3, list: 3 })
    // A few are refused in the first seconds, when the queue of changes grows faster than it can be measured.
    assert.isAbove(session[0]!, 580)
    assert.strictEqual(session[2], 0)
    assert.isAbove(change[1]!, 300)
    assert.isAbove(list[1]!, 1500)
    assert.deepStrictEqual([change[2], list[2]], [0, 0])
  }),
)

it.effect("a burst is answered, although the first requests of a process are slow and few have ended", () =>
  Effect.gen(function* () {
    const { admitted } = makeShedding()
    const store = slowStore(30)
    const request = Effect.suspend(() => Effect.exit(Effect.provideService(admitted("change")(store), StoreBudget, { left: limit, limit })))
    for (let turn = 0; turn < 5; turn++) {
      const exits = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 40 }, () => request),
          { concurrency: "unbounded" },
        ),
      )
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual([...new Set((yield* Fiber.join(exits)).map(({ _tag }) => _tag))], ["Success"])
    }
  }),
)

it.effect("a workload is admitted again after another one has ended", () =>
  Effect.gen(function* () {
    const { admitted } = makeShedding()
    const run = (workload: Workload, store: Effect.Effect<void>) =>
      Effect.exit(Effect.provideService(admitted(workload)(store), StoreBudget, { left: limit, limit }))
    const slow = Effect.map(StoreBudget, (budget) => {
      budget.left = 0
    })
    for (let left = 50; left > 0; left--) yield* run("session", slow)
    yield* Effect.forkChild(run("list", Effect.sleep("1 hour")))
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* run("list", Effect.void))._tag, "Failure")
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual((yield* run("list", Effect.void))._tag, "Success")
  }),
)

it.effect("an operation counts what it has waited itself, and not what others of its request wait meanwhile", () =>
  Effect.gen(function* () {
    const { admitted } = makeShedding()
    const slow = Effect.map(StoreBudget, (budget) => {
      budget.left = 0
    })
    const request = <A, E>(work: Effect.Effect<A, E>) => Effect.provideService(work, StoreBudget, { left: limit, limit })
    for (let left = 50; left > 0; left--) {
      const isDone = yield* Latch.make()
      const both = [admitted("session")(isDone.await), Effect.ensuring(admitted("list")(slow), isDone.open)]
      yield* request(Effect.all(both, { concurrency: "unbounded" }))
    }
    yield* Effect.forkChild(request(admitted("session")(Effect.never)))
    yield* Effect.yieldNow
    yield* request(admitted("session")(Effect.void))
  }),
)

it.effect("work without a request is not refused", () =>
  Effect.gen(function* () {
    const { admitted } = makeShedding()
    yield* admitted("list")(Effect.void)
  }),
)

it("the workload of an endpoint follows from what it declares", () => {
  const endpoints = modules.flatMap((module) => Object.values<Parameters<typeof workloadOf>[0]>(module.endpoints))
  const of = (name: string) => workloadOf(endpoints.find((endpoint) => endpoint.name === name)!)
  expect(["getSession", "oauth2Jwks", "token", "signInEmail", "signUpEmail", "updateUser", "oauth2Authorize"].map(of)).toEqual([
    ...["session", "session", "session"],
    ...["change", "change", "change", "change"],
  ])
  expect(["listSessions", "adminListUsers", "organizationList"].map(of)).toEqual(["list", "list", "list"])
})
