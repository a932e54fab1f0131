import { assert, describe, it } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Layer, Option, Redacted } from "effect"
import * as Database from "../../../adapters/mongo/database.ts"
import * as MongoStore from "../../../adapters/mongo/mongo-store.ts"
import type { StoreService } from "../../../domain/ports/store.ts"
import { insert, put, retryOnConflict, Store, StoreUnavailable, update } from "../../../domain/ports/store.ts"
import { Tickets, tables } from "../../../testing/tables.ts"
import type { Server } from "../../mongo-server.ts"
import { admin, startReplicaSet } from "../../mongo-server.ts"

const noon = DateTime.makeUnsafe("2026-03-04T12:00:00.000Z")
const ticket = (hash: string, count = 0) => ({ hash, count, owner_id: "unknown", expires_at: noon })
const clients = 6

const replicaSet = (members: number) =>
  Effect.acquireRelease(
    Effect.promise(() => startReplicaSet(members)),
    ({ stop }) => Effect.promise(stop),
  )

/** The results of all operations. */
interface Ledger {
  /** Pairs of rows that an answered commit added, and those whose commit was interrupted. */
  readonly added: Set<string>
  readonly unknown: Set<string>
  /** How often each row was returned by `take`. */
  readonly taken: Map<string, number>
  takenAway: Set<string>
  /** The start times of the refused operations. */
  readonly failures: Array<number>
  counted: number
  perhapsCounted: number
}

/** Starts clients that write without a pause until the test stops them. */
const load = (store: StoreService) => {
  const ledger: Ledger = {
    added: new Set(),
    unknown: new Set(),
    taken: new Map(),
    takenAway: new Set(),
    failures: [],
    counted: 0,
    perhapsCounted: 0,
  }
  let over = false
  const outcome = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const asked = performance.now()
      return Effect.map(Effect.exit(effect), (exit) => {
        if (Exit.isSuccess(exit)) return Option.some(exit.value)
        assert.instanceOf(Cause.squash(exit.cause), StoreUnavailable)
        ledger.failures.push(asked)
        return Option.none()
      })
    })

  const round = Effect.fnUntraced(function* (name: string) {
    const pair = yield* outcome(store.commit([insert(Tickets, ticket(`${name} left`)), insert(Tickets, ticket(`${name} right`))]))
    ;(Option.isSome(pair) ? ledger.added : ledger.unknown).add(name)

    const single = yield* outcome(store.commit([insert(Tickets, ticket(`${name} single`))]))
    if (Option.isSome(single)) {
      const takes = yield* Effect.all(
        [outcome(store.take(Tickets, { hash: `${name} single` })), outcome(store.take(Tickets, { hash: `${name} single` }))],
        {
          concurrency: "unbounded",
        },
      )
      ledger.taken.set(name, takes.filter((take) => Option.isSome(Option.flatten(take))).length)
      if (takes.every(Option.isSome)) ledger.takenAway.add(name)
    }

    const increment = Effect.gen(function* () {
      const held = Option.getOrThrow(yield* store.read(Tickets, { hash: "counter" }))
      yield* store.commit([update(Tickets, held, { count: held.row.count + 1 }), put(Tickets, ticket(`${name} counted`))])
    })
    if (Option.isSome(yield* outcome(retryOnConflict(increment)))) ledger.counted += 1
    else ledger.perhapsCounted += 1
  })
  const client = Effect.fnUntraced(function* (index: number) {
    for (let at = 0; !over; at++) yield* round(`${index}.${at}`)
  })
  const clientsAtWork = Effect.all(
    Array.from({ length: clients }, (_, index) => client(index)),
    { concurrency: "unbounded" },
  )
  return {
    ledger,
    during: <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.all(
        [
          clientsAtWork,
          Effect.ensuring(
            work,
            Effect.sync(() => (over = true)),
          ),
        ],
        { concurrency: "unbounded" },
      ),
  }
}

/** Every answered write is stored, none is stored in part, and none was applied twice. */
const audit = Effect.fnUntraced(function* (store: StoreService, ledger: Ledger) {
  const exists = (hash: string) => Effect.map(store.read(Tickets, { hash }), Option.isSome)
  for (const name of [...ledger.added, ...ledger.unknown]) {
    const halves = [yield* exists(`${name} left`), yield* exists(`${name} right`)]
    assert.strictEqual(halves[0], halves[1], `${name} is half there`)
    if (ledger.added.has(name)) assert.isTrue(halves[0], `${name} was answered and is lost`)
  }
  for (const [name, times] of ledger.taken) {
    assert.isAtMost(times, 1, `${name} was taken twice`)
    if (times === 1) assert.isFalse(yield* exists(`${name} single`), `${name} was taken and is still there`)
  }
  for (const name of ledger.takenAway) assert.strictEqual(ledger.taken.get(name), 1, `${name} was lost`)
  const { row } = Option.getOrThrow(yield* store.read(Tickets, { hash: "counter" }))
  assert.isAtLeast(row.count, ledger.counted)
  assert.isAtMost(row.count, ledger.counted + ledger.perhapsCounted)
})

const storeAt = (url: string) =>
  Effect.gen(function* () {
    const services = yield* Layer.build(Layer.orDie(MongoStore.layer(tables).pipe(Layer.provide(Database.layer(Redacted.make(url))))))
    const store = yield* Effect.provide(Store, services)
    yield* store.commit([insert(Tickets, ticket("counter"))])
    return store
  })

const primary = async (members: ReadonlyArray<Server>): Promise<Server> => {
  for (;;) {
    for (const member of members) {
      const hello = await admin(member.port, (client) => client.db("admin").command({ hello: 1 })).catch(() => undefined)
      if (hello?.["isWritablePrimary"] === true) return member
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const stepDown = async (members: ReadonlyArray<Server>) => {
  const { port } = await primary(members)
  await admin(port, (client) => client.db("admin").command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 4 }))
}

const report = (name: string, { added, failures, counted }: Ledger) =>
  Effect.sync(() => console.log(`${name}: ${added.size} pairs and ${counted} increments answered, ${failures.length} requests refused`))

describe("a replica set", () => {
  it.live(
    "whose primary steps down under load loses nothing that was answered",
    () =>
      Effect.gen(function* () {
        const { url, members } = yield* replicaSet(3)
        const store = yield* storeAt(url)
        const { ledger, during } = load(store)
        let calm = 0
        yield* during(
          Effect.gen(function* () {
            for (let round = 0; round < 3; round++) {
              yield* Effect.sleep("1 second")
              yield* Effect.promise(() => stepDown(members))
              yield* Effect.promise(() => primary(members))
            }
            yield* Effect.sleep("1 second")
            calm = performance.now()
            yield* Effect.sleep("2 seconds")
          }),
        )
        yield* report("step-down", ledger)
        assert.isAbove(ledger.added.size, 25)
        assert.deepStrictEqual(
          ledger.failures.filter((at) => at > calm),
          [],
        )
        yield* audit(store, ledger)
      }).pipe(Effect.scoped),
    120_000,
  )

  it.live(
    "whose primary is killed under load loses nothing that was answered",
    () =>
      Effect.gen(function* () {
        const { url, members } = yield* replicaSet(3)
        const store = yield* storeAt(url)
        const { ledger, during } = load(store)
        let calm = 0
        yield* during(
          Effect.gen(function* () {
            yield* Effect.sleep("1 second")
            const killed = yield* Effect.promise(() => primary(members))
            yield* Effect.promise(killed.halt)
            yield* Effect.promise(() => primary(members.filter((member) => member !== killed)))
            yield* Effect.sleep("1 second")
            calm = performance.now()
            yield* Effect.promise(killed.resume)
            yield* Effect.sleep("3 seconds")
          }),
        )
        yield* report("killed primary", ledger)
        assert.isAbove(ledger.added.size, 25)
        assert.deepStrictEqual(
          ledger.failures.filter((at) => at > calm),
          [],
        )
        yield* audit(store, ledger)
      }).pipe(Effect.scoped),
    120_000,
  )

  it.live(
    "of one member that is killed and started again loses nothing that was answered",
    () =>
      Effect.gen(function* () {
        const { url, members } = yield* replicaSet(1)
        const [only] = members
        const store = yield* storeAt(url)
        const { ledger, during } = load(store)
        let calm = 0
        yield* during(
          Effect.gen(function* () {
            for (let round = 0; round < 2; round++) {
              yield* Effect.sleep("1 second")
              yield* Effect.promise(only!.halt)
              yield* Effect.sleep("500 millis")
              yield* Effect.promise(only!.resume)
              yield* Effect.promise(() => primary(members))
            }
            yield* Effect.sleep("1 second")
            calm = performance.now()
            yield* Effect.sleep("2 seconds")
          }),
        )
        yield* report("killed and started again", ledger)
        assert.isAbove(ledger.added.size, 25)
        assert.deepStrictEqual(
          ledger.failures.filter((at) => at > calm),
          [],
        )
        yield* audit(store, ledger)
      }).pipe(Effect.scoped),
    120_000,
  )
})
