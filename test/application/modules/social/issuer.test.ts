import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { OAuthStates } from "../../../../application/modules/social/flows.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, rows } from "../../../world.ts"
import { configured, including, makeProvider, signedUp, waysIn } from "./provider.ts"

const acme = "https://acme.example"
const providers = [
  configured("acme", { issuer: acme }),
  configured("tenant", { issuer: "https://plain.example/tenant" }),
  configured("plain"),
  { ...configured("acme"), id: "again" },
  configured("slashed", { issuer: "https://slashed.example/" }),
]

/** A provider and a service that has not read any metadata yet. */
const begin = () => ({ ...makeProvider(), ...including({ providers }) })
type World = ReturnType<typeof begin>

const rule = (name: string, shown: (world: World) => Generator<Effect.Effect<any, any, any>, unknown, never>) => {
  const world = begin()
  rulesOf(world.modules)(name, function* () {
    yield* Effect.gen(() => shown(world)).pipe(Effect.provideService(HttpClient.HttpClient, world.client))
  })
}

/** The result of a callback with this `iss`: a code, or `ok`. */
const came = Effect.fnUntraced(function* ({ visit, signInSocial, oauthCallback }: World, id: string, iss?: unknown) {
  const their = browser()
  const { url } = yield* their.body(signInSocial, { provider: id })
  const back = visit(url, { uid: "1" })
  const outcome = their.call(oauthCallback, iss === undefined ? back : { ...back, iss })
  return yield* Effect.match(outcome, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
})

const metadata = ({ answers }: World, answer: () => Response) => {
  answers.metadata = () => Effect.sync(answer)
}
const promising = (issuer = acme) => Response.json({ issuer, authorization_response_iss_parameter_supported: true })

describe("a mix-up of providers", () => {
  rule("a code from another issuer is not sent to this provider, and the flow is over", function* (world) {
    const foreign = ["https://evil.example", "https://acme.example/", "https://ACME.example", "http://acme.example", "acme.example", ""]
    for (const iss of foreign) assert.strictEqual(yield* came(world, "acme", iss), "invalid_state", iss)
    assert.lengthOf(world.requests, 0)
    assert.lengthOf(yield* rows(OAuthStates), 0)
    assert.strictEqual(yield* came(world, "acme", acme), "ok")
  })

  rule("a code from another issuer links nothing", function* (world) {
    const their = yield* signedUp("ada@example.com")
    const { url } = yield* their.body(world.linkSocial, { provider: "acme" })
    const back = world.visit(url, { uid: "1" })
    assert.strictEqual(yield* their.code(world.oauthCallback, { ...back, iss: "https://evil.example" }), "invalid_state")
    assert.deepStrictEqual(yield* waysIn(their), ["credential"])
  })

  rule("without an issuer in the configuration, only the provider's own origin is accepted", function* (world) {
    for (const iss of ["https://evil.example", "http://plain.example", "https://plain.example.evil.example", "plain", ""])
      assert.strictEqual(yield* came(world, "plain", iss), "invalid_state", iss)
    assert.lengthOf(world.requests, 0)
    for (const iss of ["https://plain.example", "https://plain.example/another"])
      assert.strictEqual(yield* came(world, "plain", iss), "ok", iss)
  })

  rule("without an issuer in the configuration, the issuer of another provider is refused", function* (world) {
    assert.strictEqual(yield* came(world, "plain", "https://plain.example/tenant"), "invalid_state")
    assert.lengthOf(world.requests, 0)
  })

  rule("without an issuer in the configuration, that of the same provider under another id is accepted", function* (world) {
    assert.strictEqual(yield* came(world, "again", acme), "ok")
  })

  rule("two values of iss are invalid_request, and the flow can continue", function* (world) {
    const their = browser()
    const { url } = yield* their.body(world.signInSocial, { provider: "acme" })
    const back = world.visit(url, { uid: "1" })
    assert.strictEqual(yield* their.code(world.oauthCallback, { ...back, iss: [acme, "https://evil.example"] }), "invalid_request")
    yield* their.body(world.oauthCallback, { ...back, iss: acme })
  })
})

describe("a missing iss", () => {
  rule("is refused where the provider's metadata declares it", function* (world) {
    metadata(world, promising)
    assert.strictEqual(yield* came(world, "acme"), "invalid_state")
    assert.deepStrictEqual(
      world.requests.map(({ method, url }) => `${method} ${url}`),
      ["GET https://acme.example/.well-known/openid-configuration"],
    )
    assert.strictEqual(yield* came(world, "acme", acme), "ok")
  })

  rule("is accepted where the metadata does not declare it or is missing", function* (world) {
    const silent = [
      () => Response.json({ issuer: acme }),
      () => Response.json({ issuer: acme, authorization_response_iss_parameter_supported: false }),
      () => Response.json({ issuer: acme, authorization_response_iss_parameter_supported: "true" }),
      () => new Response("", { status: 404 }),
      () => new Response("", { status: 410 }),
    ]
    for (const answer of silent) {
      metadata(world, answer)
      assert.strictEqual(yield* came(world, "acme"), "ok")
      yield* TestClock.adjust("1 hour")
    }
  })

  rule("fails the sign-in where the metadata cannot be read, since it could declare one", function* (world) {
    const unreadable = [
      () => new Response("", { status: 500 }),
      () => new Response("", { status: 403 }),
      () => new Response("", { status: 302, headers: { location: "https://evil.example" } }),
      () => new Response("<html>"),
      () => Response.json({}),
      () => promising("https://evil.example"),
    ]
    for (const answer of unreadable) {
      metadata(world, answer)
      assert.strictEqual(yield* came(world, "acme"), "oauth_token_error")
    }
    assert.isTrue(world.requests.every(({ url }) => url.endsWith("/.well-known/openid-configuration")))
    metadata(world, promising)
    assert.strictEqual(yield* came(world, "acme"), "invalid_state")
  })

  rule("is looked up at most once an hour for each provider", function* (world) {
    const lookups = () => world.requests.filter(({ url }) => url.includes("/.well-known/"))
    metadata(world, () => Response.json({ issuer: acme }))
    assert.strictEqual(yield* came(world, "acme"), "ok")
    yield* TestClock.adjust("3599 seconds")
    assert.strictEqual(yield* came(world, "acme"), "ok")
    assert.lengthOf(lookups(), 1)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* came(world, "acme"), "ok")
    assert.lengthOf(lookups(), 2)
  })

  rule("is not looked up without an issuer in the configuration", function* (world) {
    metadata(world, promising)
    assert.strictEqual(yield* came(world, "plain"), "ok")
    assert.isFalse(world.requests.some(({ url }) => url.includes("/.well-known/")))
  })

  rule("is looked up below an issuer that ends with a slash", function* (world) {
    metadata(world, () => promising("https://slashed.example/"))
    assert.strictEqual(yield* came(world, "slashed"), "invalid_state")
    assert.strictEqual(world.requests[0]?.url, "https://slashed.example/.well-known/openid-configuration")
  })
})
