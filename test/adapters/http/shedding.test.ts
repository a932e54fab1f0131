import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { StoreBudget } from "../../../domain/ports/store-budget.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { codes, query } from "../graphql/request.ts"
import { ask, changed, get, post, refused, served, signedUp } from "./served.ts"

/** What the store does to lists of sessions: they use up this share of the budget, and one of them waits. */
const state = { share: 0, waits: undefined as Promise<void> | undefined }
const slow = changed(Store, (original) => ({
  list: (table, ...given) => {
    if (table !== Sessions) return original.list(table, ...given)
    return Effect.gen(function* () {
      const budget = yield* StoreBudget
      budget.left -= state.share * budget.limit
      const { waits } = state
      state.waits = undefined
      yield* Effect.promise(async () => waits)
      return yield* original.list(table, ...given)
    })
  },
}))

const sessions = /* GraphQL */ `{ listSessions { sessions { id } } }`

describe("while lists wait for the store for a large part of their budget", () => {
  const settings = { rate_limit: { enabled: false } }
  layer(served({ instead: slow, settings, graphql: {}, pages: {} }), { excludeTestServices: true })((it) => {
    it.effect("further lists are refused over REST, GraphQL and pages, and nothing else is", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("ada@example.com")
        const list = get("/list-sessions", { headers })
        const page = ask("GET", "/account/sessions", { headers: { ...headers, "sec-fetch-mode": "navigate" } })
        state.share = 0.3
        for (let left = 30; left > 0; left--) assert.strictEqual((yield* list).status, 200)
        const { promise, resolve } = Promise.withResolvers<void>()
        state.waits = promise
        const waiting = yield* Effect.forkChild(list)
        while (state.waits !== undefined) yield* Effect.sleep("5 millis")

        const answer = yield* list
        assert.deepStrictEqual([refused(answer), answer.headers["retry-after"]], ["503 overloaded", "2"])
        const graph = yield* query(sessions, {}, { headers })
        assert.deepStrictEqual([codes(graph), graph.headers["retry-after"]], [["overloaded"], "2"])
        const { status, headers: sent } = yield* page
        assert.deepStrictEqual([status, sent["retry-after"]], [503, "2"])
        assert.strictEqual((yield* get("/get-session", { headers })).status, 200)
        assert.strictEqual((yield* post("/update-user", { name: "Ada" }, { headers })).status, 200)

        resolve()
        assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
        assert.strictEqual((yield* list).status, 200)
      }),
    )
  })
})
