import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, type Layer, Option, type Scope } from "effect"
import {
  Conflict,
  check,
  detach,
  find,
  insert,
  modify,
  put,
  remove,
  removeAll,
  removeEach,
  removeVersioned,
  retryOnConflict,
  Store,
  type StoreService,
  Taken,
  UnstorableText,
  update,
} from "../domain/ports/store.ts"
import type { AnyTable, Where } from "../domain/ports/table.ts"
import { type Owner, Owners, Parts, Screws, Tickets, Tools, tables } from "./tables.ts"

const at = (iso: string) => DateTime.makeUnsafe(iso)
const noon = at("2026-03-04T12:00:00.000Z")

let drawn = 0
const fresh = (name: string) => `${name}-${++drawn}`

const owner = (fields: Partial<Owner> = {}): Owner => {
  const id = fields.id ?? fresh("owner")
  return {
    id,
    email: `${id}@example.org`,
    nickname: null,
    verified: false,
    visits: 0,
    weight: 0.5,
    joined_at: noon,
    left_at: null,
    tags: [],
    settings: null,
    ...fields,
  }
}
const tool = (fields: Partial<typeof Tools.schema.Type> = {}) => ({
  id: fresh("tool"),
  owner_id: null,
  shelf: fresh("shelf"),
  note: "",
  place: null,
  order: 0,
  ...fields,
})
const part = (tool_id: string, expires_at = noon) => ({ id: fresh("part"), tool_id, expires_at })
const ticket = (fields: Partial<typeof Tickets.schema.Type> = {}) => ({
  hash: fresh("hash"),
  count: 0,
  owner_id: "unknown",
  expires_at: noon,
  ...fields,
})

const held = Effect.fnUntraced(function* (id: string) {
  return Option.getOrThrow(yield* (yield* Store).read(Owners, { id }))
})
const added = Effect.fnUntraced(function* (fields: Partial<Owner> = {}) {
  const row = owner(fields)
  yield* (yield* Store).commit([insert(Owners, row)])
  return yield* held(row.id)
})
const times = <A>(count: number, make: (index: number) => A) => Array.from({ length: count }, (_, index) => make(index))
const together = <A, E, R>(count: number, effect: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.all(times(count, effect), { concurrency: "unbounded" })
const many = <A, E, R>(count: number, effect: (index: number) => Effect.Effect<A, E, R>) =>
  together(count, (index) => Effect.exit(effect(index)))
const wins = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>) => exits.filter(Exit.isSuccess).length
const failures = <E>(exits: ReadonlyArray<Exit.Exit<unknown, E>>) => exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
const defect = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) throw new Error("Expected a defect")
    return Cause.hasDies(exit.cause) ? Cause.squash(exit.cause) : undefined
  })
const none = Option.none()
/** Chai compares errors by their names and messages alone. */
const assertError = (actual: unknown, expected: Error) => assert.deepStrictEqual({ ...(actual as Error) }, { ...expected })

type Body = (store: StoreService) => Generator<Effect.Effect<any, any, Store | Scope.Scope>, void>

/** The contract of every Store. An adapter's own test file is one call to this. */
export const storeSuite = (name: string, store: (tables: ReadonlyArray<AnyTable>) => Layer.Layer<Store>) =>
  layer(store(tables))(`Store (${name})`, (it) => {
    const test = (what: string, body: Body) => it.effect(what, () => Effect.flatMap(Store, Effect.fnUntraced(body)))

    describe("one row", () => {
      test("is read as it was written, by its key and by each unique field", function* ({ commit, read }) {
        const row = owner({ nickname: fresh("nick") })
        yield* commit([insert(Owners, row)])
        for (const where of [{ id: row.id }, { email: row.email }, { nickname: row.nickname }, { id: row.id, email: row.email }]) {
          assert.deepStrictEqual(yield* find(Owners, where), Option.some(row))
        }
        assert.deepStrictEqual(yield* read(Owners, { id: row.id, email: "other@example.org" }), none)
        assert.deepStrictEqual(yield* find(Owners, { id: "unknown" }), none)
      })

      test("keeps every kind of field", function* ({ commit }) {
        const rows = [
          owner({ nickname: fresh("full"), verified: true, visits: Number.MAX_SAFE_INTEGER, weight: 1e-300, left_at: noon }),
          owner({ visits: Number.MIN_SAFE_INTEGER, weight: -0.1, tags: ["b", "a", "b", ""] }),
          owner({ visits: 2_147_483_648, weight: 3, settings: { theme: "", seen_at: at("2026-01-01T00:00:00.001Z") } }),
        ]
        yield* commit(rows.map((row) => insert(Owners, row)))
        for (const row of rows) assert.deepStrictEqual(yield* find(Owners, { id: row.id }), Option.some(row))
      })

      test("keeps the millisecond of a time, from the year 1 to the year 9999", function* () {
        const times = ["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2026-03-29T02:30:00.123Z", "9999-12-31T23:59:59.999Z"]
        for (const time of times) {
          const { row } = yield* added({ joined_at: at(time) })
          assert.strictEqual(DateTime.formatIso(row.joined_at), time)
        }
      })

      test("keeps its times when the process is in another time zone", function* () {
        const zone = process.env["TZ"]
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            if (zone === undefined) delete process.env["TZ"]
            else process.env["TZ"] = zone
          }),
        )
        const first = yield* added({ left_at: at("2026-03-29T02:30:00.123Z") })
        process.env["TZ"] = "America/St_Johns"
        const second = yield* added({ left_at: first.row.left_at })
        assert.deepStrictEqual((yield* held(first.row.id)).row, first.row)
        delete process.env["TZ"]
        assert.deepStrictEqual((yield* held(second.row.id)).row.left_at, first.row.left_at)
      })

      test("is replaced by put, which adds a missing row", function* ({ commit, read }) {
        const row = owner()
        yield* commit([put(Owners, row)])
        const first = yield* held(row.id)
        yield* commit([put(Owners, { ...row, visits: 7 })])
        const second = Option.getOrThrow(yield* read(Owners, { id: row.id }))
        assert.strictEqual(second.row.visits, 7)
        assert.isAbove(second.revision, first.revision)
      })

      test("does not exist after remove; a second remove has no effect", function* ({ commit }) {
        const { row } = yield* added()
        yield* commit([remove(Owners, row.id)])
        yield* commit([remove(Owners, row.id)])
        assert.deepStrictEqual(yield* find(Owners, { id: row.id }), none)
        assert.deepStrictEqual(yield* find(Owners, { email: row.email }), none)
      })

      test("is found under its new values only", function* ({ commit }) {
        const first = yield* added()
        yield* commit([update(Owners, first, { email: "moved@example.org" })])
        assert.deepStrictEqual(yield* find(Owners, { email: first.row.email }), none)
        assert.strictEqual(Option.getOrThrow(yield* find(Owners, { email: "moved@example.org" })).id, first.row.id)
      })

      test("is returned by one take, and by no later one", function* ({ commit, take }) {
        const row = ticket()
        yield* commit([insert(Tickets, row)])
        assert.deepStrictEqual(yield* take(Tickets, { hash: row.hash, owner_id: "another" }), none)
        assert.deepStrictEqual(yield* take(Tickets, { hash: row.hash }), Option.some(row))
        assert.deepStrictEqual(yield* take(Tickets, { hash: row.hash }), none)
      })

      test("is read with the row that it references", function* ({ commit, read, readWithReferenced }) {
        const { row } = yield* added({ settings: { theme: "dark", seen_at: noon } })
        const [owned, free, stray] = [tool({ owner_id: row.id }), tool(), tool({ owner_id: "unknown" })]
        yield* commit([insert(Tools, owned), insert(Tools, free), insert(Tools, stray)])
        const [first, second] = Option.getOrThrow(yield* readWithReferenced(Tools, { id: owned.id }, "owner_id"))
        assert.deepStrictEqual([first.row, second], [owned, yield* held(row.id)])
        assert.deepStrictEqual(first, Option.getOrThrow(yield* read(Tools, { id: owned.id })))
        for (const id of [free.id, stray.id, "nothing"]) assert.deepStrictEqual(yield* readWithReferenced(Tools, { id }, "owner_id"), none)
      })

      test("is read with the row that references it, if there is one", function* ({ commit, read, readWithReferencing }) {
        const [alone, crowded] = [yield* added(), yield* added({ visits: 7, left_at: noon, settings: { theme: "dark", seen_at: noon } })]
        const shelved = times(3, (place) => tool({ shelf: crowded.row.id, place, note: `number ${place}` }))
        yield* commit([...shelved, tool({ shelf: fresh("shelf"), place: 1 })].map((row) => insert(Tools, row)))
        const onShelf = (where: Where<typeof Owners>, place: number) => readWithReferencing(Owners, where, Tools, "shelf", { place })

        for (const where of [{ id: crowded.row.id }, { email: crowded.row.email }, { id: crowded.row.id, email: crowded.row.email }]) {
          const second = yield* read(Tools, { id: shelved[1]!.id })
          assert.deepStrictEqual(yield* onShelf(where, 1), Option.some([crowded, second] as const))
        }
        for (const [row, place] of [[crowded, 3] as const, [alone, 1] as const])
          assert.deepStrictEqual(yield* onShelf({ email: row.row.email }, place), Option.some([row, none] as const))
        assert.deepStrictEqual(yield* onShelf({ id: shelved[1]!.id }, 1), none)
        assert.deepStrictEqual(yield* onShelf({ id: crowded.row.id, email: alone.row.email }, 1), none)
      })

      test("is read with the row that has the same key", function* ({ commit, readWithReferencing }) {
        const first = yield* added()
        const row = ticket({ hash: first.row.id, expires_at: at("2026-03-29T02:30:00.123Z") })
        yield* commit([insert(Tickets, row), insert(Tickets, ticket())])
        const [owner, found] = Option.getOrThrow(yield* readWithReferencing(Owners, { id: first.row.id }, Tickets, "hash", {}))
        assert.deepStrictEqual([owner, Option.getOrThrow(found).row], [first, row])
        const unmet = yield* readWithReferencing(Owners, { id: first.row.id }, Tickets, "hash", { owner_id: "another" })
        assert.deepStrictEqual(unmet, Option.some([first, none] as const))
      })

      test("is read with another row, and both can be conditions of a commit", function* ({ commit, readWithReferencing }) {
        const { row } = yield* added()
        yield* commit([insert(Tools, tool({ shelf: row.id, place: 1 }))])
        const both = Effect.map(readWithReferencing(Owners, { id: row.id }, Tools, "shelf", { place: 1 }), Option.getOrThrow)
        const [owner, found] = yield* both
        const held = Option.getOrThrow(found)
        yield* commit([check(Owners, owner), update(Tools, held, { note: "seen" })])
        assertError(yield* Effect.flip(commit([update(Tools, held, {})])), new Conflict({ table: "table" }))
        assert.strictEqual(Option.getOrThrow((yield* both)[1]).row.note, "seen")
        yield* commit([update(Owners, owner, { visits: 1 })])
        assertError(yield* Effect.flip(commit([check(Owners, owner)])), new Conflict({ table: "user" }))
      })
    })

    describe("uniqueness", () => {
      test("names the field: the key, a unique field, the first of several", function* ({ commit }) {
        const { row } = yield* added({ nickname: fresh("nick") })
        const shelved = tool({ place: 1 })
        yield* commit([insert(Tools, shelved)])
        const taken = (write: Parameters<StoreService["commit"]>[0][number]) => Effect.flip(commit([write]))
        const expected = (table: AnyTable, field: string) => new Taken({ table: table.name, field })
        assertError(yield* taken(insert(Owners, owner({ id: row.id }))), expected(Owners, "id"))
        assertError(yield* taken(insert(Owners, owner({ email: row.email }))), expected(Owners, "email"))
        assertError(yield* taken(put(Owners, owner({ nickname: row.nickname }))), expected(Owners, "nickname"))
        assertError(yield* taken(put(Owners, owner({ nickname: row.nickname }), "absent")), expected(Owners, "nickname"))
        assertError(yield* taken(insert(Tools, tool({ shelf: shelved.shelf, place: 1 }))), expected(Tools, "shelf"))
        yield* commit([insert(Tools, tool({ shelf: shelved.shelf, place: 2 }))])
      })

      test("applies to updates, and lets a row keep its own values", function* ({ commit }) {
        const [first, second] = [yield* added(), yield* added()]
        assertError(
          yield* Effect.flip(commit([update(Owners, second, { email: first.row.email })])),
          new Taken({ table: "user", field: "email" }),
        )
        yield* commit([update(Owners, first, { email: first.row.email, visits: 1 })])
      })

      test("does not count nulls, alone or in a pair", function* ({ commit }) {
        const shelf = fresh("shelf")
        yield* commit([insert(Owners, owner()), insert(Owners, owner())])
        yield* commit([insert(Tools, tool({ shelf })), insert(Tools, tool({ shelf }))])
      })

      test("distinguishes by code point: neither case, accents nor blanks are folded", function* ({ commit }) {
        const base = fresh("é")
        const alike = [base, base.toUpperCase(), `${base} `, base.normalize("NFD"), base.replace("é", "e")]
        yield* commit(alike.map((nickname) => insert(Owners, owner({ nickname }))))
        for (const nickname of alike) assert.strictEqual(Option.getOrThrow(yield* find(Owners, { nickname })).nickname, nickname)
      })

      test("allows a value to move from one row to another within a commit, in order", function* ({ commit }) {
        const first = yield* added()
        const heir = owner({ email: first.row.email })
        assert.instanceOf(yield* Effect.flip(commit([insert(Owners, heir), remove(Owners, first.row.id)])), Taken)
        yield* commit([remove(Owners, first.row.id), insert(Owners, heir)])
        assert.deepStrictEqual(yield* find(Owners, { email: heir.email }), Option.some(heir))
      })
    })

    describe("conditions", () => {
      test("a revision grows with every write and is not changed by reading or checking", function* ({ commit }) {
        const first = yield* added()
        yield* commit([check(Owners, first)])
        assert.strictEqual((yield* held(first.row.id)).revision, first.revision)
        yield* commit([update(Owners, first, {})])
        assert.isAbove((yield* held(first.row.id)).revision, first.revision)
      })

      test("a write succeeds if its row has the expected revision", function* ({ commit }) {
        const row = owner()
        yield* commit([put(Owners, row, "absent")])
        const first = yield* held(row.id)
        yield* commit([check(Owners, first), update(Owners, first, { visits: 1 })])
        yield* commit([removeVersioned(Owners, yield* held(row.id))])
        assert.deepStrictEqual(yield* find(Owners, { id: row.id }), none)
      })

      test("and fails with Conflict otherwise, alone and among others", function* ({ commit }) {
        const stale = yield* added()
        yield* commit([update(Owners, stale, { visits: 1 })])
        const gone = yield* added()
        yield* commit([remove(Owners, gone.row.id)])
        const unmet = [
          put(Owners, stale.row, "absent"),
          update(Owners, stale, { visits: 2 }),
          removeVersioned(Owners, stale),
          check(Owners, stale),
          update(Owners, gone, { visits: 2 }),
          removeVersioned(Owners, gone),
          check(Owners, gone),
        ]
        for (const write of unmet) {
          const other = owner()
          assertError(yield* Effect.flip(commit([write])), new Conflict({ table: "user" }))
          assertError(yield* Effect.flip(commit([insert(Owners, other), write])), new Conflict({ table: "user" }))
          assert.deepStrictEqual(yield* find(Owners, { id: other.id }), none)
        }
        assert.strictEqual((yield* held(stale.row.id)).row.visits, 1)
      })

      test("a row that was removed and added again is not the row that was read", function* ({ commit, take }) {
        const first = yield* added()
        yield* take(Owners, { id: first.row.id })
        yield* commit([insert(Owners, first.row)])
        assert.instanceOf(yield* Effect.flip(commit([update(Owners, first, { visits: 1 })])), Conflict)
        assert.instanceOf(yield* Effect.flip(commit([check(Owners, first)])), Conflict)
      })

      test("the conflict is that of the first failing write", function* ({ commit }) {
        const row = ticket()
        yield* commit([insert(Tickets, row)])
        const unmet = [put(Tickets, row, "absent"), insert(Owners, (yield* added()).row)]
        assertError(yield* Effect.flip(commit(unmet)), new Conflict({ table: "ticket" }))
        assertError(yield* Effect.flip(commit(unmet.reverse())), new Taken({ table: "user", field: "id" }))
      })
    })

    describe("a commit of several writes", () => {
      test("leaves nothing behind when the last one fails, whatever went before", function* ({ commit, list }) {
        const [changed, removed, taken] = [yield* added(), yield* added(), yield* added()]
        const swept = tool({ owner_id: removed.row.id })
        yield* commit([insert(Tools, swept)])
        const fresh = owner()
        const error = yield* Effect.flip(
          commit([
            insert(Owners, fresh),
            update(Owners, changed, { visits: 9, email: "nine@example.org" }),
            removeAll(Tools, { owner_id: removed.row.id }),
            remove(Owners, removed.row.id),
            insert(Owners, owner({ email: taken.row.email })),
          ]),
        )
        assertError(error, new Taken({ table: "user", field: "email" }))
        assert.deepStrictEqual(yield* find(Owners, { id: fresh.id }), none)
        assert.deepStrictEqual(yield* held(changed.row.id), changed)
        assert.deepStrictEqual(yield* held(removed.row.id), removed)
        assert.deepStrictEqual(yield* list(Tools, { owner_id: removed.row.id }, { limit: 9 }), [swept])
        assert.deepStrictEqual(yield* find(Owners, { email: "nine@example.org" }), none)
      })

      test("sees its own earlier writes", function* ({ commit, list }) {
        const [first, second] = [tool({ owner_id: fresh("owner") }), tool()]
        yield* commit([
          insert(Tools, first),
          put(Tools, { ...first, order: 4 }),
          put(Tools, { ...second, owner_id: first.owner_id }),
          removeAll(Tools, { owner_id: first.owner_id }),
          insert(Tools, second),
        ])
        assert.deepStrictEqual(yield* list(Tools, { owner_id: first.owner_id }, { limit: 9 }), [])
        assert.deepStrictEqual(yield* find(Tools, { id: second.id }), Option.some(second))
      })

      it.effect("may be empty", () => Effect.flatMap(Store, ({ commit }) => commit([])))

      test("can have hundreds of writes", function* ({ commit, list }) {
        const owner_id = fresh("owner")
        yield* commit(times(300, (order) => insert(Tools, tool({ owner_id, order }))))
        assert.strictEqual((yield* list(Tools, { owner_id }, { limit: 1000 })).length, 300)
      })

      test("is never visible in part", function* ({ commit, list }) {
        const owner_id = fresh("owner")
        const pair = [tool({ owner_id }), tool({ owner_id })]
        const flip = (order: number) => commit(pair.map((row) => put(Tools, { ...row, order })))
        yield* flip(0)
        const look = Effect.map(list(Tools, { owner_id }, { limit: 9 }), (rows) => new Set(rows.map(({ order }) => order)).size)
        const [, sizes] = yield* Effect.all([many(30, flip), Effect.all(times(100, () => look))], {
          concurrency: "unbounded",
        })
        assert.deepStrictEqual(new Set(sizes), new Set([1]))
      })
    })

    describe("concurrent calls", () => {
      test("twenty that take a row: one gets it", function* ({ commit, take }) {
        const row = ticket()
        yield* commit([insert(Tickets, row)])
        const taken = yield* together(20, () => take(Tickets, { hash: row.hash }))
        assert.deepStrictEqual(taken.filter(Option.isSome), [Option.some(row)])
      })

      test("twenty that take a row that others reference: one gets it", function* ({ take }) {
        const { row } = yield* added()
        const taken = yield* together(20, () => take(Owners, { id: row.id }))
        assert.deepStrictEqual(taken.filter(Option.isSome), [Option.some(row)])
      })

      test("twenty that insert a key, or a unique value: one succeeds", function* ({ commit }) {
        const row = owner()
        const byKey = yield* many(20, (index) => commit([insert(Owners, { ...row, email: `${index}-${row.email}` })]))
        assert.strictEqual(wins(byKey), 1)
        assert.deepStrictEqual(new Set(failures(byKey).map((error) => (error as Taken).field)), new Set(["id"]))
        const byEmail = yield* many(20, () => commit([insert(Owners, owner({ email: "one@example.org" })), insert(Tools, tool())]))
        assert.strictEqual(wins(byEmail), 1)
        assert.deepStrictEqual(new Set(failures(byEmail).map((error) => (error as Taken).field)), new Set(["email"]))
        const absent = yield* many(20, () => commit([put(Tickets, ticket({ hash: "absent" }), "absent")]))
        assert.strictEqual(wins(absent), 1)
        assert.isTrue(failures(absent).every((error) => error instanceof Conflict))
      })

      test("twenty that update the row that they read: one succeeds", function* ({ commit }) {
        const first = yield* added()
        const exits = yield* many(20, (visits) => commit([update(Owners, first, { visits: visits + 1 })]))
        assert.strictEqual(wins(exits), 1)
        assert.isTrue(failures(exits).every((error) => error instanceof Conflict))
      })

      test("fifty increments add fifty", function* () {
        const row = ticket({ count: 0 })
        const increment = modify(Tickets, row.hash, (held) => {
          const count = Option.match(held, { onNone: () => 1, onSome: ({ count }) => count + 1 })
          return [count, Option.some({ ...row, count })]
        })
        const answers = yield* together(50, () => increment)
        assert.strictEqual(Option.getOrThrow(yield* find(Tickets, { hash: row.hash })).count, 50)
        assert.strictEqual(new Set(answers).size, 50)
      })

      test("two commits that each check the row that the other updates: at most one succeeds", function* ({ commit }) {
        for (let round = 0; round < 30; round++) {
          const [left, right] = [yield* added(), yield* added()]
          const exits = yield* Effect.all(
            [
              Effect.exit(commit([check(Owners, left), update(Owners, right, { verified: true })])),
              Effect.exit(commit([check(Owners, right), update(Owners, left, { verified: true })])),
            ],
            { concurrency: "unbounded" },
          )
          assert.isAtMost(wins(exits), 1)
          assert.isTrue(failures(exits).every((error) => error instanceof Conflict))
        }
      })

      test("a row added under a check is either removed too, or its commit fails", function* ({ commit, list }) {
        for (let round = 0; round < 40; round++) {
          const first = yield* added()
          const mine = { owner_id: first.row.id }
          const adding = many(4, () => commit([check(Owners, first), insert(Tools, tool(mine))]))
          const sweeping = Effect.exit(commit([update(Owners, first, { verified: true }), removeAll(Tools, mine)]))
          const [, swept] = yield* Effect.all(round % 2 === 0 ? [adding, sweeping] : [Effect.map(sweeping, (exit) => [exit]), adding], {
            concurrency: "unbounded",
          })
          assert.isDefined(swept)
          assert.isTrue((yield* held(first.row.id)).row.verified)
          assert.deepStrictEqual(yield* list(Tools, mine, { limit: 9 }), [])
        }
      })

      test("a row added under a check does not outlive the row that it references", function* ({ commit, list, take }) {
        for (let round = 0; round < 40; round++) {
          const first = yield* added()
          const mine = { owner_id: first.row.id }
          yield* Effect.all(
            [
              many(4, () => commit([check(Owners, first), insert(Tools, tool(mine))])),
              round % 2 === 0 ? commit([remove(Owners, first.row.id)]) : take(Owners, { id: first.row.id }),
            ],
            { concurrency: "unbounded" },
          )
          assert.deepStrictEqual(yield* list(Tools, mine, { limit: 9 }), [])
        }
      })
    })

    describe("modify and decide", () => {
      test("add, change, remove or keep a row", function* ({ read }) {
        const row = ticket({ count: 1 })
        assert.strictEqual(yield* modify(Tickets, row.hash, (held) => [Option.isNone(held), Option.none()]), true)
        assert.deepStrictEqual(yield* find(Tickets, { hash: row.hash }), none)
        yield* modify(Tickets, row.hash, () => [undefined, Option.some(row)])
        assert.deepStrictEqual(yield* find(Tickets, { hash: row.hash }), Option.some(row))
        const before = yield* read(Tickets, { hash: row.hash })
        yield* modify(Tickets, row.hash, (held) => [undefined, held])
        assert.deepStrictEqual(yield* read(Tickets, { hash: row.hash }), before)
        yield* modify(Tickets, row.hash, () => [undefined, Option.none()])
        assert.deepStrictEqual(yield* find(Tickets, { hash: row.hash }), none)
      })

      test("run again after a Conflict, and fail with other failures", function* ({ commit }) {
        const first = yield* added()
        let tries = 0
        yield* retryOnConflict(
          Effect.gen(function* () {
            const current = yield* held(first.row.id)
            if (++tries < 3) yield* commit([put(Owners, { ...first.row, visits: tries })])
            yield* commit([update(Owners, current, { visits: 10 })])
          }),
        )
        assert.strictEqual(tries, 3)
        assert.strictEqual((yield* held(first.row.id)).row.visits, 10)
        assert.strictEqual(yield* Effect.flip(retryOnConflict(Effect.fail("other"))), "other")
      })

      test("die if the conflicts do not end, or if a unique value is taken", function* () {
        assert.instanceOf(yield* defect(retryOnConflict(Effect.fail(new Conflict({ table: "user" })))), Conflict)
        const [first, second] = [yield* added(), yield* added()]
        const taking = modify(Owners, second.row.id, () => [undefined, Option.some({ ...second.row, email: first.row.email })])
        assert.instanceOf(yield* defect(taking), Taken)
      })
    })

    describe("lists", () => {
      const shelfOf = Effect.fnUntraced(function* (orders: ReadonlyArray<number>) {
        const owner_id = fresh("owner")
        const rows = orders.map((order) => tool({ owner_id, order }))
        yield* (yield* Store).commit(rows.map((row) => insert(Tools, row)))
        return { owner_id, rows }
      })

      test("contain the matching rows, sorted by key by default, up to the limit", function* ({ list }) {
        const { owner_id, rows } = yield* shelfOf([3, 1, 2])
        yield* shelfOf([5])
        assert.deepStrictEqual(yield* list(Tools, { owner_id }, { limit: 9 }), rows)
        assert.deepStrictEqual(yield* list(Tools, { owner_id }, { limit: 9, descending: true }), rows.toReversed())
        const byOrder = [rows[1]!, rows[2]!, rows[0]!]
        assert.deepStrictEqual(yield* list(Tools, { owner_id }, { limit: 9, order: "order" }), byOrder)
        assert.deepStrictEqual(yield* list(Tools, { owner_id }, { limit: 2, order: "order" }), byOrder.slice(0, 2))
        assert.deepStrictEqual(yield* list(Tools, { owner_id }, { limit: 0 }), [])
        assert.deepStrictEqual(yield* list(Tools, { owner_id, order: 2 }, { limit: 9 }), [rows[2]!])
        assert.deepStrictEqual(yield* list(Tools, { owner_id: "an owner of nothing" }, { limit: 9 }), [])
      })

      test("of many values equal the lists of each value alone", function* ({ list, listForEach }) {
        const owners = (yield* Effect.forEach([[3, 1, 2], [5, 4], [6]], shelfOf)).map(({ owner_id }) => owner_id)
        const values = [...owners, "an owner of nothing", "no\0owner", owners[0]!]
        const options = [{ limit: 9 }, { limit: 2, order: "order" }, { limit: 9, order: "order", descending: true }, { limit: 0 }] as const
        for (const each of options) {
          const alone = yield* Effect.forEach(values, (owner_id) => list(Tools, { owner_id }, each))
          assert.deepStrictEqual(yield* listForEach(Tools, "owner_id", values, each), alone)
          assert.deepStrictEqual(yield* listForEach(Tools, "owner_id", values.slice(0, 1), each), alone.slice(0, 1))
        }
        assert.deepStrictEqual(yield* listForEach(Tools, "owner_id", [], { limit: 9 }), [])
        const [[first, ...rest] = []] = yield* listForEach(Tools, "owner_id", owners, { limit: 9, order: "order" })
        const after = { order: first!.order, id: first!.id }
        assert.deepStrictEqual((yield* listForEach(Tools, "owner_id", owners, { limit: 9, order: "order", after }))[0], rest)
        const keyed = yield* listForEach(Tools, "id", [rest[0]!.id, "nothing", first!.id], { limit: 1 })
        assert.deepStrictEqual(keyed, [[rest[0]!], [], [first!]])

        const wheres = [
          { order: 2 },
          { order: 4, place: null },
          { shelf: first!.shelf },
          { shelf: "nowhere" },
          { shelf: "no\0where" },
        ] as const
        for (const where of wheres) {
          for (const paged of [{}, { order: "order", after: { order: 1, id: "" } }] as const) {
            const alone = yield* Effect.forEach(values, (owner_id) => list(Tools, { owner_id, ...where }, { limit: 9, ...paged }))
            assert.deepStrictEqual(yield* listForEach(Tools, "owner_id", values, { limit: 9, where, ...paged }), alone)
          }
        }
      })

      test("of many values are sorted and cut where a unique index does not limit them, because a field is null", function* ({
        commit,
        list,
        listForEach,
      }) {
        const shelves = [fresh("shelf"), fresh("shelf")]
        const rows = shelves.flatMap((shelf) => [3, 1, 2].map((order) => tool({ shelf, order })))
        yield* commit(rows.map((row) => insert(Tools, row)))
        const options = { limit: 2, order: "order" } as const
        const alone = yield* Effect.forEach(shelves, (shelf) => list(Tools, { shelf, place: null }, options))
        assert.deepStrictEqual(
          alone.map((each) => each.map(({ order }) => order)),
          [
            [1, 2],
            [1, 2],
          ],
        )
        assert.deepStrictEqual(yield* listForEach(Tools, "shelf", shelves, { ...options, where: { place: null } }), alone)
      })

      test("find rows whose field is null", function* ({ commit, list }) {
        const free = tool({ order: 77 })
        yield* commit([insert(Tools, free)])
        const found = yield* list(Tools, { owner_id: null, order: 77 }, { limit: 9 })
        assert.deepStrictEqual(found, [free])
      })

      for (const descending of [false, true]) {
        test(`page through equal values without a gap or a repetition, ${descending ? "down" : "up"}`, function* ({ list }) {
          const { owner_id, rows } = yield* shelfOf(times(23, (index) => (index * 7) % 4))
          const whole = yield* list(Tools, { owner_id }, { limit: 100, order: "order", descending })
          assert.strictEqual(whole.length, rows.length)
          const paged: Array<(typeof rows)[number]> = []
          for (;;) {
            const after = paged.at(-1)
            const page = yield* list(
              Tools,
              { owner_id },
              { limit: 5, order: "order", descending, ...(after === undefined ? {} : { after }) },
            )
            if (page.length === 0) break
            paged.push(...page)
          }
          assert.deepStrictEqual(paged, whole)
        })
      }

      test("continue after a removed row, and skip rows that were added before it", function* ({ commit, list }) {
        const { owner_id, rows } = yield* shelfOf([1, 2, 3, 4])
        yield* commit([remove(Tools, rows[1]!.id), insert(Tools, tool({ owner_id, order: 0 }))])
        const rest = yield* list(Tools, { owner_id }, { limit: 9, order: "order", after: rows[1]! })
        assert.deepStrictEqual(rest, rows.slice(2))
      })

      test("page through a whole table by its key or by an index, in the order of times", function* ({ list }) {
        const times = ["9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z"]
        const ids = yield* Effect.forEach(times, (time) => Effect.map(added({ joined_at: at(time) }), ({ row }) => row.id))
        const all = yield* list(Owners, {}, { limit: 10_000, order: "joined_at" })
        const mine = all.filter(({ id }) => ids.includes(id))
        assert.deepStrictEqual(
          mine.map(({ id }) => id),
          [ids[1], ids[3], ids[2], ids[0]],
        )
        assert.isAbove((yield* list(Owners, {}, { limit: 10_000 })).length, 3)
      })

      test("sort numbers by value and text by code point", function* ({ commit, list }) {
        const owner_id = fresh("owner")
        const keys = ["Z", "a", "é", "\u{fffd}", "\u{1f600}", "a b", "aa", "", "z", "_", "10", "9"].map((key) => `${key}`)
        yield* commit(keys.map((hash) => insert(Tickets, ticket({ hash, owner_id }))))
        const sorted = (yield* list(Tickets, { owner_id }, { limit: 99 })).map(({ hash }) => hash)
        assert.deepStrictEqual(
          sorted,
          keys.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
        )
        const numbers = [10, 9, -1, 2_147_483_648, 0]
        const shelf = yield* shelfOf(numbers)
        const orders = (yield* list(Tools, { owner_id: shelf.owner_id }, { limit: 99, order: "order" })).map(({ order }) => order)
        assert.deepStrictEqual(orders, [-1, 0, 9, 10, 2_147_483_648])
      })
    })

    describe("lists by the beginning of a text", () => {
      const emails = (rows: ReadonlyArray<Owner>) => rows.map(({ email }) => email)
      const by = (field: "email" | "nickname" | "tag" | "id", text: string) => ({ limit: 99, prefix: { field, text } })

      test("contain the rows that begin with it, compared by code point", function* ({ list }) {
        const start = fresh("Pre_%.*")
        const ends = ["", "a", "A", "é", "\u{10ffff}", "\u{fffd}x", "\u{1f600}", " ", "a\u0301"]
        for (const end of ends) yield* added({ email: `${start}${end}` })
        for (const other of [start.slice(0, -1), start.toLowerCase(), ` ${start}`, `x${start}`]) yield* added({ email: other })
        const sorted = (texts: ReadonlyArray<string>) =>
          texts.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
        const found = yield* list(Owners, {}, by("email", start))
        assert.deepStrictEqual(sorted(emails(found)), sorted(ends.map((end) => `${start}${end}`)))
        assert.deepStrictEqual(sorted(emails(yield* list(Owners, {}, by("email", `${start}a`)))), [`${start}a`, `${start}a\u0301`])
        assert.deepStrictEqual(emails(yield* list(Owners, {}, by("email", `${start}é`))), [`${start}é`])
        assert.deepStrictEqual(emails(yield* list(Owners, {}, by("email", `${start}aa`))), [])
        const keyed = yield* added({ id: fresh("Key%") })
        assert.deepStrictEqual(yield* list(Owners, {}, by("id", keyed.row.id)), [keyed.row])
      })

      test("at the limits of code points", function* ({ list }) {
        for (const point of ["\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10000}", "\u{10fffe}", "\u{10ffff}"]) {
          const { row } = yield* added({ nickname: `${point}${fresh("n")}` })
          const found = yield* list(Owners, {}, by("nickname", point))
          assert.deepStrictEqual(found, [row], point.codePointAt(0)?.toString(16))
        }
      })

      test("sorted, paged and filtered like others; null has no prefix", function* ({ list }) {
        const start = fresh("start")
        const days = [3, 1, 2, 2].map((day) => at(`2026-01-0${day}T00:00:00.000Z`))
        const rows = yield* Effect.forEach(days, (joined_at, index) =>
          Effect.map(added({ email: `${start}-${index}`, joined_at, visits: index }), ({ row }) => row),
        )
        const newest = { ...by("email", start), order: "joined_at", descending: true } as const
        const all = yield* list(Owners, {}, newest)
        assert.deepStrictEqual(all, [rows[0]!, rows[3]!, rows[2]!, rows[1]!])
        assert.deepStrictEqual(yield* list(Owners, {}, { ...newest, limit: 2 }), all.slice(0, 2))
        const { id, joined_at } = all[1]!
        assert.deepStrictEqual(yield* list(Owners, {}, { ...newest, after: { id, joined_at } }), all.slice(2))
        const lightest = { ...by("email", start), order: "weight" } as const
        assert.lengthOf(yield* list(Owners, {}, lightest), 4)
        assert.deepStrictEqual(yield* list(Owners, { visits: 1 }, newest), [rows[1]!])
        assert.deepStrictEqual(yield* list(Owners, { nickname: null, visits: 1 }, newest), [rows[1]!])
        assert.deepStrictEqual(yield* list(Owners, {}, by("nickname", start)), [])
      })

      test("find rows by their latest searched text, and do not return that text", function* ({ commit, list }) {
        const start = fresh("tag")
        const first = yield* added({ tags: [start.toUpperCase()] })
        assert.deepStrictEqual(yield* list(Owners, {}, by("tag", start)), [first.row])
        assert.notProperty(first.row, "tag")
        yield* commit([update(Owners, first, { tags: [`new ${start}`] })])
        assert.deepStrictEqual(yield* list(Owners, {}, by("tag", start)), [])
        assert.lengthOf(yield* list(Owners, {}, by("tag", `new ${start}`)), 1)
        yield* commit([put(Owners, { ...first.row, tags: [start] })])
        assert.lengthOf(yield* list(Owners, {}, by("tag", start)), 1)
        const other = owner({ tags: [start] })
        yield* commit([check(Owners, yield* held(first.row.id)), insert(Owners, other)])
        assert.lengthOf(yield* list(Owners, {}, by("tag", start)), 2)
        yield* commit([put(Owners, { ...other, tags: [] }), put(Owners, { ...owner({ tags: [start] }) }, "absent")])
        assert.lengthOf(yield* list(Owners, {}, by("tag", start)), 2)
      })

      test("find nothing by text that cannot be stored", function* ({ list }) {
        assert.deepStrictEqual(yield* list(Owners, {}, by("email", "a\0")), [])
        assert.deepStrictEqual(yield* list(Owners, {}, by("email", "\ud800")), [])
      })
    })

    describe("queries without an index", () => {
      const message = (what: unknown) => (what as Error).message

      test("are defects", function* ({ commit, list, listForEach, read, readWithReferenced, readWithReferencing, take }) {
        const by = (where: object) => where as { readonly id: string }
        assert.include(message(yield* defect(read(Owners, by({ visits: 1 })))), "unique")
        assert.include(message(yield* defect(take(Owners, by({ verified: true })))), "unique")
        assert.include(message(yield* defect(readWithReferenced(Tools, by({ shelf: "half of a pair" }), "owner_id"))), "unique")
        assert.include(message(yield* defect(readWithReferencing(Owners, { id: "a" }, Tools, "owner_id", {}))), "unique")
        assert.include(message(yield* defect(readWithReferencing(Owners, { id: "a" }, Tools, "shelf", {}))), "unique")
        assert.include(message(yield* defect(readWithReferencing(Owners, by({ visits: 1 }), Tools, "shelf", { place: 1 }))), "unique")
        assert.include(
          message(yield* defect(readWithReferencing(Owners, { id: "a" }, Tools, "shelf", { place: undefined as unknown as null }))),
          "undefined",
        )
        assert.include(
          message(yield* defect(readWithReferencing(Owners, { id: "a" }, { ...Tools, name: "unknown" }, "id", {}))),
          "declared",
        )
        assert.include(message(yield* defect(read(Owners, {}))), "unique")
        assert.include(message(yield* defect(list(Owners, by({ verified: true }), { limit: 1 }))), "index")
        assert.include(message(yield* defect(list(Tools, by({ order: 1 }), { limit: 1 }))), "index")
        assert.include(message(yield* defect(listForEach(Tools, "order" as "id", ["1"], { limit: 1 }))), "index")
        const nothing = { limit: 1, where: { place: undefined as unknown as null } }
        assert.include(message(yield* defect(listForEach(Tools, "owner_id", ["1"], nothing))), "undefined")
        assert.include(message(yield* defect(list(Owners, {}, { limit: 1, order: "weight" }))), "index")
        assert.include(message(yield* defect(list(Tools, { owner_id: "a" }, { limit: 1, order: "place" }))), "sorted")
        assert.include(message(yield* defect(list(Owners, { id: "a" }, { limit: 1, order: "tags" }))), "sorted")
        assert.include(message(yield* defect(list(Owners, {}, { limit: 1.5 }))), "rows")
        assert.include(message(yield* defect(list(Owners, {}, { limit: -1 }))), "rows")
        const narrowed = { limit: 1, prefix: { field: "note" as "id", text: "a" } }
        assert.include(message(yield* defect(list(Tools, { owner_id: "a" }, narrowed))), "index")
        for (const text of ["a", "", "\u{10ffff}"]) {
          const prefix = (field: string) => ({ limit: 1, prefix: { field: field as "email", text } })
          assert.include(message(yield* defect(list(Tools, {}, prefix("note") as object as { limit: 1 }))), text === "" ? "empty" : "index")
          assert.include(message(yield* defect(list(Owners, {}, prefix("visits")))), text === "" ? "empty" : "text")
          assert.include(message(yield* defect(list(Owners, {}, prefix("nothing")))), text === "" ? "empty" : "text")
        }
        assert.include(message(yield* defect(list(Owners, {}, { limit: 1, prefix: { field: "email", text: "" } }))), "empty")
        assert.include(message(yield* defect(commit([removeAll(Owners, {})]))), "index")
        assert.include(message(yield* defect(commit([removeAll(Tools, by({ order: 1 }))]))), "index")
        assert.include(message(yield* defect(commit([removeAll(Tools, by({ owner_id: undefined }))]))), "undefined")
        assert.include(message(yield* defect(read({ ...Owners, name: "unknown" }, { id: "a" }))), "declared")
      })
    })

    describe("rows that reference a removed row", () => {
      const family = Effect.fnUntraced(function* () {
        const { commit } = yield* Store
        const { row } = yield* added()
        const [first, second, other] = [tool({ owner_id: row.id }), tool({ owner_id: row.id }), tool()]
        const parts = [part(first.id), part(second.id), part(other.id)]
        yield* commit([...[first, second, other].map((row) => insert(Tools, row)), ...parts.map((row) => insert(Parts, row))])
        const left = Effect.gen(function* () {
          const found = yield* Effect.forEach([first, second, other], ({ id }) => find(Tools, { id }))
          const pieces = yield* Effect.forEach(parts, ({ id }) => find(Parts, { id }))
          return [...found.map(Option.isSome), ...pieces.map(Option.isSome)]
        })
        return { row, first, left }
      })
      const onlyOther = [false, false, true, false, false, true]

      test("are removed too, recursively: by remove", function* ({ commit }) {
        const { row, left } = yield* family()
        yield* commit([remove(Owners, row.id)])
        assert.deepStrictEqual(yield* left, onlyOther)
      })

      test("by removeVersioned, unless it has changed", function* ({ commit }) {
        const { row, left } = yield* family()
        const stale = yield* held(row.id)
        yield* commit([update(Owners, stale, { visits: 1 })])
        assert.instanceOf(yield* Effect.flip(commit([removeVersioned(Owners, stale)])), Conflict)
        assert.deepStrictEqual(yield* left, [true, true, true, true, true, true])
        yield* commit([removeVersioned(Owners, yield* held(row.id))])
        assert.deepStrictEqual(yield* left, onlyOther)
      })

      test("by take", function* ({ take }) {
        const { row, left } = yield* family()
        assert.deepStrictEqual(yield* take(Owners, { email: row.email }), Option.some(row))
        assert.deepStrictEqual(yield* left, onlyOther)
      })

      test("by removeAll", function* ({ commit }) {
        const { row, left } = yield* family()
        yield* commit([removeAll(Tools, { owner_id: row.id })])
        assert.deepStrictEqual(yield* left, onlyOther)
        assert.isTrue(Option.isSome(yield* find(Owners, { id: row.id })))
      })

      test("by removeEach, which ignores keys without a row", function* ({ commit }) {
        const { row, left } = yield* family()
        yield* commit([removeEach(Owners, [row.id, fresh("unknown"), "\0"])])
        assert.deepStrictEqual(yield* left, onlyOther)
        yield* commit([removeEach(Owners, [])])
      })

      test("stay when the row is detached, which fails when it has changed", function* ({ commit, readWithReferenced }) {
        const { row, first, left } = yield* family()
        const stale = yield* held(row.id)
        yield* commit([update(Owners, stale, { visits: 1 })])
        assert.instanceOf(yield* Effect.flip(commit([detach(Owners, stale)])), Conflict)
        yield* commit([detach(Owners, yield* held(row.id)), insert(Owners, owner({ email: row.email }))])
        assert.isTrue(Option.isNone(yield* find(Owners, { id: row.id })))
        assert.isTrue(Option.isNone(yield* readWithReferenced(Tools, { id: first.id }, "owner_id")))
        assert.deepStrictEqual(yield* left, [true, true, true, true, true, true])
      })

      test("are not added under a check of a row that is detached at the same moment", function* ({ commit }) {
        for (const _ of times(10, String)) {
          const { row } = yield* added()
          const own = yield* held(row.id)
          const adding = commit([check(Owners, own), insert(Tools, tool({ owner_id: row.id }))])
          const [detached] = yield* Effect.all([commit([detach(Owners, own)]), adding].map(Effect.exit), { concurrency: "unbounded" })
          assert.isTrue(Exit.isSuccess(detached!))
          assert.instanceOf(yield* Effect.flip(adding), Conflict)
        }
      })

      test("stay when the row is replaced", function* ({ commit }) {
        const { row, left } = yield* family()
        yield* commit([put(Owners, { ...row, visits: 2 })])
        assert.deepStrictEqual(yield* left, [true, true, true, true, true, true])
      })
    })

    describe("text", () => {
      const hostile = [
        "",
        " ",
        "'",
        '"',
        "\\",
        '\'; DROP TABLE "user"; --',
        "$1",
        "%_",
        "\r\n\t\u0001\u007f\u0085\u2028",
        "{}",
        "null",
        "__proto__",
        "\u202eright to left\u202c שלום",
        "e\u0301 is not \u00e9",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "\ufeff\ufffe\uffff",
        "\u{10ffff}",
      ]

      test("is read byte for byte, from a column and from JSON", function* ({ commit }) {
        for (const text of [...hostile, `${fresh("long")}${"ß".repeat(1 << 19)}`]) {
          const { row } = yield* added({ tags: [text], settings: { theme: text, seen_at: noon } })
          assert.deepStrictEqual([row.tags, row.settings?.theme], [[text], text])
          const noted = tool({ note: text })
          yield* commit([insert(Tools, noted)])
          assert.strictEqual(Option.getOrThrow(yield* find(Tools, { id: noted.id })).note, text)
        }
      })

      test("is found only by the same text", function* ({ commit }) {
        const rows = hostile.map((text) => ticket({ hash: `~${text}` }))
        yield* commit(rows.map((row) => insert(Tickets, row)))
        for (const row of rows) assert.deepStrictEqual(yield* find(Tickets, { hash: row.hash }), Option.some(row))
      })

      for (const [name, text] of [
        ["NUL", "a\0b"],
        ["half of a pair", "a\ud800b"],
        ["its other half", "\udc00"],
      ] as const) {
        test(`with ${name} is refused when written`, function* ({ commit }) {
          const { row } = yield* added()
          const refused = (field: string) => new UnstorableText({ table: "user", field })
          const writes = [
            [{ id: text }, "id"],
            [{ email: text }, "email"],
            [{ nickname: text }, "nickname"],
            [{ tags: ["fine", text] }, "tags"],
            [{ settings: { theme: text, seen_at: noon } }, "settings"],
          ] as const
          for (const [fields, field] of writes) {
            assertError(yield* defect(commit([insert(Owners, owner(fields))])), refused(field))
            assertError(yield* defect(commit([put(Owners, { ...row, ...fields })])), refused(field))
          }
          const other = owner()
          yield* defect(commit([insert(Owners, other), insert(Owners, owner({ email: text }))]))
          assert.deepStrictEqual(yield* find(Owners, { id: other.id }), none)
        })

        test(`with ${name} matches no row`, function* ({ commit, list, readWithReferenced, readWithReferencing, take }) {
          assert.deepStrictEqual(yield* find(Owners, { email: text }), none)
          assert.deepStrictEqual(yield* take(Owners, { id: text }), none)
          assert.deepStrictEqual(yield* readWithReferenced(Tools, { id: text }, "owner_id"), none)
          assert.deepStrictEqual(yield* readWithReferencing(Owners, { id: text }, Tools, "shelf", { place: 1 }), none)
          const alone = yield* added()
          const beside = yield* readWithReferencing(Owners, { id: alone.row.id }, Tickets, "hash", { owner_id: text })
          assert.deepStrictEqual(beside, Option.some([alone, none] as const))
          assert.deepStrictEqual(yield* list(Tools, { owner_id: text }, { limit: 9 }), [])
          yield* commit([removeAll(Tools, { owner_id: text }), remove(Tools, text)])
          const gone = { row: owner({ id: text }), revision: 1 }
          for (const write of [check(Owners, gone), removeVersioned(Owners, gone)]) {
            assertError(yield* Effect.flip(commit([write])), new Conflict({ table: "user" }))
          }
        })
      }
    })

    it.effect("answers a ping", () => Effect.flatMap(Store, ({ ping }) => ping))
  })

/** Sweeping affects whole tables, so these tests have stores of their own. */
export const sweepSuite = (name: string, store: (tables: ReadonlyArray<AnyTable>) => Layer.Layer<Store>) =>
  describe(`Store (${name}), sweeping`, () => {
    const now = DateTime.toDateUtc(noon)
    const before = at("2026-03-04T11:59:59.999Z")
    const after = at("2026-03-04T12:00:00.001Z")
    const test = (what: string, body: Body, own: ReadonlyArray<AnyTable> = tables) =>
      it.effect(what, () => Effect.flatMap(Store, Effect.fnUntraced(body)).pipe(Effect.provide(store(own))))

    test("removes what expires now or before, and nothing else", function* ({ commit, list, sweep }) {
      const rows = [before, noon, after].map((expires_at) => ticket({ expires_at }))
      const lasting = owner()
      yield* commit([insert(Owners, lasting), ...rows.map((row) => insert(Tickets, row))])
      assert.strictEqual(yield* sweep(now, 100), 2)
      assert.deepStrictEqual(yield* list(Tickets, {}, { limit: 9 }), [rows[2]!])
      assert.isTrue(Option.isSome(yield* find(Owners, { id: lasting.id })))
      assert.strictEqual(yield* sweep(now, 100), 0)
    })

    test("works in batches for each table, the oldest rows first", function* ({ commit, list, sweep }) {
      const times = [noon, before, at("2020-01-01T00:00:00.000Z"), at("2021-01-01T00:00:00.000Z"), before]
      yield* commit(times.flatMap((time) => [insert(Tickets, ticket({ expires_at: time })), insert(Parts, part("tool", time))]))
      assert.strictEqual(yield* sweep(now, 2), 4)
      assert.deepStrictEqual(
        (yield* list(Tickets, {}, { limit: 9, order: "expires_at" })).map(({ expires_at }) => expires_at),
        [before, before, noon],
      )
      assert.strictEqual(yield* sweep(now, 2), 4)
      assert.strictEqual(yield* sweep(now, 2), 2)
      assert.strictEqual(yield* sweep(now, 2), 0)
    })

    test(
      "removes the rows that reference an expired row",
      function* ({ commit, list, sweep }) {
        const row = part("tool")
        yield* commit([insert(Parts, row), insert(Parts, part("tool", after)), insert(Screws, { id: "a", part_id: row.id })])
        assert.strictEqual(yield* sweep(now, 10), 1)
        assert.deepStrictEqual(yield* list(Screws, {}, { limit: 9 }), [])
        assert.strictEqual((yield* list(Parts, {}, { limit: 9 })).length, 1)
      },
      [...tables, Screws],
    )

    test("can run concurrently", function* ({ commit, list, sweep }) {
      yield* commit(times(60, () => insert(Tickets, ticket())))
      const removed = yield* together(4, () => sweep(now, 100))
      assert.strictEqual(
        removed.reduce((sum, count) => sum + count, 0),
        60,
      )
      assert.deepStrictEqual(yield* list(Tickets, {}, { limit: 9 }), [])
    })
  })
