import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { UnsecuredJWT } from "jose"
import { AuthorizationCodes, AuthorizationRequests } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { builtWith, call, issuer, presented, requests, spa, web } from "./provider.ts"

const strict = { ...web, client_id: "strict", require_pushed_authorization_requests: true }
const module = builtWith({ clients: [spa, web, strict] })
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Par, oauth2Token } = module.endpoints

const signedUp = () => signedUpTo("ada@example.com", auth)
type Browser = Pick<ReturnType<typeof browser>, "body">

const pushed = (input: object) => call(oauth2Par, input, null, auth)
const refused = (input: object) => Effect.map(Effect.flip(pushed(input)), ({ _tag }) => _tag)
const responseTo = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  return Object.fromEntries(new URL(redirect).searchParams) as Record<string, string>
})
const own = { client_id: strict.client_id, client_secret: strict.client_secret }
const ofStrict = { ...requests.web, ...own }

describe("oauth2/par", () => {
  rule("stores a request, which the browser starts by its request_uri and which gets one code", function* () {
    const ada = yield* signedUp()
    const { request_uri, expires_in } = yield* pushed({ ...requests.spa, nonce: "n" })
    assert.match(request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/)
    assert.strictEqual(expires_in, 60)
    assert.notInclude(JSON.stringify(yield* rows(AuthorizationRequests)), request_uri.slice(-43))

    const reference = { client_id: "spa", request_uri }
    assert.strictEqual((yield* responseTo(browser(auth), reference))["error"], "login_required")
    const { code = "", ...rest } = yield* responseTo(ada, {
      ...reference,
      state: "another",
      scope: "email",
      redirect_uri: "https://evil.example",
    })
    assert.deepStrictEqual(rest, { state: "xyz", iss: issuer })
    assert.strictEqual((yield* call(oauth2Token, presented.spa(code), null, auth)).scope, "openid")
    assert.strictEqual((yield* Effect.flip(ada.body(oauth2Authorize, reference)))._tag, "invalid_request")
  })

  rule("twenty browsers with one reference get one code", function* () {
    const ada = yield* signedUp()
    const { request_uri } = yield* pushed(requests.spa)
    const begin = ada.call(oauth2Authorize, { client_id: "spa", request_uri })
    assert.deepStrictEqual(yield* atOnce(times(20, () => begin)), { ok: 1, invalid_request: 19 })
    assert.lengthOf(yield* rows(AuthorizationCodes), 1)
  })

  rule("keeps a request for a minute, for its client", function* () {
    const ada = yield* signedUp()
    const { request_uri } = yield* pushed(requests.spa)
    const code = (input: object) => Effect.map(Effect.flip(ada.body(oauth2Authorize, input)), ({ _tag }) => _tag)
    assert.strictEqual(yield* code({ client_id: web.client_id, request_uri }), "invalid_request")
    assert.strictEqual(yield* code({ request_uri }), "invalid_request")
    assert.strictEqual(yield* code({ client_id: "spa", request_uri: `${request_uri}x` }), "invalid_request")
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual(yield* code({ client_id: "spa", request_uri }), "invalid_request")
    yield* pushed(requests.spa)
    assert.strictEqual(
      (yield* responseTo(ada, { ...requests.spa, request_uri: "https://spa.example.com/r" }))["error"],
      "request_uri_not_supported",
    )
  })

  rule("authenticates the client, and refuses what the authorization endpoint would refuse", function* () {
    assert.strictEqual(yield* refused(requests.web), "invalid_client")
    assert.strictEqual(yield* refused({ ...requests.web, ...own, client_secret: "x" }), "invalid_client")
    for (const [changes, code] of [
      [{ redirect_uri: "https://evil.example" }, "invalid_request"],
      [{ redirect_uri: "" }, "invalid_request"],
      [{ response_type: "token" }, "invalid_request"],
      [{ request_uri: "urn:ietf:params:oauth:request_uri:x" }, "invalid_request"],
      [{ request: "x" }, "invalid_request"],
      [{ scope: "unknown" }, "invalid_scope"],
      [{ prompt: "none login" }, "invalid_request"],
      [{ state: ["a", "b"] }, "invalid_request"],
      [{ code_challenge: "x" }, "invalid_request"],
    ] as const) {
      assert.strictEqual(yield* refused({ ...requests.spa, ...changes }), code, JSON.stringify(changes))
    }
    assert.lengthOf(yield* rows(AuthorizationRequests), 0)
  })

  rule("is required of clients that are configured so, and no secret is stored", function* () {
    const ada = yield* signedUp()
    const { client_secret: _, ...direct } = ofStrict
    assert.strictEqual((yield* responseTo(ada, direct))["error"], "invalid_request")
    const { request_uri } = yield* pushed(ofStrict)
    assert.notInclude(JSON.stringify(yield* rows(AuthorizationRequests)), strict.client_secret)
    assert.isString((yield* responseTo(ada, { client_id: "strict", request_uri }))["code"])
  })

  rule("prompt=login requires a proof after the request", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1 second")
    const { request_uri } = yield* pushed({ ...requests.spa, prompt: "login" })
    const reference = { client_id: "spa", request_uri }
    assert.strictEqual((yield* responseTo(ada, reference))["error"], "login_required")
    yield* TestClock.adjust("1 second")
    yield* ada.body(endpoints.stepUp, { password })
    assert.isString((yield* responseTo(ada, reference))["code"])
  })
})

describe("response_mode=form_post", () => {
  const formOf = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, input: object) {
    const reply = yield* their.call(oauth2Authorize, { ...input, response_mode: "form_post" })
    assert.isUndefined(reply.location)
    const html = reply.text?.content ?? assert.fail("no page")
    const signs: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" }
    const unescaped = (text = "") => text.replace(/&[^;]+;/g, (entity) => signs[entity] ?? entity)
    const fields = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [unescaped(name), unescaped(value)])
    return { html, action: unescaped(/action="([^"]*)"/.exec(html)?.[1]), fields: Object.fromEntries(fields) as Record<string, string> }
  })

  rule("answers with a page that posts the code or the error to the client", function* () {
    const ada = yield* signedUp()
    const { action, fields } = yield* formOf(ada, requests.spa)
    assert.strictEqual(action, requests.spa.redirect_uri)
    const { code = "", ...rest } = fields
    assert.deepStrictEqual(rest, { state: "xyz", iss: issuer })
    yield* call(oauth2Token, presented.spa(code), null, auth)
    const refusal = yield* formOf(browser(auth), requests.spa)
    assert.deepStrictEqual([refusal.fields["error"], refusal.fields["iss"]], ["login_required", issuer])
    assert.strictEqual((yield* formOf(ada, { ...requests.spa, prompt: "none login" })).fields["error"], "invalid_request")
  })

  rule("is the way of the error too if only a refused request object names it", function* () {
    const request = new UnsecuredJWT({ ...requests.spa, response_mode: "form_post" }).encode()
    const ada = yield* signedUp()
    const reply = yield* ada.call(oauth2Authorize, { ...requests.spa, request })
    assert.include(reply.text?.content ?? "", "request_not_supported")
    const other = yield* ada.call(oauth2Authorize, { ...requests.spa, request: "x.y.z" })
    assert.include(other.location ?? "", "error=request_not_supported")
  })

  rule("escapes the client's parameters", function* () {
    const state = `"><script>alert(1)</script>&'`
    const { html, fields } = yield* formOf(yield* signedUp(), { ...requests.web, state })
    assert.strictEqual(fields["state"], state)
    assert.lengthOf(html.match(/<script>/g) ?? [], 1)
    assert.notInclude(html, "alert(1)</script>")
  })
})
