import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { modules as idp, spa, web } from "../../application/modules/idp/provider.ts"
import { core, password, times } from "../../world.ts"
import { codes, query } from "../graphql/request.ts"
import type { Answer, Served } from "./served.ts"
import { ask, base, cookieOf, get, post, refused, served } from "./served.ts"

const modules = [...core, bearer.build({ redirects: [] })]
const limited = (budgets: object): Served => ({
  modules,
  settings: { rate_limit: { enabled: true, ...budgets }, trusted_proxies: ["127.0.0.0/8"] },
})
const few = { requests: { limit: 3, window: 60 }, session_requests: { limit: 5, window: 60 }, client_requests: { limit: 5, window: 60 } }

let users = 0
/** The headers of requests with a new session. Each session begins at another address; all later requests come from one backend. */
const session = Effect.gen(function* () {
  const index = users++
  const headers = { "x-forwarded-for": `198.51.${index >> 8}.${index & 255}` }
  const answer = yield* post("/sign-up/email", { email: `user${index}@example.com`, password }, { headers })
  return { cookie: cookieOf(answer), "x-forwarded-for": "203.0.113.1" }
})
const budgetOf = ({ headers }: Answer) => [headers["ratelimit-limit"], headers["ratelimit-remaining"]]
const statuses = <R>(count: number, call: Effect.Effect<Answer, never, R>) =>
  Effect.map(
    Effect.all(
      times(count, () => call),
      { concurrency: 10 },
    ),
    (answers) => {
      const tally: Record<number, number> = {}
      for (const { status } of answers) tally[status] = (tally[status] ?? 0) + 1
      return tally
    },
  )

describe("a backend that checks the sessions of its users", () => {
  layer(served(limited({})), { timeout: 60_000 })((it) => {
    it.effect(
      "is not throttled as one client: 360 sessions are checked within a minute",
      () =>
        Effect.gen(function* () {
          const sessions = yield* Effect.all(
            times(360, () => session),
            { concurrency: 10 },
          )
          const answers = yield* Effect.forEach(sessions, (headers) => get("/get-session", { headers }), { concurrency: 10 })
          assert.deepStrictEqual(
            answers.filter(({ status, json }) => status !== 200 || json.user === null).map(({ status }) => status),
            [],
          )
          assert.deepStrictEqual(budgetOf(answers[0]!), ["1200", "1199"])
        }),
      60_000,
    )
  })
})

describe("a request with a session", () => {
  layer(served({ ...limited(few), graphql: {} }))((it) => {
    it.effect("counts against that session alone, until the window ends", () =>
      Effect.gen(function* () {
        const headers = yield* session
        const other = yield* session
        assert.deepStrictEqual(yield* statuses(20, get("/get-session", { headers })), { 200: 5, 429: 15 })
        const over = yield* get("/get-session", { headers })
        assert.deepStrictEqual([refused(over), ...budgetOf(over)], ["429 rate_limited", "5", "0"])
        assert.strictEqual(over.headers["ratelimit-reset"], over.headers["retry-after"])

        assert.deepStrictEqual(budgetOf(yield* get("/get-session", { headers: other })), ["5", "4"])
        const { cookie: _, ...anonymous } = headers
        assert.deepStrictEqual(budgetOf(yield* get("/get-session", { headers: anonymous })), ["3", "2"])
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual((yield* get("/get-session", { headers })).status, 200)
      }),
    )

    it.effect("counts the same as a bearer token and over GraphQL", () =>
      Effect.gen(function* () {
        const headers = yield* session
        const token = headers.cookie.replace("__Host-session=", "")
        const from = { "x-forwarded-for": "203.0.113.2" }
        assert.deepStrictEqual(budgetOf(yield* get("/get-session", { headers })), ["5", "4"])
        const withToken = { authorization: `Bearer ${token}`, ...from }
        assert.deepStrictEqual(budgetOf(yield* get("/get-session", { headers: withToken })), ["5", "3"])
        const { status, ...graphql } = yield* query("{ viewer { user { id } } }", {}, { headers })
        assert.deepStrictEqual([status, ...budgetOf({ status, ...graphql })], [200, "5", "2"])
        assert.deepStrictEqual(yield* statuses(2, get("/list-sessions", { headers })), { 200: 2 })
        assert.strictEqual((yield* get("/list-sessions", { headers })).status, 429)
        const field = yield* query("{ viewer { user { id } } }", {}, { headers })
        assert.deepStrictEqual([field.status, codes(field), field.headers["ratelimit-limit"]], [429, ["rate_limited"], "5"])
      }),
    )
  })

  layer(served({ ...limited(few), graphql: {} }))((it) => {
    it.effect("counts against the address when its credential is not signed: invented credentials get no budget of their own", () =>
      Effect.gen(function* () {
        const { cookie } = yield* session
        const from = { "x-forwarded-for": "203.0.113.3" }
        const [token = ""] = cookie.replace("__Host-session=", "").split(".")
        const invented = times(6, (index) => `__Host-session=${token}.${String(index).repeat(43)}`)
        const answers = yield* Effect.forEach(invented, (cookie) => get("/get-session", { headers: { cookie, ...from } }))
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 429, 429, 429],
        )
      }),
    )

    it.effect("counts against the address as well once its session has ended", () =>
      Effect.gen(function* () {
        const address = { "x-forwarded-for": "203.0.113.9" }
        const dead = yield* Effect.all(times(3, () => session))
        for (const headers of dead) assert.strictEqual((yield* post("/sign-out", {}, { headers })).status, 200)
        const owner = { ...(yield* session), ...address }
        const [one, other, another] = dead.map(({ cookie }) => ({ headers: { cookie, ...address } }))
        assert.deepStrictEqual(yield* statuses(2, get("/get-session", one)), { 200: 2 })
        assert.strictEqual(refused(yield* get("/list-sessions", other)), "401 unauthorized")
        for (const spent of [one, other, another]) assert.strictEqual((yield* get("/get-session", spent)).status, 429)
        assert.strictEqual((yield* get("/list-sessions", another)).status, 429)
        const field = yield* query("query Dead { viewer { user { id } } }", {}, another)
        assert.deepStrictEqual([field.status, codes(field)], [429, ["rate_limited"]])
        const invalid = yield* query("{ nope }", {}, another)
        assert.deepStrictEqual([invalid.status, codes(invalid)], [429, ["rate_limited"]])
        assert.strictEqual((yield* get("/get-session", { headers: owner })).status, 200)
        assert.strictEqual((yield* query("query Live { viewer { user { id } } }", {}, { headers: owner })).status, 200)
      }),
    )

    it.effect("counts against the address where no session is looked up, so anonymous requests use no session's budget", () =>
      Effect.gen(function* () {
        const headers = { ...(yield* session), "x-forwarded-for": "203.0.113.10" }
        const reset = post("/request-password-reset", { email: "unknown@example.com" }, { headers })
        assert.deepStrictEqual(budgetOf(yield* reset), ["3", "2"])
        assert.deepStrictEqual(budgetOf(yield* get("/no-such-path", { headers })), ["3", "1"])
        assert.deepStrictEqual(yield* statuses(3, reset), { 200: 1, 429: 2 })
        assert.strictEqual((yield* get("/get-session", { headers })).status, 200)
      }),
    )

    it.effect("counts against the address when it steps up: a new token is no new budget, by REST or by GraphQL", () =>
      Effect.gen(function* () {
        let headers = { ...(yield* session), "x-forwarded-for": "203.0.113.11" }
        for (const left of ["2", "1", "0"]) {
          const answer = yield* post("/step-up", { password }, { headers })
          assert.deepStrictEqual([answer.status, ...budgetOf(answer)], [200, "3", left])
          headers = { ...headers, cookie: cookieOf(answer) }
        }
        assert.strictEqual((yield* post("/step-up", { password }, { headers })).status, 429)
        const document = "mutation ($input: StepUpInput!) { stepUp(input: $input) { success } }"
        assert.deepStrictEqual(codes(yield* query(document, { input: { password } }, { headers })), ["rate_limited"])
        assert.strictEqual((yield* get("/get-session", { headers })).status, 200)
      }),
    )

    it.effect("counts against the address when it signs in, not against the new session", () =>
      Effect.gen(function* () {
        yield* session
        const headers = { ...(yield* session), "x-forwarded-for": "203.0.113.4" }
        const email = `user${users - 2}@example.com`
        const signIn = post("/sign-in/email", { email, password }, { headers })
        assert.deepStrictEqual([...budgetOf(yield* signIn), ...budgetOf(yield* signIn)], ["3", "2", "3", "1"])
        const document = "mutation ($input: SignInEmailInput!) { signInEmail(input: $input) { user { id } } }"
        const field = query(document, { input: { email, password } }, { headers })
        assert.deepStrictEqual([...codes(yield* field), ...codes(yield* field)], ["rate_limited"])
        assert.strictEqual((yield* signIn).status, 429)
      }),
    )
  })
})

describe("a request with client credentials", () => {
  const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    ask("POST", `${base}/oauth2/token`, {
      headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": "203.0.113.5", ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const code = { grant_type: "authorization_code", code: "unknown", redirect_uri: web.redirect_uris[0]! }
  const own = { client_id: web.client_id, client_secret: web.client_secret }
  const encoded = (text: string) => new URLSearchParams({ text }).toString().slice("text=".length)
  const basic = (secret: string) => `Basic ${Buffer.from(`${encoded(web.client_id)}:${encoded(secret)}`).toString("base64")}`

  layer(served({ ...limited(few), modules: idp }))((it) => {
    it.effect("counts against the client, whether the secret is in the header, in a form or in JSON", () =>
      Effect.gen(function* () {
        const asked = [
          form(code, { authorization: basic(web.client_secret) }),
          form({ ...code, ...own }, { "x-forwarded-for": "203.0.113.6" }),
          post("/oauth2/token", { ...code, ...own }),
        ]
        const answers = yield* Effect.all([...asked, ...asked])
        const left = answers.map((answer) => [answer.status, ...budgetOf(answer)])
        assert.deepStrictEqual(left, [
          [400, "5", "4"],
          [400, "5", "3"],
          [400, "5", "2"],
          [400, "5", "1"],
          [400, "5", "0"],
          [429, "5", "0"],
        ])
      }),
    )

    it.effect("counts against the address without the right secret: an attacker cannot use up a client's budget", () =>
      Effect.gen(function* () {
        const wrong = [
          form(code, { authorization: basic("a wrong secret"), "x-forwarded-for": "203.0.113.7" }),
          form({ ...code, ...own, client_secret: "a wrong secret" }, { "x-forwarded-for": "203.0.113.7" }),
          form({ ...code, client_id: web.client_id }, { "x-forwarded-for": "203.0.113.7" }),
          form({ ...code, client_id: spa.client_id }, { "x-forwarded-for": "203.0.113.8" }),
          form({ ...code, ...own, padding: "x".repeat(9000) }, { "x-forwarded-for": "203.0.113.8" }),
          form({ ...code, client_id: "unknown" }, { "x-forwarded-for": "203.0.113.8" }),
        ]
        const left = (yield* Effect.all(wrong)).map((answer) => budgetOf(answer).join(" "))
        assert.deepStrictEqual(left, ["3 2", "3 1", "3 0", "3 2", "3 1", "3 0"])
      }),
    )
  })
})
