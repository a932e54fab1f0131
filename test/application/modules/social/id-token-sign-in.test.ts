import { createHash } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Jose from "jose"
import { IdTokenNonces } from "../../../../application/modules/social/id-token-sign-in.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { atOnce, browser, rows, times } from "../../../world.ts"
import { issuer, newKey, rule as ruleOf, type World } from "./openid.ts"

type Json = Record<string, unknown>

const other = await newKey("first")
const settings = { app_client_ids: ["our app", "our tablet"], id_token_algorithms: ["RS256", "HS256"] }
const rule = (name: string, shown: Parameters<typeof ruleOf>[1], more: Json = settings) => ruleOf(name, shown, more)

const nonceOf = ({ auth, signInIdTokenNonce }: World) => Effect.map(browser(auth).body(signInIdTokenNonce), ({ nonce }) => nonce)

/** A token as the provider gives it to the app. */
const tokenFor = ({ op }: World, claims: Json) =>
  Effect.promise(() => op.sign({ iss: issuer, sub: "ada", aud: "our app", exp: 600, iat: 0, ...claims }, op.key))

const outcome = Effect.fnUntraced(function* (world: World, input: Json) {
  const call = browser(world.auth).call(world.signInIdToken, { provider: "op", ...input })
  return yield* Effect.match(call, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
})

/** The outcome of a sign-in with a token with these claims and a new nonce. */
const signedIn = Effect.fnUntraced(function* (world: World, claims: Json = {}, input: Json = {}) {
  const nonce = yield* nonceOf(world)
  return yield* outcome(world, { nonce, id_token: yield* tokenFor(world, { nonce, ...claims }), ...input })
})

describe("an app's ID token", () => {
  rule("signs in its user, without a request for tokens or a profile", function* (world) {
    const nonce = yield* nonceOf(world)
    const id_token = yield* tokenFor(world, { nonce, email: "ada@example.com", email_verified: true, name: "Ada" })
    const { body, session } = yield* browser(world.auth).call(world.signInIdToken, { provider: "op", id_token, nonce, name: "Not Ada" })
    assert.isObject(session)
    assert.deepInclude("user" in body ? body.user : {}, { email: "ada@example.com", email_verified: true, name: "Ada" })
    assert.deepStrictEqual(world.paths(), ["/.well-known/openid-configuration", "/jwks"])
    assert.deepInclude((yield* rows(Accounts))[0], { provider_id: "op", account_id: "ada" })
    assert.lengthOf(yield* rows(IdTokenNonces), 0)
  })

  rule("belongs to the user who signs in with the browser, too", function* (world) {
    assert.strictEqual(yield* signedIn(world), "ok")
    const their = browser(world.auth)
    const { url } = yield* their.body(world.signInSocial, { provider: "op" })
    yield* their.body(world.oauthCallback, world.visit(url))
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("may be for any of the apps, and may carry the SHA-256 of the nonce, as on iOS", function* (world) {
    assert.strictEqual(yield* signedIn(world, { aud: "our tablet" }), "ok")
    const nonce = yield* nonceOf(world)
    const hashed = createHash("sha256").update(nonce).digest("hex")
    assert.strictEqual(yield* outcome(world, { nonce, id_token: yield* tokenFor(world, { nonce: hashed }) }), "ok")
  })

  rule("has no name if the app got it outside of the token", function* (world) {
    assert.strictEqual(yield* signedIn(world, {}, { name: "Ada Lovelace" }), "ok")
    assert.strictEqual((yield* rows(Users))[0]?.name, "Ada Lovelace")
  })

  rule("matches no user by an address that is not verified", function* (world) {
    for (const claim of [{}, { email_verified: false }, { email_verified: "true" }]) {
      assert.strictEqual(yield* signedIn(world, { email: "ada@example.com", ...claim }), "ok")
    }
    assert.deepStrictEqual(
      (yield* rows(Users)).map(({ email }) => email),
      ["op:ada"],
    )
  })

  const refused: ReadonlyArray<readonly [string, Json]> = [
    ["for the web client", { aud: "our client" }],
    ["for another app", { aud: "another app" }],
    ["of another issuer", { iss: "https://evil.example" }],
    ["with another nonce", { nonce: "another" }],
    ["without a nonce", { nonce: undefined }],
    ["that has expired", { exp: -30 }],
    ["of the future", { iat: 31 }],
    ["without a subject", { sub: undefined }],
  ]
  for (const [what, claims] of refused) {
    rule(`${what} is refused`, function* (world) {
      assert.strictEqual(yield* signedIn(world, claims), "invalid_token")
      assert.lengthOf(yield* rows(Sessions), 0)
    })
  }

  rule("that another key, the client's secret or no key signed is refused", function* (world) {
    const signs: ReadonlyArray<World["op"]["sign"]> = [
      (claims) => new Jose.SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "first" }).sign(other.privateKey),
      (claims) =>
        new Jose.SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode("hunter2&= and thirty-two bytes long")),
      async (claims) => new Jose.UnsecuredJWT(claims).encode(),
      async () => "not a token",
    ]
    for (const sign of signs) {
      world.op.sign = sign
      assert.strictEqual(yield* signedIn(world), "invalid_token")
    }
  })

  rule("is not accepted for a provider without apps, or an unknown one", function* (world) {
    for (const provider of ["other", ""]) assert.strictEqual(yield* signedIn(world, {}, { provider }), "unknown_provider")
  })

  rule("is no fault of the caller while the provider's keys cannot be read", function* (world) {
    delete world.op.metadata["jwks_uri"]
    assert.strictEqual(yield* signedIn(world), "oauth_token_error")
  })

  rule("of more than 64 KiB is invalid_request", function* (world) {
    assert.strictEqual(yield* signedIn(world, {}, { id_token: "x".repeat(65_537) }), "invalid_request")
  })
})

describe("the nonce", () => {
  rule("is valid once, whatever the result", function* (world) {
    const nonce = yield* nonceOf(world)
    const id_token = yield* tokenFor(world, { nonce })
    assert.strictEqual(yield* outcome(world, { nonce, id_token: "wrong" }), "invalid_token")
    assert.strictEqual(yield* outcome(world, { nonce, id_token }), "invalid_nonce")
  })

  rule("is valid for ten minutes", function* (world) {
    const [one, two] = [yield* nonceOf(world), yield* nonceOf(world)]
    yield* TestClock.adjust("599 seconds")
    assert.strictEqual(yield* outcome(world, { nonce: one, id_token: yield* tokenFor(world, { nonce: one, exp: 9999 }) }), "ok")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* outcome(world, { nonce: two, id_token: yield* tokenFor(world, { nonce: two, exp: 9999 }) }), "invalid_nonce")
  })

  rule("must come from here", function* (world) {
    for (const nonce of ["", "mine", "x".repeat(43)])
      assert.strictEqual(yield* outcome(world, { nonce, id_token: yield* tokenFor(world, { nonce }) }), "invalid_nonce")
  })

  rule("signs in once of twenty requests at once", function* (world) {
    const nonce = yield* nonceOf(world)
    const id_token = yield* tokenFor(world, { nonce })
    const calls = times(20, () => browser(world.auth).call(world.signInIdToken, { provider: "op", nonce, id_token }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_nonce: 19 })
    assert.lengthOf(yield* rows(Sessions), 1)
  })
})

describe("without app_client_ids", () => {
  rule(
    "the endpoints do not exist",
    function* ({ auth }) {
      assert.notProperty(auth.endpoints, "signInIdToken")
      assert.notProperty(auth.endpoints, "signInIdTokenNonce")
      yield* Effect.void
    },
    {},
  )
})
