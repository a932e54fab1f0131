import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Option, type Scope } from "effect"
import { searchTexts } from "../../../../application/modules/admin/search/texts.ts"
import { insert, Store, update } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { PendingSignIns } from "../../../../domain/sign-in/challenges.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { StoredUser } from "../../../../domain/users/user.ts"
import type { OpenVersion } from "../../../domain/ports/added-columns.suite.ts"
import { storedUser } from "../../../stored-user.ts"

const added = { is_guest: false, is_test: false, needs_invitation: false }
const Earlier = Table.make("user", StoredUser, { key: "id", unique: ["email"], indexed: [["created_at", "id"]], added })
const user = (index: number, name: string | null) =>
  storedUser({ id: `${index}`, name, email: `u${index}@example.com`, created_at: DateTime.makeUnsafe(1000 * index) })

/** Tests the search for users whom an earlier version of the program wrote. `versions` runs a test on one database. */
export const testSearchTexts = (
  versions: (test: (open: OpenVersion) => Effect.Effect<void, unknown, Scope.Scope>) => Effect.Effect<void, unknown>,
) =>
  it.live("users whom an earlier version wrote beside this one are found by the last word and the domain once these are indexed", () =>
    versions((open) =>
      Effect.gen(function* () {
        const old = yield* open([Earlier])
        yield* old.commit([user(1, "Ada Lovelace"), user(2, null)].map((row) => insert(Earlier, row)))
        const now = yield* open([Users, PendingSignIns])
        yield* now.commit([insert(Users, user(3, "Grace Lovell"))])
        const filled = Effect.provideService(searchTexts.run, Store, now)
        const found = (field: "search_last" | "search_domain", text: string) =>
          Effect.map(now.list(Users, {}, { limit: 10, order: "created_at", prefix: { field, text } }), (rows) => rows.map(({ id }) => id))
        assert.deepStrictEqual([yield* found("search_last", "love"), yield* found("search_domain", "exam")], [["3"], ["3"]])
        yield* filled
        const all = ["1", "2", "3"]
        assert.deepStrictEqual([yield* found("search_last", "love"), yield* found("search_domain", "exam")], [["1", "3"], all])
        assert.deepStrictEqual(yield* now.list(Users, { search_domain: null }, { limit: 1 }), [])

        yield* old.commit([insert(Earlier, user(4, "Mary Love"))])
        const held = Option.getOrThrow(yield* old.read(Earlier, { id: "2" }))
        yield* old.commit([update(Earlier, held, { email: "u2@changed.example.com" })])
        yield* filled
        assert.deepStrictEqual(yield* found("search_last", "love"), ["1", "3", "4"])
        const changed = Option.getOrThrow(yield* now.read(Users, { id: "2" }))
        yield* now.commit([update(Users, changed, {})])
        assert.deepStrictEqual(yield* found("search_domain", "changed"), ["2"])
      }),
    ),
  )
