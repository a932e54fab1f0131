import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AuthorizationRequests } from "../../../../application/modules/idp/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, endpoints, password, rows } from "../../../world.ts"
import { auth, modules, oauth2Authorize, requests, signedUp } from "./provider.ts"

const page = "https://app.example.com/login?to={return_to}&name={login_hint}&prompt={prompt}"
const settings = { links: { sign_in: page } }
const ruleOf = rulesOf(modules)
const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, settings)

type Browser = Pick<ReturnType<typeof browser>, "body">
const sent = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  const url = new URL(redirect)
  return { host: url.host, query: Object.fromEntries(url.searchParams) as Record<string, string> }
})

/** The parameters with which the page leads back. */
const resumed = (query: Readonly<Record<string, string>>) =>
  Object.fromEntries(new URL(query["to"] ?? "", "http://localhost:3000").searchParams)

describe("the sign-in page of clients", () => {
  rule("gets visitors without a session, and leads back to exactly their request", function* () {
    const visitor = browser(auth)
    const { host, query } = yield* sent(visitor, { ...requests.spa, login_hint: "ada@example.com", nonce: "n" })
    assert.deepStrictEqual([host, query["name"], query["prompt"]], ["app.example.com", "ada@example.com", ""])
    assert.match(query["to"] ?? "", /^\/api\/auth\/oauth2\/authorize\?client_id=spa&request_uri=urn/)
    assert.notInclude(query["to"] ?? "", requests.spa.state)

    yield* signedUp()
    yield* TestClock.adjust("599 seconds")
    yield* visitor.body(endpoints.signInEmail, { email: "ada@example.com", password })
    const back = yield* sent(visitor, resumed(query))
    assert.deepStrictEqual([back.host, back.query["state"]], ["spa.example.com", "xyz"])
    assert.isString(back.query["code"])
  })

  rule("is not shown for prompt=none, nor for a request with another fault", function* () {
    const visitor = browser(auth)
    for (const [input, error] of [
      [{ ...requests.spa, prompt: "none" }, "login_required"],
      [{ ...requests.spa, response_type: "token" }, "unsupported_response_type"],
    ] as const) {
      const { host, query } = yield* sent(visitor, input)
      assert.deepStrictEqual([host, query["error"]], ["spa.example.com", error])
    }
    assert.deepStrictEqual(yield* rows(AuthorizationRequests), [])
  })

  rule("keeps a request for half an hour, however often it is visited", function* () {
    const visitor = browser(auth)
    const { query } = yield* sent(visitor, requests.spa)
    const ada = yield* signedUp()
    for (const seconds of [1, 598, 600, 600]) {
      yield* TestClock.adjust(`${seconds} seconds`)
      assert.deepStrictEqual((yield* sent(visitor, resumed(query))).query["to"], query["to"])
    }
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Effect.flip(visitor.body(oauth2Authorize, resumed(query))))._tag, "invalid_request")
    assert.strictEqual((yield* Effect.flip(ada.body(oauth2Authorize, resumed(query))))._tag, "invalid_request")
  })

  for (const demand of [{ prompt: "login" }, { max_age: "0" }])
    rule(`asks a signed-in user again with ${JSON.stringify(demand)}, once for each request`, function* () {
      const ada = yield* signedUp()
      yield* TestClock.adjust("1 second")
      const { query } = yield* sent(ada, { ...requests.spa, ...demand })
      assert.strictEqual(query["prompt"], "login")
      const early = yield* sent(ada, resumed(query))
      assert.strictEqual(early.host, "app.example.com")

      yield* TestClock.adjust("1 second")
      yield* ada.body(endpoints.stepUp, { password })
      yield* TestClock.adjust("30 seconds")
      const { query: answer } = yield* sent(ada, resumed(early.query))
      assert.isString(answer["code"], JSON.stringify(answer))
    })
})

const creating = { links: { ...settings.links, create_account: "https://app.example.com/join?to={return_to}&name={login_hint}" } }
describe("prompt=create", () => {
  const request = { ...requests.spa, prompt: "create", login_hint: "eve@example.com" }
  ruleOf(
    "leads to the page on which users sign up, and needs a proof for this request",
    function* () {
      const visitor = browser(auth)
      const { host, query } = yield* sent(visitor, request)
      assert.deepStrictEqual([host, query["name"]], ["app.example.com", "eve@example.com"])
      yield* visitor.body(endpoints.signUpEmail, { email: "eve@example.com", password })
      const back = yield* sent(visitor, resumed(query))
      assert.isString(back.query["code"], JSON.stringify(back))
      // Another request needs another proof: the user has signed up for the first one.
      assert.isUndefined((yield* sent(visitor, request)).query["code"])
    },
    creating,
  )
  ruleOf(
    "is satisfied by a sign-in of a user who has an account",
    function* () {
      const ada = yield* signedUp()
      const { query } = yield* sent(ada, request)
      assert.isUndefined(query["code"])
      yield* ada.body(endpoints.signInEmail, { email: "ada@example.com", password })
      assert.isString((yield* sent(ada, resumed(query))).query["code"])
    },
    creating,
  )
  ruleOf(
    "can only be combined with consent",
    function* () {
      const visitor = browser(auth)
      for (const prompt of ["create none", "create login", "select_account create"])
        assert.strictEqual((yield* sent(visitor, { ...request, prompt })).query["error"], "invalid_request")
      assert.strictEqual((yield* sent(visitor, { ...request, prompt: "create consent" })).host, "app.example.com")
    },
    creating,
  )
  rule("is unknown without the page", function* () {
    assert.strictEqual((yield* sent(browser(auth), request)).query["error"], "invalid_request")
  })
})
