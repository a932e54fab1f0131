import { assert, describe, it } from "@effect/vitest"
import type { Scope } from "effect"
import { DateTime, Effect, Option, Schema } from "effect"
import type { StoreService } from "../../../domain/ports/store.ts"
import { Conflict, check, insert, put, update } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"

const noon = DateTime.makeUnsafe("2026-03-04T12:00:00.000Z")
const later = DateTime.add(noon, { hours: 1 })

const fields = { id: Schema.String, name: Schema.String, made_at: Schema.DateTimeUtc }
const Owners = Table.make("owner", Schema.Struct({ id: Schema.String }), { key: "id" })
const before = { key: "id", unique: ["name"], references: { owner_id: Owners } } as const
const Old = Table.make("box", Schema.Struct({ ...fields, owner_id: Schema.String }), before)
const New = Table.make(
  "box",
  Schema.Struct({
    ...fields,
    owner_id: Schema.String,
    colour: Schema.String,
    weight: Schema.Number,
    layers: Schema.Int,
    open: Schema.Boolean,
    tags: Schema.Array(Schema.String),
    seen_at: Schema.DateTimeUtc,
    label: Schema.String,
  }),
  {
    ...before,
    added: {
      colour: "it's grey",
      weight: 0.5,
      layers: 3,
      open: false,
      tags: ["plain"],
      seen_at: ({ made_at }) => made_at,
      label: ({ name }) => name.toUpperCase(),
    },
    searched: { search_name: ({ name }) => name.toUpperCase() },
  },
)

const row = (id: string) => ({ id, name: `box ${id}`, made_at: noon, owner_id: "o" })
const whole = (id: string) => ({
  ...row(id),
  ...{ colour: "it's grey", weight: 0.5, layers: 3, open: false, tags: ["plain"], seen_at: noon, label: `BOX ${id.toUpperCase()}` },
})

/** Opens the store of a version of the program on the database of the test, which it migrates. */
export type OpenVersion = (tables: ReadonlyArray<Table.AnyTable>) => Effect.Effect<StoreService, unknown, Scope.Scope>

/** Tests what a store does for required columns that a table in use gets. `versions` runs a test on one database. */
export const testAddedColumns = (
  versions: (test: (open: OpenVersion) => Effect.Effect<void, unknown, Scope.Scope>) => Effect.Effect<void, unknown>,
) => {
  const rule = (name: string, test: (old: StoreService, now: StoreService) => Effect.Effect<void, unknown>) =>
    it.live(name, () =>
      versions((open) =>
        Effect.gen(function* () {
          const old = yield* open([Owners, Old])
          yield* old.commit([insert(Owners, { id: "o" }), insert(Old, row("a")), insert(Old, row("b"))])
          yield* test(old, yield* open([Owners, New]))
        }),
      ),
    )
  const read = (store: StoreService, id: string) => Effect.map(store.read(New, { id }), Option.getOrThrow)

  describe("a required column that a table in use gets", () => {
    rule("has its value in rows that were written without it, in every query", (_, now) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* read(now, "a")).row, whole("a"))
        assert.deepStrictEqual(yield* now.list(New, { owner_id: "o" }, { limit: 10 }), [whole("a"), whole("b")])
        const [box] = Option.getOrThrow(yield* now.readWithReferenced(New, { name: "box a" }, "owner_id"))
        assert.deepStrictEqual(box.row, whole("a"))
        assert.deepStrictEqual(yield* now.listForEach(New, "owner_id", ["o"], { limit: 1 }), [[whole("a")]])
        assert.deepStrictEqual(yield* now.take(New, { id: "b" }), Option.some(whole("b")))
      }),
    )

    rule("can be written, in one conditional commit", (_, now) =>
      Effect.gen(function* () {
        const found = yield* read(now, "a")
        yield* now.commit([check(New, found), update(New, found, { colour: "red", seen_at: later, tags: [] })])
        const changed = { ...whole("a"), colour: "red", seen_at: later, tags: [] }
        assert.deepStrictEqual((yield* read(now, "a")).row, changed)
        assert.instanceOf(yield* Effect.flip(now.commit([update(New, found, { colour: "blue" })])), Conflict)
      }),
    )

    rule("is kept by an earlier version that changes the row, and gets its value in rows that it adds", (old, now) =>
      Effect.gen(function* () {
        const found = yield* read(now, "a")
        yield* now.commit([update(New, found, { colour: "red", open: true, seen_at: later })])
        const held = Option.getOrThrow(yield* old.read(Old, { id: "a" }))
        yield* old.commit([update(Old, held, { name: "renamed" })])
        const changed = { ...whole("a"), name: "renamed", colour: "red", open: true, seen_at: later }
        assert.deepStrictEqual((yield* read(now, "a")).row, changed)
        yield* old.commit([put(Old, { ...row("a"), name: "again" }), put(Old, row("c")), insert(Old, row("d"))])
        assert.deepStrictEqual((yield* read(now, "a")).row, { ...changed, name: "again" })
        for (const id of ["c", "d"]) assert.deepStrictEqual((yield* read(now, id)).row, whole(id))
      }),
    )

    rule("is found by all of many versions at once, of which one succeeds", (old, now) =>
      Effect.gen(function* () {
        const [held, found] = [Option.getOrThrow(yield* old.read(Old, { id: "a" })), yield* read(now, "a")]
        const attempts = Array.from({ length: 10 }, (_, at) =>
          Effect.exit(
            at % 2 === 0 ? old.commit([update(Old, held, { name: `${at}` })]) : now.commit([update(New, found, { colour: `${at}` })]),
          ),
        )
        const exits = yield* Effect.all(attempts, { concurrency: "unbounded" })
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      }),
    )

    rule("does the same for a searched text, without which rows are found until a write derives it", (old, now) =>
      Effect.gen(function* () {
        const named = (text: string) => now.list(New, {}, { limit: 10, prefix: { field: "search_name", text } })
        const unfilled = Effect.map(now.list(New, { search_name: null }, { limit: 10, order: "made_at", descending: true }), (rows) =>
          rows.map(({ id }) => id),
        )
        assert.deepStrictEqual([yield* named("BOX A"), yield* unfilled], [[], ["b", "a"]])
        yield* now.commit([update(New, yield* read(now, "a"), {})])
        assert.deepStrictEqual([yield* named("BOX A"), yield* unfilled], [[whole("a")], ["b"]])
        yield* old.commit([insert(Old, row("c"))])
        assert.deepStrictEqual(yield* unfilled, ["c", "b"])
      }),
    )
  })
}
