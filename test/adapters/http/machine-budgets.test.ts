import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { builtWith, issuer } from "../../application/modules/idp/provider.ts"
import { core, times } from "../../world.ts"
import { codes, query } from "../graphql/request.ts"
import { type Answer, get, post, refused, type Served, served } from "./served.ts"

const machine = (client_id: string) => ({
  client_id,
  client_secret: "a secret of the client",
  grant_types: ["client_credentials"],
  resources: [`${issuer}/admin`, "https://api.example.com"],
  scopes: ["users:read"],
})
const modules = [
  ...core,
  bearer.build({ redirects: [] }),
  admin.build(Schema.decodeUnknownSync(admin.settings)({})),
  builtWith({ clients: [machine("one"), machine("other")] }),
]
const limited = (budgets: object): Served => ({
  modules,
  settings: { rate_limit: { enabled: true, ...budgets }, trusted_proxies: ["127.0.0.0/8"] },
})

/** The headers of requests with a token of the client, which it got from another address. */
const machineOf = Effect.fnUntraced(function* (client_id: string, resource = `${issuer}/admin`, address = "203.0.113.1") {
  const { client_secret } = machine(client_id)
  const input = { grant_type: "client_credentials", client_id, client_secret, resource }
  const { json } = yield* post("/oauth2/token", input, { headers: { "x-forwarded-for": "198.51.100.1" } })
  return { headers: { authorization: `Bearer ${json.access_token}`, "x-forwarded-for": address } }
})
const budgetOf = ({ headers }: Answer) => [headers["ratelimit-limit"], headers["ratelimit-remaining"]]
const me = (asked: object) => get("/admin/me", asked)

describe("the requests of a machine", () => {
  layer(served(limited({})), { timeout: 60_000 })((it) => {
    it.effect(
      "are 1,200 a minute for each client, from one address",
      () =>
        Effect.gen(function* () {
          const [one, other] = [yield* machineOf("one"), yield* machineOf("other")]
          // The request for the token was the first.
          const answers = yield* Effect.all(
            times(1199, () => me(one)),
            { concurrency: 10 },
          )
          assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
          assert.deepStrictEqual(answers.map((answer) => Number(budgetOf(answer)[1])).toSorted((a, b) => a - b)[0], 0)
          const over = yield* me(one)
          assert.deepStrictEqual([refused(over), ...budgetOf(over)], ["429 rate_limited", "1200", "0"])
          assert.strictEqual(over.headers["ratelimit-reset"], over.headers["retry-after"])
          assert.deepStrictEqual(budgetOf(yield* me(other)), ["1200", "1198"])
        }),
      60_000,
    )
  })

  const few = { requests: { limit: 3, window: 60 }, client_requests: { limit: 6, window: 60 } }
  layer(served({ ...limited(few), graphql: {} }))((it) => {
    it.effect("count the same over GraphQL, each field once", () =>
      Effect.gen(function* () {
        const one = yield* machineOf("one")
        const document = "{ one: adminMe { id } two: adminMe { id } three: adminMe { id } }"
        const answer = yield* query(document, {}, one)
        assert.deepStrictEqual([answer.data.three.id, ...budgetOf(answer)], ["one", "6", "2"])
        assert.deepStrictEqual(codes(yield* query(document, {}, one)), ["rate_limited"])
      }),
    )

    it.effect("count against the address where they are no machine's: other tokens, other endpoints", () =>
      Effect.gen(function* () {
        const address = "203.0.113.2"
        const { headers } = yield* machineOf("other", undefined, address)
        const elsewhere = yield* machineOf("other", "https://api.example.com", address)
        const invented = { headers: { ...headers, authorization: "Bearer invented" } }
        assert.deepStrictEqual([refused(yield* me(invented)), ...budgetOf(yield* me(elsewhere))], ["401 unauthorized", "3", "1"])
        assert.deepStrictEqual(budgetOf(yield* get("/get-session", { headers })), ["3", "0"])
        assert.strictEqual(refused(yield* me(invented)), "429 rate_limited")
        assert.deepStrictEqual(budgetOf(yield* me({ headers })), ["6", "3"])
        const signIn = "mutation ($input: SignInEmailInput!) { signInEmail(input: $input) { user { id } } }"
        const field = yield* query(signIn, { input: { email: "ada@example.com", password: "a wrong password" } }, { headers })
        assert.deepStrictEqual(codes(field), ["rate_limited"])
      }),
    )
  })
})
