import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Users } from "../../../../domain/users/tables.ts"
import { browser, rows } from "../../../world.ts"
import { issuer, rule as ruleOf, type World } from "./openid.ts"

const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, { response_mode: "form_post" })

const started = Effect.fnUntraced(function* ({ auth, signInSocial, visit }: World) {
  const their = browser(auth)
  their.jar.from_browser = true
  const { url } = yield* their.body(signInSocial, { provider: "op" })
  return { their, url, back: visit(url) }
})

/** Posts the provider's form, and returns the query of the callback that it leads to. */
const posted = Effect.fnUntraced(function* ({ auth, oauthCallbackForm }: World, form: Record<string, unknown>) {
  // Browsers send no cookies with the form of another site.
  const { location = "", session, cookies = [] } = yield* browser(auth).call(oauthCallbackForm, form)
  assert.deepStrictEqual([session, cookies.length], ["keep", 0])
  assert.isTrue(location.startsWith("http://localhost:3000/api/auth/oauth/callback?"))
  return Object.fromEntries(new URL(location).searchParams)
})

describe("a provider that returns with a form", () => {
  rule("gets response_mode=form_post, and the browser is signed in with its cookie at the second step", function* (world) {
    const { their, url, back } = yield* started(world)
    assert.strictEqual(new URL(url).searchParams.get("response_mode"), "form_post")
    const user = JSON.stringify({ name: { firstName: "Ada", lastName: "Lovelace" }, email: "not@signed.example" })
    const query = yield* posted(world, { ...back, user, id_token: "ignored" })
    assert.deepStrictEqual(Object.keys(query), ["state", "response"])
    for (const secret of [back.code, "Lovelace"]) assert.notInclude(JSON.stringify(query), secret)
    yield* their.body(world.oauthCallback, query)
    assert.deepInclude((yield* rows(Users))[0], { name: "Ada Lovelace", email: "op:ada" })
    assert.strictEqual(yield* their.code(world.oauthCallback, query), "invalid_state")
  })

  rule("is refused in another browser", function* (world) {
    const { back } = yield* started(world)
    const other = yield* started(world)
    const query = yield* posted(world, back)
    const stranger = browser(world.auth)
    stranger.jar.from_browser = true
    assert.strictEqual(yield* stranger.code(world.oauthCallback, query), "invalid_state")
    assert.strictEqual(yield* other.their.code(world.oauthCallback, query), "invalid_state")
  })

  rule("is refused with the response of another flow, or one that was not made here", function* (world) {
    const one = yield* started(world)
    const two = yield* started(world)
    const { response = "" } = yield* posted(world, one.back)
    for (const wrong of [response, `${response}x`, "x", ""])
      assert.strictEqual(yield* two.their.code(world.oauthCallback, { state: two.back.state, response: wrong }), "invalid_state")
    assert.notInclude(world.paths(), "/token")
  })

  rule("passes on an error and the issuer", function* (world) {
    const one = yield* started(world)
    const refusal = yield* posted(world, { state: one.back.state, error: "access_denied" })
    assert.deepStrictEqual(refusal, { state: one.back.state, error: "access_denied" })
    assert.strictEqual(yield* one.their.code(world.oauthCallback, refusal), "invalid_request")

    for (const [iss, code] of [
      ["https://evil.example", "invalid_state"],
      [issuer, "ok"],
    ] as const) {
      const { their, back } = yield* started(world)
      const query = yield* posted(world, { ...back, iss })
      const came = Effect.match(their.call(world.oauthCallback, query), { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
      assert.strictEqual(yield* came, code)
    }
  })

  rule("without a state, with two values or with overlong ones is invalid_request", function* (world) {
    const { back } = yield* started(world)
    for (const form of [
      {},
      { code: "c" },
      { ...back, state: "" },
      { ...back, code: [back.code, back.code] },
      { ...back, state: "x".repeat(513) },
      { ...back, code: "x".repeat(4097) },
      { ...back, user: "x".repeat(4097) },
    ])
      assert.strictEqual(yield* browser(world.auth).code(world.oauthCallbackForm, form), "invalid_request", Object.keys(form).join())
    const empty = yield* posted(world, { state: back.state })
    assert.strictEqual(yield* browser(world.auth).code(world.oauthCallback, empty), "invalid_request")
  })

  for (const user of ["{", "{}", "[]", '{"name":null}', '{"name":{"firstName":5}}', '{"name":{}}']) {
    rule(`signs in without a name where ${user} came along`, function* (world) {
      const { their, back } = yield* started(world)
      yield* their.body(world.oauthCallback, yield* posted(world, { ...back, user }))
      assert.strictEqual((yield* rows(Users))[0]?.name, null)
    })
  }
})
