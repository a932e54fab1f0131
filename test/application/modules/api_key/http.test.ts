import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { codes, query } from "../../../adapters/graphql/request.ts"
import { cookieOf, get, post, refused, type Served, served } from "../../../adapters/http/served.ts"
import { password } from "../../../world.ts"
import { keys, modulesWith, root } from "./keys.ts"

const service: Served = { modules: modulesWith(keys), graphql: {}, settings: { rate_limit: { enabled: true } } }

/** The key of a service account that reads users, and the cookie of the administrator who made it. */
const made = Effect.gen(function* () {
  const cookie = cookieOf(yield* post("/sign-up/email", { email: root, password }))
  const as = { headers: { cookie } }
  const { service_account } = (yield* post("/admin/service-accounts/create", { name: "Sync", permissions: ["users:read"] }, as)).json
  const input = { service_account_id: service_account.id, name: "Nightly", permissions: ["users:read"] }
  return { cookie, key: (yield* post("/admin/api-keys/create", input, as)).json.key as string }
})

describe("a key over HTTP", () => {
  layer(served(service))((it) => {
    it.effect("is a field of its own or a bearer token, over REST and GraphQL, with the budget of a machine", () =>
      Effect.gen(function* () {
        const { key, cookie } = yield* made
        for (const headers of [{ "x-api-key": key }, { authorization: `Bearer ${key}` }] as const) {
          const listed = yield* get("/admin/list-users", { headers })
          assert.deepStrictEqual([listed.status, listed.json.users.length, listed.headers["ratelimit-limit"]], [200, 1, "1200"])
          const graph = yield* query("{ adminMe { kind permissions } }", {}, { headers })
          assert.deepStrictEqual(graph.data, { adminMe: { kind: "SERVICE_ACCOUNT", permissions: ["USERS_READ"] } })
        }
        const wrong = yield* get("/admin/list-users", { headers: { "x-api-key": `${key.slice(0, -1)}-` } })
        assert.deepStrictEqual([refused(wrong), wrong.headers["ratelimit-limit"]], ["401 unauthorized", "300"])
        const both = yield* get("/admin/list-users", { headers: { "x-api-key": key, cookie } })
        assert.strictEqual(refused(both), "401 unauthorized")
        const browser = yield* get("/admin/list-users", { headers: { "x-api-key": key, "sec-fetch-site": "same-origin" } })
        assert.strictEqual(refused(browser), "401 unauthorized")
        assert.deepStrictEqual(codes(yield* query("{ listSessions { sessions { id } } }", {}, { headers: { "x-api-key": key } })), [
          "unauthorized",
        ])
        const inQuery = yield* get(`/admin/list-users?api_key=${key}`)
        assert.strictEqual(inQuery.status, 401)
      }),
    )

    it.effect("of an organization with a statement calls the endpoints for members, over REST and GraphQL", () =>
      Effect.gen(function* () {
        const as = { headers: { cookie: cookieOf(yield* post("/sign-up/email", { email: "ada@example.com", password })) } }
        const { id: organization_id } = (yield* post("/organization/create", { name: "Acme", slug: "acme" }, as)).json.organization
        const given = { name: "Sync", organization_id, statement: { team: ["create"] } }
        const { key } = (yield* post("/api-key/create", given, as)).json
        const headers = { "x-api-key": key as string }
        const made = yield* post("/organization/create-team", { organization_id, name: "By key" }, { headers })
        assert.deepStrictEqual([made.status, made.headers["ratelimit-limit"]], [200, "1200"])
        const graph = yield* query(
          "query ($id: ID!) { organizationListTeams(input: { organizationId: $id }) { teams { name } } }",
          { id: organization_id },
          { headers },
        )
        assert.deepStrictEqual(graph.data, { organizationListTeams: { teams: [{ name: "By key" }] } })
        const refusedTo = (path: string, sent: Record<string, string>) =>
          Effect.map(get(`${path}?organization_id=${organization_id}`, { headers: sent }), refused)
        assert.strictEqual(yield* refusedTo("/organization/list-members", headers), "403 forbidden")
        assert.strictEqual(yield* refusedTo("/organization/list-teams", { ...headers, ...as.headers }), "401 unauthorized")
        assert.strictEqual(
          yield* refusedTo("/organization/list-teams", { ...headers, "sec-fetch-site": "same-origin" }),
          "401 unauthorized",
        )
        assert.strictEqual(yield* refusedTo("/organization/get-active", headers), "401 unauthorized")
      }),
    )
  })
})
