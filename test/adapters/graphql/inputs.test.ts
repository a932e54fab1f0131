import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { getIntrospectionQuery } from "graphql"
import { makeSchema, operationsOf } from "../../../adapters/graphql/schema.ts"
import * as Auth from "../../../application/service/auth.ts"
import { modules } from "../../everything.ts"
import { password } from "../../world.ts"
import { ask, base, refused } from "../http/served.ts"
import { codes, graphqlServed, query, signUp } from "./request.ts"
import { fieldOf, operationOf } from "./wire.ts"

const auth = Auth.make(modules)
const schema = makeSchema(auth)

/** Operations with an input. If all members are missing, REST and GraphQL must give the same answer. */
const withInput = operationsOf(auth).filter(([name, { method }]) => fieldOf(schema, name, method).args.length > 0)

/** Signs a user up and returns the headers of their requests, with the cookies of modules. */
const joined = Effect.fnUntraced(function* (email: string) {
  const { headers } = yield* query(signUp, { input: { email, password } })
  return { cookie: (headers["set-cookie"] ?? []).map((set) => set.split(";")[0]).join("; ") }
})

describe("a missing member", () => {
  layer(graphqlServed({ modules, settings: { rate_limit: { enabled: false } } }), { excludeTestServices: true })((it) => {
    const bothShells = Effect.fnUntraced(function* (headers: Record<string, string>) {
      for (const [name, endpoint] of withInput) {
        const rest = yield* ask(endpoint.method, `${base}${endpoint.path}`, {
          headers,
          ...(endpoint.method === "POST" ? { body: "{}" } : {}),
        })
        const graphql = yield* query(operationOf(schema, name, endpoint), { input: {} }, { headers })
        const [error] = graphql.errors
        const told = error === undefined ? "ok" : `${error.extensions.status} ${error.extensions.code}`
        assert.strictEqual(told, rest.status === 200 ? "ok" : refused(rest), name)
      }
    })

    it.effect("has the error code of REST; a caller without a session learns nothing about inputs", () => bothShells({}))

    it.effect("has the error code of REST when the caller is signed in", () => Effect.flatMap(joined("ada@example.com"), bothShells))

    it.effect("gives the same error whether the input omits it or has the wrong type", () =>
      Effect.gen(function* () {
        const verify = "{ valid }"
        const documents: ReadonlyArray<readonly [string, Record<string, unknown>?]> = [
          [`mutation { tokenVerify(input: {}) ${verify} }`],
          [`mutation { tokenVerify ${verify} }`],
          [`mutation { tokenVerify(input: null) ${verify} }`],
          [`mutation { tokenVerify(input: { token: 5 }) ${verify} }`],
          [`mutation { ... { ...f } } fragment f on Mutation { tokenVerify(input: { token: null }) ${verify} }`],
          [`mutation ($input: TokenVerifyInput!) { tokenVerify(input: $input) ${verify} }`, {}],
          [`mutation ($input: TokenVerifyInput!) { tokenVerify(input: $input) ${verify} }`, { input: {} }],
          [`mutation ($input: TokenVerifyInput!) { tokenVerify(input: $input) ${verify} }`, { input: { token: ["x"] } }],
          [`mutation ($token: String!) { tokenVerify(input: { token: $token }) ${verify} }`, {}],
          [`mutation ($token: String) { tokenVerify(input: { token: $token }) ${verify} }`, {}],
        ]
        for (const [document, variables = {}] of documents) {
          const answer = yield* query(document, variables)
          assert.deepStrictEqual([answer.status, codes(answer), answer.data], [401, ["invalid_token"], undefined], document)
        }
        const change = "mutation { changePassword(input: {}) { success } }"
        assert.deepStrictEqual(codes(yield* query(change)), ["unauthorized"])
        const two = "mutation { signOut { success } changePassword(input: {}) { success } }"
        assert.deepStrictEqual(codes(yield* query(two)), ["unauthorized"])
        const headers = yield* joined("bob@example.com")
        assert.deepStrictEqual([...new Set(codes(yield* query(two, {}, { headers })))], ["invalid_request"])
        assert.isNotNull((yield* query("{ viewer { user { id } } }", {}, { headers })).data.viewer)
      }),
    )

    it.effect("is found however often fragments spread each other", () =>
      Effect.gen(function* () {
        const fragments = Array.from({ length: 60 }, (_, n) => `fragment f${n} on Mutation { ...f${n + 1} ...f${n + 1} }`).join(" ")
        const document = `mutation { ...f0 signOut { ... @include { success } } } ${fragments} fragment f60 on Mutation { __typename }`
        assert.deepStrictEqual(codes(yield* query(document)), ["invalid_request"])
      }),
    )
  })
})

describe("an attacker who explores the schema", () => {
  const introspection = getIntrospectionQuery()
  for (const [settings, graphql, isOpen] of [
    [{}, {}, true],
    [{ public_url: "https://auth.example.org" }, {}, false],
    [{ public_url: "https://auth.example.org" }, { introspection: true }, true],
    [{}, { introspection: false }, false],
  ] as const) {
    layer(graphqlServed({ settings, graphql }), { excludeTestServices: true })((it) => {
      it.effect(`${isOpen ? "reads" : "does not read"} the schema with ${JSON.stringify({ ...settings, ...graphql })}`, () =>
        Effect.gen(function* () {
          const answer = yield* query(introspection)
          if (isOpen) assert.strictEqual(answer.data.__schema.queryType.name, "Query")
          else assert.deepStrictEqual([...new Set(codes(answer))], ["invalid_request"])
          assert.deepStrictEqual((yield* query("{ __typename }")).data, { __typename: "Query" })
        }),
      )
    })
  }
})
