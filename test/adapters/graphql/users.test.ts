import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { parse } from "graphql"
import { costOf } from "../../../adapters/graphql/limits.ts"
import { makeSchema } from "../../../adapters/graphql/schema.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import { core } from "../../world.ts"
import { signedUp } from "../http/served.ts"
import { codes, graphqlServed, query } from "./request.ts"

const modules = [...core, admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"] }))]

const page = `query ($first: Int, $after: String, $last: Int, $before: String) {
  viewer {
    user { email }
    users(first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { email role banned } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`

describe("the users of the graph", () => {
  layer(graphqlServed({ modules }))((it) => {
    it.effect("are paged from both ends, for administrators only", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("root@example.com")
        for (const name of ["a", "b", "c", "d"]) {
          yield* TestClock.adjust("1 second")
          yield* signedUp(`${name}@example.com`)
        }
        const read = Effect.fnUntraced(function* (variables: Readonly<Record<string, unknown>>) {
          const answer = yield* query(page, variables, { headers })
          const { edges, pageInfo } = answer.data.viewer.users ?? { edges: [], pageInfo: {} }
          const names = edges.map(({ node }: any) => node.email[0]).join("")
          return { names, codes: codes(answer), edges, ...pageInfo }
        })
        const whole = yield* read({})
        assert.deepInclude(whole, { names: "dcbar", hasNextPage: false, hasPreviousPage: false })
        assert.deepInclude(whole.edges[4].node, { email: "root@example.com", role: "user", banned: false })

        const newest = yield* read({ first: 2 })
        assert.deepInclude(newest, { names: "dc", hasNextPage: true, hasPreviousPage: false })
        assert.deepInclude(yield* read({ first: 3, after: newest.endCursor }), { names: "bar", hasNextPage: false, hasPreviousPage: true })
        const oldest = yield* read({ last: 2 })
        assert.deepInclude(oldest, { names: "ar", hasNextPage: false, hasPreviousPage: true })
        const between = yield* read({ last: 2, before: oldest.startCursor })
        assert.deepInclude(between, { names: "cb", hasNextPage: true, hasPreviousPage: true })
        assert.deepInclude(yield* read({ before: between.startCursor }), { names: "d", hasNextPage: true, hasPreviousPage: false })
        assert.strictEqual(newest.endCursor, between.startCursor)

        const cursor = newest.endCursor
        for (const variables of [
          { first: 1, last: 1 },
          { first: 1, before: cursor },
          { last: 1, after: cursor },
          { first: -1 },
          { last: -1 },
          { first: 101 },
          { last: 101 },
          { before: "x" },
          { after: "x" },
        ])
          assert.deepStrictEqual((yield* read(variables)).codes, ["invalid_request"], JSON.stringify(variables))

        const refused = yield* query(page, {}, { headers: yield* signedUp("eve@example.com") })
        assert.deepStrictEqual(codes(refused), ["forbidden"])
        assert.deepStrictEqual(refused.data, { viewer: { user: { email: "eve@example.com" }, users: null } })
        assert.deepStrictEqual((yield* query(page)).data, { viewer: null })
      }),
    )
  })

  it("cost the same from both ends", () => {
    const schema = makeSchema(AuthOf.make(modules))
    const cost = (size: string) => costOf(schema, parse(`{ viewer { users(${size}) { edges { node { id } } } } }`), {})
    assert.strictEqual(cost("last: 70"), cost("first: 70"))
    assert.notStrictEqual(cost("last: 70"), cost("last: 71"))
  })
})
