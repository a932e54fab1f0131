import { assert, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { pageForEach } from "../../../application/service/paging.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { Tickets } from "../../../testing/tables.ts"
import { storeLayer } from "../../stores.ts"
import { times } from "../../world.ts"

it.effect("a page of a graph field has no expired rows, and is shorter than its limit only at the end of the list", () =>
  Effect.gen(function* () {
    const ending = (seconds: number) => DateTime.add(DateTime.makeUnsafe(0), { seconds })
    const ticket = (index: number) => ({
      hash: String(index).padStart(2, "0"),
      count: 0,
      owner_id: "ada",
      expires_at: ending(index < 30 ? 100 : 300),
    })
    yield* (yield* Store).commit(times(40, (index) => insert(Tickets, ticket(index))))
    yield* TestClock.adjust("100 seconds")

    const hashes = (limit: number, after?: string) => {
      const from = after === undefined ? {} : { after: { hash: after } }
      return Effect.map(pageForEach(Tickets, "owner_id", ["ada", "bob", "ada"], { limit, ...from }), (pages) =>
        pages.map((rows) => rows.map(({ hash }) => hash)),
      )
    }
    assert.deepStrictEqual(yield* hashes(3), [["30", "31", "32"], [], ["30", "31", "32"]])
    assert.deepStrictEqual((yield* hashes(3, "36"))[0], ["37", "38", "39"])
    assert.deepStrictEqual((yield* hashes(3, "37"))[0], ["38", "39"])
    assert.lengthOf((yield* hashes(50))[0] ?? [], 10)
  }).pipe(Effect.provide(storeLayer([Tickets]))),
)
