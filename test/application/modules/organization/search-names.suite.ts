import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Scope } from "effect"
import { leading } from "../../../../application/modules/organization/administration/leads.ts"
import { searchNames } from "../../../../application/modules/organization/administration/search-names.ts"
import { Organization } from "../../../../domain/organizations/organization.ts"
import { Organizations } from "../../../../domain/organizations/tables.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import type { OpenVersion } from "../../../domain/ports/added-columns.suite.ts"

const Earlier = Table.make("organization", Organization, { key: "id", unique: ["slug"] })
const named = (index: number, name: string) => ({
  id: `${index}`,
  name,
  slug: `slug-${index}`,
  created_at: DateTime.makeUnsafe(1000 * index),
})

/** Tests the search for names of organizations that an earlier version of the program wrote. `versions` runs a test on one database. */
export const testSearchNames = (
  versions: (test: (open: OpenVersion) => Effect.Effect<void, unknown, Scope.Scope>) => Effect.Effect<void, unknown>,
) =>
  it.live("organizations that an earlier version wrote are found by their names, before and after these are indexed", () =>
    versions((open) =>
      Effect.gen(function* () {
        const old = yield* open([Earlier])
        yield* old.commit([insert(Earlier, named(1, "Acme")), insert(Earlier, named(2, "Other")), insert(Earlier, named(3, "ACME 3"))])
        const now = yield* open([Organizations])
        yield* now.commit([insert(Organizations, named(4, "acme 4")), insert(Organizations, named(5, "Another"))])
        const found = (text: string, limit = 10) =>
          leading({ name_prefix: text }, undefined, limit).pipe(
            Effect.map((all) => all.map(({ id }) => id)),
            Effect.provideService(Store, now),
          )
        // Those that are not indexed yet can match.
        assert.deepStrictEqual(
          [yield* found("acme"), yield* found("acme", 2)],
          [
            ["4", "3", "2", "1"],
            ["4", "3"],
          ],
        )
        yield* Effect.provideService(searchNames.run, Store, now)
        assert.deepStrictEqual(
          [yield* found("acme"), yield* found("a", 2)],
          [
            ["4", "3", "1"],
            ["5", "4"],
          ],
        )
        yield* old.commit([insert(Earlier, named(6, "Acme 6"))])
        assert.deepStrictEqual(yield* found("acme"), ["6", "4", "3", "1"])
      }),
    ),
  )
