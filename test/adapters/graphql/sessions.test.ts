import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { define } from "../../../domain/errors.ts"
import { core, password } from "../../world.ts"
import { cookieOf, get, refused } from "../http/served.ts"
import type { GraphqlAnswer } from "./request.ts"
import { codes, graphqlServed, joined, query } from "./request.ts"

const viewer = "{ viewer { user { email } session { userId } sessions { edges { node { id ipAddress } } } accounts { providerId } } }"

describe("a session over GraphQL", () => {
  layer(graphqlServed(), { excludeTestServices: true })((it) => {
    it.effect("starts with sign-up, identifies the viewer, and ends with sign-out", () =>
      Effect.gen(function* () {
        const headers = yield* joined("ada@example.com")
        const { data } = yield* query(viewer, {}, { headers })
        assert.strictEqual(data.viewer.user.email, "ada@example.com")
        assert.lengthOf(data.viewer.sessions.edges, 1)
        assert.deepStrictEqual(data.viewer.accounts, [{ providerId: "credential" }])
        assert.strictEqual((yield* get("/get-session", { headers })).json.user.id, data.viewer.session.userId)

        const out = yield* query("mutation { signOut { success } }", {}, { headers })
        assert.match(String(out.headers["set-cookie"]), /^__Host-session=;.*Max-Age=0/)
        assert.deepStrictEqual((yield* query(viewer, {}, { headers })).data, { viewer: null })
        assert.deepStrictEqual((yield* query(viewer)).data, { viewer: null })
      }),
    )

    it.effect("is that of the last field, and each field sees the effects of those before it", () =>
      Effect.gen(function* () {
        yield* joined("one@example.com")
        yield* joined("two@example.com")
        const both = `mutation ($one: SignInEmailInput!, $two: SignInEmailInput!) {
          one: signInEmail(input: $one) { user { email } }
          name: updateUser(input: { name: "One" }) { user { email name } }
          two: signInEmail(input: $two) { user { email } }
          all: updateUser(input: { name: "Two" }) { user { email name } }
        }`
        const input = { one: { email: "one@example.com", password }, two: { email: "two@example.com", password } }
        const answer = yield* query(both, input)
        assert.deepStrictEqual(codes(answer), [])
        assert.deepStrictEqual(answer.data.name.user, { email: "one@example.com", name: "One" })
        assert.deepStrictEqual(answer.data.all.user, { email: "two@example.com", name: "Two" })
        assert.lengthOf(answer.headers["set-cookie"] ?? [], 1)
        assert.strictEqual((yield* get("/get-session", { headers: { cookie: cookieOf(answer) } })).json.user.email, "two@example.com")

        const left = `mutation ($one: SignInEmailInput!) {
          signInEmail(input: $one) { user { email } }
          signOut { success }
          updateUser(input: {}) { user { id } }
        }`
        const out = yield* query(left, { one: input.one })
        assert.deepStrictEqual(codes(out), ["unauthorized"])
        assert.deepStrictEqual(out.data.signOut, { success: true })
        assert.match(String(out.headers["set-cookie"]), /^__Host-session=;/)
      }),
    )

    it.effect("is not lost when a later field fails", () =>
      Effect.gen(function* () {
        yield* joined("three@example.com")
        const text = `mutation ($right: SignInEmailInput!, $wrong: SignInEmailInput!) {
          right: signInEmail(input: $right) { user { email } }
          wrong: signInEmail(input: $wrong) { user { email } }
        }`
        const right = { email: "three@example.com", password }
        const answer = yield* query(text, { right, wrong: { ...right, password: "a wrong password" } })
        assert.deepStrictEqual([answer.status, codes(answer)], [200, ["invalid_credentials"]])
        assert.deepStrictEqual(answer.errors[0]?.path, ["wrong"])
        assert.strictEqual(answer.errors[0]?.extensions.status, 401)
        assert.strictEqual((yield* get("/get-session", { headers: { cookie: cookieOf(answer) } })).json.user.email, right.email)
      }),
    )

    it.effect("pages through the viewer's sessions", () =>
      Effect.gen(function* () {
        const headers = yield* joined("many@example.com")
        const signIn = "mutation ($input: SignInEmailInput!) { signInEmail(input: $input) { user { id } } }"
        for (const _ of [1, 2, 3, 4]) yield* query(signIn, { input: { email: "many@example.com", password } })
        const page = `query ($first: Int!, $after: String) {
          viewer { sessions(first: $first, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }
        }`
        const seen: Array<string> = []
        let after: string | undefined
        for (const more of [true, true, false]) {
          const { data } = yield* query(page, { first: 2, after }, { headers })
          const { edges, pageInfo } = data.viewer.sessions
          seen.push(...edges.map(({ node }: any) => node.id))
          assert.deepStrictEqual([pageInfo.hasNextPage, pageInfo.hasPreviousPage], [more, after !== undefined])
          after = pageInfo.endCursor
        }
        const { json } = yield* get("/list-sessions", { headers })
        assert.deepStrictEqual(
          seen,
          json.sessions.map(({ id }: { id: string }) => id),
        )
        for (const wrong of [{ first: -1 }, { first: 101 }, { first: 1, after: "nonsense" }, { first: 1, after: "" }]) {
          assert.deepStrictEqual(codes(yield* query(page, wrong, { headers })), ["invalid_request"])
        }
      }),
    )
  })
})

const Evicted = define("evicted", 403, "You have to go.", { session: "clear" })
const evict = Endpoint.make({
  method: "POST",
  path: "/evict",
  summary: "Refuses, and ends the session.",
  access: "session",
  input: Endpoint.NoInput,
  output: Endpoint.Success,
  errors: [Evicted],
  handler: () => Effect.fail(new Evicted()),
})
const eviction = Module.define({ name: "eviction", settings: Module.NoSettings, parts: () => ({ endpoints: [evict] }) }).build({})

const changed = ({ headers }: GraphqlAnswer) => headers["session-changed"] === "?1"

describe("getSession with extend", () => {
  layer(graphqlServed({ settings: { session: { update_age: 0 } } }), { excludeTestServices: true })((it) => {
    it.effect("false sets no cookie, over GraphQL and REST", () =>
      Effect.gen(function* () {
        const headers = yield* joined("unextended@example.com")
        const over = (extend: boolean) => query(`{ getSession(input: { extend: ${extend} }) { user { email } } }`, {}, { headers })
        const unextended = [yield* over(false), yield* get("/get-session?extend=false", { headers })]
        const extended = [yield* over(true), yield* get("/get-session?extend=true", { headers }), yield* get("/get-session", { headers })]
        for (const { text } of [...unextended, ...extended]) assert.include(text, "unextended@example.com")
        assert.deepStrictEqual(
          [...unextended, ...extended].map((answer) => answer.headers["set-cookie"]?.length ?? 0),
          [0, 0, 1, 1, 1],
        )
        assert.strictEqual(refused(yield* get("/get-session?extend=maybe", { headers })), "400 invalid_request")
      }),
    )
  })
})

describe("Session-Changed over GraphQL", () => {
  layer(graphqlServed({ settings: { session: { update_age: 0 } } }), { excludeTestServices: true })((it) => {
    it.effect("follows a mutation with a session, also beside a refused one", () =>
      Effect.gen(function* () {
        const headers = yield* joined("changes@example.com")
        const text = `mutation ($wrong: SignInEmailInput!) {
          updateUser(input: { name: "A" }) { user { id } }
          signInEmail(input: $wrong) { user { id } }
        }`
        const answer = yield* query(text, { wrong: { email: "changes@example.com", password: "wrong password" } }, { headers })
        assert.deepStrictEqual(codes(answer), ["invalid_credentials"])
        assert.isTrue(changed(answer))
        assert.isTrue(changed(yield* query("mutation { signOut { success } }", {}, { headers })))
      }),
    )

    it.effect("follows no query, though it extends the session, and no refused mutation", () =>
      Effect.gen(function* () {
        const headers = yield* joined("reads@example.com")
        const reading = yield* query(
          "{ viewer { user { id } } getSession { user { id } } listSessions { sessions { id } } }",
          {},
          { headers },
        )
        assert.lengthOf(reading.headers["set-cookie"] ?? [], 1)
        const refused = yield* query('mutation { updateUser(input: { name: "A" }) { user { id } } }')
        assert.deepStrictEqual([reading, refused].map(changed), [false, false])
      }),
    )
  })
})

describe("a refusal that ends the session", () => {
  layer(graphqlServed({ modules: [...core, eviction] }), { excludeTestServices: true })((it) => {
    it.effect("clears the cookie, and later fields have no session", () =>
      Effect.gen(function* () {
        const headers = yield* joined("ada@example.com")
        const answer = yield* query("mutation { evict { success } updateUser { user { id } } }", {}, { headers })
        assert.deepStrictEqual(codes(answer), ["evicted", "unauthorized"])
        assert.isTrue(changed(answer))
        assert.match(String(answer.headers["set-cookie"]), /^__Host-session=;/)
      }),
    )
  })
})

const budget = (requests: number, sign_in = 10) => ({
  settings: { rate_limit: { requests: { limit: requests, window: 60 }, sign_in: { limit: sign_in, window: 300 } } },
})
const tries = (count: number) => {
  const aliases = Array.from({ length: count }, (_, index) => `t${index}: signInEmail(input: $input) { user { id } }`)
  return `mutation ($input: SignInEmailInput!) { ${aliases.join(" ")} }`
}
const guess = { input: { email: "ada@example.com", password: "a wrong password" } }

describe("rate limits over GraphQL", () => {
  layer(graphqlServed(budget(100, 10)))((it) => {
    it.effect("count ten aliases of sign-in as ten attempts", () =>
      Effect.gen(function* () {
        const answer = yield* query(tries(12), guess)
        const expected = [...Array(10).fill("invalid_credentials"), "rate_limited", "rate_limited"]
        assert.deepStrictEqual(codes(answer), expected)
        assert.isAbove(answer.errors[10]?.extensions.retryAfter, 0)
        assert.isAbove(Number(answer.headers["retry-after"]), 0)
        assert.deepStrictEqual(codes(yield* query(tries(1), guess)), ["rate_limited"])
      }),
    )
  })

  layer(graphqlServed(budget(5)))((it) => {
    it.effect("count each field as a request", () =>
      Effect.gen(function* () {
        const three = yield* query("{ viewer { user { id } } getSession { user { id } } more: getSession { user { id } } __typename }")
        assert.deepStrictEqual([three.headers["ratelimit-limit"], three.headers["ratelimit-remaining"]], ["5", "2"])
        const four = yield* query(
          "{ a: viewer { user { id } } b: viewer { user { id } } c: viewer { user { id } } d: viewer { user { id } } }",
        )
        assert.deepStrictEqual(codes(four), ["rate_limited", "rate_limited"])
        const over = yield* query("{ viewer { user { id } } }")
        assert.deepStrictEqual([over.status, codes(over), over.data], [429, ["rate_limited"], undefined])
        assert.strictEqual((yield* get("/get-session")).status, 429)
      }),
    )
  })
})
