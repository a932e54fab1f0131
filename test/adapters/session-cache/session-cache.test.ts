import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { vi } from "vitest"
import * as StoreMemory from "../../../adapters/memory/memory-store.ts"
import * as SessionCache from "../../../adapters/session-cache/session-cache.ts"
import type { StoreService } from "../../../domain/ports/store.ts"
import { insert, put, remove, removeAll, removeEach, Store, StoreUnavailable, update } from "../../../domain/ports/store.ts"
import { SessionReplica } from "../../../domain/sessions/session-replica.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { storedUser } from "../../stored-user.ts"

/** How the store behind the cache behaves. */
interface Behaviour {
  /** How many sessions were read from it. */
  reads: number
  /** Runs after a session was read, before the read is over. */
  afterRead: Effect.Effect<void>
  /** Runs instead of the answer to a commit that was applied. */
  answer: Effect.Effect<void>
}

const behind = (behaviour: Behaviour) =>
  Layer.effect(
    Store,
    Effect.map(
      Store,
      (store): StoreService => ({
        ...store,
        readWithReferenced: (...question) =>
          Effect.suspend(() => {
            behaviour.reads++
            return Effect.tap(store.readWithReferenced(...question), () => behaviour.afterRead)
          }),
        commit: (writes) =>
          Effect.andThen(
            store.commit(writes),
            Effect.suspend(() => behaviour.answer),
          ),
      }),
    ),
  ).pipe(Layer.provide(StoreMemory.layer([Users, Sessions])))

const at = DateTime.makeUnsafe(0)
const user = (id: string) => storedUser({ id })
const session = (id: string, user_id: string) => ({
  id,
  user_id,
  token_hash: `hash ${id}`,
  ip_address: null,
  user_agent: null,
  authenticated_at: at,
  proved_at: at,
  multi_factor: false,
  methods: null,
  expires_at: at,
  created_at: at,
  updated_at: at,
})

/** A cache with the sessions `one` and `two` of ada and `three` of bob, none of which was read yet. */
const test = (
  name: string,
  body: (world: {
    readonly store: StoreService
    readonly behaviour: Behaviour
    /** Reads a session as `get-session` does; true if there is one. */
    readonly found: (id: string) => Effect.Effect<boolean>
    /** Whether the cache has the session. */
    readonly isKept: (id: string) => Effect.Effect<boolean>
  }) => Generator<Effect.Effect<any, any, any>, unknown, never>,
  options = { size: 100, max_age: 0 },
) =>
  it.effect(name, () => {
    const behaviour: Behaviour = { reads: 0, afterRead: Effect.void, answer: Effect.void }
    return Effect.gen(function* () {
      const [store, replica] = [yield* Store, yield* SessionReplica]
      yield* store.commit([insert(Users, user("ada")), insert(Users, user("bob"))])
      yield* store.commit(["one", "two"].map((id) => insert(Sessions, session(id, "ada"))))
      yield* store.commit([insert(Sessions, session("three", "bob"))])
      const isKept = (id: string) => Effect.map(replica!.read(`hash ${id}`), Option.isSome)
      const found = Effect.fnUntraced(function* (id: string) {
        if (yield* isKept(id)) return true
        return Option.isSome(yield* store.readWithReferenced(Sessions, { token_hash: `hash ${id}` }, "user_id"))
      })
      yield* Effect.gen(() => body({ store, behaviour, found, isKept }))
    }).pipe(Effect.provide(Layer.provide(SessionCache.layer(options), behind(behaviour))))
  })

describe("the cache of sessions", () => {
  test("reads each session once", function* ({ behaviour, found }) {
    for (let time = 0; time < 3; time++) for (const id of ["one", "two", "three"]) assert.isTrue(yield* found(id))
    assert.strictEqual(behaviour.reads, 3)
  })

  const changes: ReadonlyArray<
    readonly [what: string, of: ReadonlyArray<string>, write: (store: StoreService) => Effect.Effect<any, any>]
  > = [
    ["a session is removed", ["one"], (store) => store.commit([remove(Sessions, "one")])],
    ["sessions are removed", ["one", "three"], (store) => store.commit([removeEach(Sessions, ["one", "three"])])],
    ["all sessions of a user are removed", ["one", "two"], (store) => store.commit([removeAll(Sessions, { user_id: "ada" })])],
    ["a session is replaced", ["two"], (store) => store.commit([put(Sessions, { ...session("two", "ada"), token_hash: "other" })])],
    ["a user is changed", ["one", "two"], (store) => store.commit([put(Users, { ...user("ada"), name: "Ada" })])],
    ["a user is removed", ["three"], (store) => store.commit([remove(Users, "bob")])],
    ["a session is taken", ["one", "two", "three"], (store) => store.take(Sessions, { id: "one" })],
    [
      "a commit fails",
      ["one"],
      (store) => Effect.ignore(store.commit([update(Sessions, { row: session("one", "ada"), revision: -1 }, {})])),
    ],
  ]
  for (const [what, gone, change] of changes)
    test(`forgets ${gone.join(", ")} when ${what}`, function* ({ store, found, isKept }) {
      const all = ["one", "two", "three"]
      for (const id of all) yield* found(id)
      yield* change(store)
      for (const id of all) assert.strictEqual(yield* isKept(id), !gone.includes(id), id)
    })

  test("keeps no session that was read before a change and arrives after it", function* ({ store, behaviour, found, isKept }) {
    const late = yield* Deferred.make<void>()
    behaviour.afterRead = Deferred.await(late)
    const reading = yield* Effect.forkChild(found("one"))
    yield* Effect.yieldNow
    yield* store.commit([remove(Sessions, "one")])
    yield* Deferred.succeed(late, undefined)
    assert.isTrue(yield* Fiber.join(reading))
    assert.isFalse(yield* isKept("one"))
  })

  test("keeps no session that was read during a change", function* ({ store, behaviour, found, isKept }) {
    yield* found("one")
    const answered = yield* Deferred.make<void>()
    behaviour.answer = Deferred.await(answered)
    const changing = yield* Effect.forkChild(store.commit([put(Users, { ...user("ada"), name: "Ada" })]))
    yield* Effect.yieldNow
    assert.isFalse(yield* isKept("one"))
    yield* found("one")
    assert.isFalse(yield* isKept("one"))
    yield* Deferred.succeed(answered, undefined)
    yield* Fiber.join(changing)
    yield* found("one")
    assert.isTrue(yield* isKept("one"))
  })

  test("learns the end of a change whose client has gone", function* ({ store, behaviour, found, isKept }) {
    const answered = yield* Deferred.make<void>()
    behaviour.answer = Deferred.await(answered)
    const changing = yield* Effect.forkChild(store.commit([remove(Sessions, "one")]))
    yield* Effect.yieldNow
    const leaving = yield* Effect.forkChild(Fiber.interrupt(changing))
    yield* found("two")
    assert.isFalse(yield* isKept("two"))
    yield* Deferred.succeed(answered, undefined)
    yield* Fiber.join(leaving)
    yield* found("two")
    assert.isTrue(yield* isKept("two"))
  })

  test("keeps nothing for 30 seconds after a change without an answer, which may still be applied", function* ({
    store,
    behaviour,
    found,
    isKept,
  }) {
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    behaviour.answer = Effect.die(new StoreUnavailable({ cause: "no answer" }))
    yield* Effect.exit(store.commit([remove(Sessions, "one")]))
    for (const [millis, kept] of [
      [29_999, false],
      [1, true],
    ] as const) {
      vi.advanceTimersByTime(millis)
      yield* found("two")
      assert.strictEqual(yield* isKept("two"), kept)
    }
    vi.useRealTimers()
  })

  test(
    "keeps the sessions that were used last",
    function* ({ found, isKept }) {
      for (const id of ["one", "two", "one", "three"]) yield* found(id)
      assert.deepStrictEqual([yield* isKept("one"), yield* isKept("two"), yield* isKept("three")], [true, false, true])
    },
    { size: 2, max_age: 0 },
  )

  test(
    "reads a session again when more than max_age has passed since its read began",
    function* ({ behaviour, found }) {
      vi.useFakeTimers({ toFake: ["performance", "setTimeout"] })
      vi.advanceTimersByTime(1)
      behaviour.afterRead = Effect.sync(() => void vi.advanceTimersByTime(1000))
      yield* found("one")
      vi.advanceTimersByTime(4000)
      yield* found("one")
      assert.strictEqual(behaviour.reads, 1)
      vi.advanceTimersByTime(1)
      yield* found("one")
      assert.strictEqual(behaviour.reads, 2)
      vi.useRealTimers()
    },
    { size: 100, max_age: 5000 },
  )
})
