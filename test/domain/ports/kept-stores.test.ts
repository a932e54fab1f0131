import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, DateTime, Effect, Exit, Fiber, Layer } from "effect"
import * as StoreMemory from "../../../adapters/memory/memory-store.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { Owners, Parts, Screws, Tickets, Tools, tables } from "../../../testing/tables.ts"
import { keeping } from "../../kept-stores.ts"
import { storeLayer } from "../../stores.ts"

const noon = DateTime.makeUnsafe("2026-03-04T12:00:00.000Z")
const all = [...tables, Screws]

const ticket = (hash: string) => insert(Tickets, { hash, count: 0, owner_id: "o", expires_at: noon })
const oneOfEach = [
  insert(Owners, {
    id: "o",
    email: "o@example.org",
    nickname: "o",
    verified: true,
    visits: 1,
    weight: 0.5,
    joined_at: noon,
    left_at: null,
    tags: ["tag"],
    settings: null,
  }),
  insert(Tools, { id: "t", owner_id: "o", shelf: "top", note: "", place: 1, order: 1 }),
  insert(Parts, { id: "p", tool_id: "t", expires_at: noon }),
  insert(Screws, { id: "s", part_id: "p" }),
  ticket("h"),
]

const countsOf = Effect.fnUntraced(function* (store: Store["Service"]) {
  return yield* Effect.forEach(all, (table: AnyTable) => Effect.map(store.list(table, {}, { limit: 100 }), ({ length }) => length))
})

describe("A test's store", () => {
  it.live("is empty, whatever rows the previous test added", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 3; round++) {
        const counts = Effect.gen(function* () {
          const store = yield* Store
          const before = yield* countsOf(store)
          yield* store.commit(oneOfEach)
          return [before, yield* countsOf(store)]
        })
        assert.deepStrictEqual(yield* Effect.provide(counts, storeLayer(all)), [
          [0, 0, 0, 0, 0],
          [1, 1, 1, 1, 1],
        ])
      }
    }),
  )

  it.live("is another one than that of a concurrent test", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 2; round++) {
        const counts = Effect.gen(function* () {
          const outer = yield* Store
          const inner = Context.get(yield* Layer.build(storeLayer(all)), Store)
          yield* Effect.all([outer.commit(oneOfEach), inner.commit([ticket("one"), ticket("two")])], { concurrency: "unbounded" })
          return [yield* countsOf(outer), yield* countsOf(inner)]
        })
        assert.deepStrictEqual(yield* Effect.provide(Effect.scoped(counts), storeLayer(all)), [
          [1, 1, 1, 1, 1],
          [0, 0, 0, 2, 0],
        ])
      }
    }),
  )
})

/** Records when stores are made, emptied and closed, by their numbers. */
const watchedStores = (most?: number) => {
  const events: Array<string> = []
  let made = 0
  const make = Effect.fnUntraced(function* (given: ReadonlyArray<AnyTable>) {
    const number = ++made
    const store = Context.get(yield* Layer.build(StoreMemory.layer(given)), Store)
    yield* Effect.addFinalizer(() => Effect.sync(() => void events.push(`closed ${number}`)))
    events.push(`made ${number}`)
    const commit: typeof store.commit = (writes) => Effect.andThen(Effect.sleep(5), store.commit(writes))
    return { store: { ...store, commit }, empty: () => Effect.sync(() => void events.push(`emptied ${number}`)) }
  })
  const kept = keeping(make, most)
  const use = <A, E>(effect: Effect.Effect<A, E, Store>, of: ReadonlyArray<AnyTable> = all) => Effect.provide(effect, kept(of))
  return { events, use }
}
const committed = (count: number) => Store.use(({ commit }) => commit(Array.from({ length: count }, (_, index) => ticket(`${index}`))))

describe("Kept stores", () => {
  it.live("are emptied and used again", () =>
    Effect.gen(function* () {
      const { events, use } = watchedStores()
      yield* use(committed(1000))
      yield* use(Effect.ignore(Effect.andThen(committed(0), Effect.flip(Effect.fail("a refusal")))))
      yield* use(Effect.void)
      assert.deepStrictEqual(events, ["made 1", "emptied 1", "emptied 1", "emptied 1"])
    }),
  )

  it.live("are closed after many rows, and after a call that was interrupted, died or is still running", () =>
    Effect.gen(function* () {
      const broken = Effect.flatMap(Effect.forkChild(committed(1), { startImmediately: true }), Fiber.interrupt)
      const died = Effect.exit(Store.use(({ commit }) => commit([ticket("\0")])))
      const underWay = Effect.andThen(Effect.forkDetach(committed(1), { startImmediately: true }), Effect.void)
      for (const test of [committed(1001), broken, died, underWay]) {
        const { events, use } = watchedStores()
        yield* use(test)
        yield* use(Effect.void)
        assert.deepStrictEqual(events, ["made 1", "closed 1", "made 2", "emptied 2"])
      }
    }),
  )

  it.live("refuse queries of a test that has ended", () =>
    Effect.gen(function* () {
      const { use } = watchedStores()
      const { ping, commit, read } = yield* use(Effect.map(Store, (store) => store))
      for (const late of [ping, commit([]), read(Tickets, { hash: "h" })]) {
        const exit = yield* Effect.exit(late as Effect.Effect<unknown, unknown>)
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      }
    }),
  )

  it.live("have exactly the requested tables", () =>
    Effect.gen(function* () {
      const { events, use } = watchedStores()
      yield* use(Effect.void)
      yield* use(Effect.void, tables)
      yield* use(Effect.void, [...tables, { ...Screws }])
      yield* use(Effect.void)
      assert.deepStrictEqual(events, ["made 1", "emptied 1", "made 2", "emptied 2", "made 3", "emptied 3", "emptied 1"])
    }),
  )

  it.live("are limited in number: the least recently used are closed", () =>
    Effect.gen(function* () {
      const { events, use } = watchedStores(2)
      for (const of of [[Owners], [Tickets], [Owners], [Screws], [Owners], [Tickets]]) yield* use(Effect.void, of)
      const ends = events.filter((event) => !event.startsWith("emptied"))
      assert.deepStrictEqual(ends, ["made 1", "made 2", "made 3", "closed 2", "made 4", "closed 3"])
    }),
  )
})
