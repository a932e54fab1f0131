import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { getIntrospectionQuery } from "graphql"
import { trustedDocuments } from "../../../adapters/graphql/trusted.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { Store, StoreUnavailable } from "../../../domain/ports/store.ts"
import { core } from "../../world.ts"
import { ask, changed, get, Logged, post } from "../http/served.ts"
import { codes, graphqlServed, joined, query, sent, signUp } from "./asked.ts"

const viewer = "{ viewer { user { email } } }"
const body = JSON.stringify({ query: viewer })
const modern = "application/graphql-response+json; charset=utf-8"

describe("a request", () => {
  layer(graphqlServed({ settings: { max_body_bytes: 1000, trusted_origins: ["https://app.example.net"] } }), { excludeTestServices: true })(
    (it) => {
      it.effect("is answered as GraphQL over HTTP requires", () =>
        Effect.gen(function* () {
          const ok = yield* sent(body)
          assert.deepStrictEqual([ok.status, ok.headers["content-type"], ok.data], [200, modern, { viewer: null }])
          assert.strictEqual(ok.headers["cache-control"], "no-store")
          const wrong = yield* query("{ nope }")
          assert.deepStrictEqual([wrong.status, codes(wrong), wrong.data], [400, ["invalid_request"], undefined])
          const old = yield* query("{ nope }", {}, { headers: { accept: "application/json" } })
          assert.deepStrictEqual([old.status, old.headers["content-type"]], [200, "application/json; charset=utf-8"])
          const failed = yield* query("{ listSessions { sessions { id } } }")
          assert.deepStrictEqual([failed.status, codes(failed), failed.data], [200, ["unauthorized"], { listSessions: null }])
          const picky = yield* sent(body, { headers: { accept: "text/html" } })
          assert.deepStrictEqual([picky.status, codes(picky)], [406, ["not_acceptable"]])
        }),
      )

      it.effect("is refused if a page can send it without a preflight", () =>
        Effect.gen(function* () {
          const simple = [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "text/plain; application/json",
            "",
            "application/jsonp",
          ]
          for (const type of simple) {
            const answer = yield* sent(body, { headers: { "content-type": type } })
            assert.deepStrictEqual([answer.status, codes(answer)], [415, ["unsupported_media_type"]], type)
          }
          for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']) {
            assert.strictEqual((yield* sent(body, { headers: { "content-type": type } })).status, 200, type)
          }
          assert.strictEqual((yield* sent(body, { headers: { "content-type": "application/json; charset=utf-16" } })).status, 415)
        }),
      )

      it.effect("must be a POST: a GET executes no query and no mutation", () =>
        Effect.gen(function* () {
          const text = "mutation { signOut { success } }"
          for (const search of ["", `?query=${encodeURIComponent(viewer)}`, `?query=${encodeURIComponent(text)}`]) {
            const answer = yield* ask("GET", `/graphql${search}`, { headers: { accept: "application/json" } })
            assert.deepStrictEqual([answer.status, answer.headers["allow"]], [405, "POST"])
            assert.strictEqual(JSON.parse(answer.text).errors[0].extensions.code, "method_not_allowed")
            assert.isUndefined(answer.headers["set-cookie"])
          }
          assert.strictEqual((yield* ask("PUT", "/graphql", { body })).status, 404)
        }),
      )

      it.effect("contains one operation in a JSON object of bounded size", () =>
        Effect.gen(function* () {
          const refusals = [
            [`[${body},${body}]`, 400, "invalid_json"],
            ["{", 400, "invalid_json"],
            ["{}", 400, "invalid_request"],
            ['{"query": 7}', 400, "invalid_request"],
            ['{"query": "{ __typename }", "variables": []}', 400, "invalid_request"],
            ['{"query": "{ __typename }", "operationName": 1}', 400, "invalid_request"],
            ['{"query": "{ __typename }", "extensions": "x"}', 400, "invalid_request"],
            ['{"query": "query A { __typename } query B { __typename }"}', 400, "invalid_request"],
            ['{"query": "{ __typename }", "operationName": "B"}', 400, "invalid_request"],
            ['{"query": "subscription { viewer }"}', 400, "invalid_request"],
            [JSON.stringify({ query: `# ${"x".repeat(1000)}` }), 413, "payload_too_large"],
          ] as const
          for (const [text, status, code] of refusals) {
            const answer = yield* sent(text)
            assert.deepStrictEqual([answer.status, ...codes(answer)], [status, code], text.slice(0, 60))
          }
          const second = {
            query: "query A { a: __typename } query B { b: __typename }",
            operationName: "B",
            variables: null,
            extensions: null,
          }
          assert.deepStrictEqual((yield* sent(second)).data, { b: "Query" })
        }),
      )

      it.effect("is accepted from the service's own and listed origins", () =>
        Effect.gen(function* () {
          const evil = yield* sent(body, { headers: { origin: "https://evil.example" } })
          assert.deepStrictEqual([evil.status, codes(evil)], [403, ["untrusted_origin"]])
          assert.isUndefined(evil.headers["access-control-allow-origin"])
          const origin = "https://app.example.net"
          const trusted = yield* sent(body, { headers: { origin } })
          assert.deepStrictEqual([trusted.status, trusted.headers["access-control-allow-origin"]], [200, origin])
          assert.strictEqual((yield* ask("OPTIONS", "/graphql", { headers: { origin } })).status, 204)
        }),
      )

      it.effect("is refused with a reason that does not repeat its text", () =>
        Effect.gen(function* () {
          const secret = "hunter2-is-my-password"
          const headers = yield* joined("told@example.com")
          const wrong = [
            yield* query(signUp, { input: { email: "a@example.com", password: { secret } } }),
            yield* query(signUp, { input: { email: "a@example.com", password: secret, unknown: secret } }),
            yield* query(signUp, { input: [secret] }),
            yield* query(signUp, { input: { email: secret } }),
            yield* query(`mutation { signUpEmail(input: { email: "a", password: "${secret}", unknown: 1 }) { user { id } } }`),
            yield* query(`mutation { signUpEmail(input: "${secret}") { user { id } } }`),
            yield* query(`mutation { signUpEmail("${secret}") { user { id } } }`),
            yield* query(`mutation { updateUser(input: { name: true, image: ["${secret}"] }) { user { id } } }`, {}, { headers }),
            yield* query(`mutation { signUpEmail(input: { email: $email, password: "${secret}" }) { user { id } } }`),
          ]
          for (const answer of wrong) {
            assert.strictEqual(answer.status, 400, answer.text)
            assert.deepStrictEqual([...new Set(codes(answer))], ["invalid_request"])
            assert.notInclude(answer.text, secret)
          }
        }),
      )
    },
  )
})

describe("the shells", () => {
  const redirect = Endpoint.make({
    method: "GET",
    path: "/library/callback",
    summary: "The target of another site's redirect.",
    access: "public",
    input: Endpoint.NoInput,
    output: Endpoint.Success,
    protocol: {},
    handler: () => Effect.succeed(Endpoint.reply(Endpoint.succeeded)),
  })
  const library = Module.define({ name: "library", settings: Module.NoSettings, parts: () => ({ endpoints: [redirect] }) }).build({})
  layer(graphqlServed({ modules: [...core, library], rest: false, graphql: { path: "/api/graph" } }), { excludeTestServices: true })(
    (it) => {
      it.effect("can run GraphQL alone, on another path", () =>
        Effect.gen(function* () {
          const headers = { "content-type": "application/json" }
          assert.deepStrictEqual(JSON.parse((yield* ask("POST", "/api/graph", { body, headers })).text), { data: { viewer: null } })
          assert.deepStrictEqual([(yield* get("/get-session")).status, (yield* post("/sign-out", {})).status], [404, 404])
          assert.strictEqual((yield* ask("GET", "/healthz")).status, 200)
          assert.deepStrictEqual((yield* get("/library/callback")).json, { success: true })
          assert.strictEqual((yield* sent(body)).status, 404)
        }),
      )
    },
  )

  layer(graphqlServed({ graphql: { graphiql: true } }), { excludeTestServices: true })((it) => {
    it.effect("serve GraphiQL when it is enabled", () =>
      Effect.gen(function* () {
        const page = yield* ask("GET", "/graphql", { headers: { accept: "text/html,application/xhtml+xml" } })
        assert.deepStrictEqual([page.status, page.headers["content-type"]], [200, "text/html; charset=utf-8"])
        assert.include(page.headers["content-security-policy"], "connect-src 'self'")
        assert.include(page.text, "renderYogaGraphiQL")
      }),
    )
  })

  const broken = changed(PasswordHasher, () => ({ hash: () => Effect.die(new Error("the secret of the hasher")) }))
  layer(graphqlServed({ instead: broken }), { excludeTestServices: true })((it) => {
    it.effect("do not reveal a defect, and log it once", () =>
      Effect.gen(function* () {
        const answer = yield* query(signUp, { input: { email: "a@example.com", password: "correct horse battery staple" } })
        assert.deepStrictEqual([answer.status, codes(answer)], [200, ["internal_error"]])
        assert.notInclude(answer.text, "hasher")
        const logged = (yield* Logged).filter((line) => line.includes("the secret of the hasher"))
        assert.lengthOf(logged, 1)
        assert.include(logged[0], String(answer.headers["x-request-id"]))
        assert.include(logged[0], "/graphql")
      }),
    )
  })

  const cut = changed(Store, () => ({ readWithReferenced: () => Effect.die(new StoreUnavailable({ cause: "cut off" })) }))
  layer(graphqlServed({ instead: cut }), { excludeTestServices: true })((it) => {
    it.effect("report an unavailable store", () =>
      Effect.gen(function* () {
        const answer = yield* query(viewer, {}, { headers: yield* joined("a@example.com") })
        assert.deepStrictEqual([answer.status, codes(answer), answer.headers["retry-after"]], [200, ["unavailable"], "1"])
      }),
    )
  })
})

const file = join(mkdtempSync(join(tmpdir(), "sallyport-")), "documents.json")
writeFileSync(file, JSON.stringify({ who: viewer, wrong: "{ nope }" }))

describe("a file of trusted documents", () => {
  it.effect("is a configuration error when it is malformed", () =>
    Effect.gen(function* () {
      const nonsense = `${file}.txt`
      writeFileSync(nonsense, '{"id": 7}')
      for (const wrong of ["/nowhere/documents.json", nonsense]) {
        assert.match((yield* Effect.flip(trustedDocuments(wrong))).message, /^graphql\.trusted_documents: found /)
      }
      assert.isUndefined(yield* trustedDocuments(undefined))
    }),
  )
})

describe("limits", () => {
  const limits = { max_depth: 4, max_aliases: 2, max_tokens: 60, max_cost: 60 }
  layer(graphqlServed({ graphql: limits }), { excludeTestServices: true })((it) => {
    it.effect("bound the depth, aliases, tokens and objects of a document", () =>
      Effect.gen(function* () {
        const sessions = (first: number) => `{ viewer { sessions(first: ${first}) { pageInfo { hasNextPage } edges { cursor } } } }`
        const right = [sessions(50), "{ a: __typename b: __typename }", `{ ${"__typename ".repeat(3)} }`]
        for (const text of right) assert.deepStrictEqual(codes(yield* query(text)), [], text)
        const tooMuch = [
          "{ viewer { sessions { edges { node { id } } } } }",
          "query { viewer { ...v } } fragment v on Viewer { sessions { edges { node { id } } } }",
          "{ a: __typename b: __typename c: __typename }",
          "{ ...q ...q } fragment q on Query { a: __typename b: __typename }",
          "{ __typename __typename ...{ __typename __typename } }",
          `{ __typename(${"a: 1 ".repeat(20)}) }`,
          `${"#\n".repeat(61)}{ __typename }`,
          sessions(100),
        ]
        for (const text of tooMuch) {
          const answer = yield* query(text)
          assert.deepStrictEqual([answer.status, codes(answer)], [400, ["query_too_complex"]], text)
        }
        const variable = "query ($first: Int!) { viewer { sessions(first: $first) { edges { cursor } } } }"
        assert.deepStrictEqual(codes(yield* query(variable, { first: 100 })), ["query_too_complex"])
        const values = (count: number) => ({ held: { list: Array(count - 2).fill(null) } })
        assert.deepStrictEqual(codes(yield* query("{ __typename }", values(60))), [])
        assert.deepStrictEqual(codes(yield* query("{ __typename }", values(61))), ["query_too_complex"])
        assert.deepStrictEqual(codes(yield* query("{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }")), [
          "invalid_request",
        ])
      }),
    )
  })

  layer(graphqlServed({ graphql: { introspection: false, graphiql: false } }), { excludeTestServices: true })((it) => {
    it.effect("hide the schema when introspection and suggestions are disabled", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual([...new Set(codes(yield* query(getIntrospectionQuery())))], ["invalid_request"])
        const near = yield* query("{ viewr { id } }")
        assert.notInclude(near.text, "viewer")
      }),
    )
  })

  layer(graphqlServed({ graphql: { graphiql: true } }), { excludeTestServices: true })((it) => {
    it.effect("allow introspection and suggestions when they are enabled", () =>
      Effect.gen(function* () {
        const described = yield* query(getIntrospectionQuery())
        assert.strictEqual(described.data.__schema.queryType.name, "Query")
        assert.include((yield* query("{ viewr { id } }")).text, "viewer")
      }),
    )
  })

  layer(graphqlServed({ graphql: { trusted_documents: file } }), { excludeTestServices: true })((it) => {
    it.effect("allow trusted documents only, when some are configured", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* sent({ documentId: "who" })).data, { viewer: null })
        assert.deepStrictEqual((yield* sent({ extensions: { persistedQuery: { version: 1, sha256Hash: "who" } } })).data, { viewer: null })
        for (const unknown of [{ query: viewer }, { documentId: "nope" }, { documentId: "constructor" }, {}]) {
          assert.deepStrictEqual(codes(yield* sent(unknown)), ["unknown_document"])
        }
        assert.deepStrictEqual(codes(yield* sent({ documentId: "wrong" })), ["invalid_request"])
      }),
    )
  })
})
