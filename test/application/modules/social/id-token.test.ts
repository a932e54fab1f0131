import { createHash } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Jose from "jose"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rows } from "../../../world.ts"
import { issuer, newKey, outcome, rule, type World } from "./openid.ts"

const utf8 = new TextEncoder()
const other = await newKey("first")
const second = await newKey("second")
const unnamed = await newKey(undefined)
const elliptic = await newKey("elliptic", "ES256")
const edwards = await newKey("edwards", "EdDSA")

/** Signs in, and asserts that the ID token was refused before the profile was requested. */
const refused = Effect.fnUntraced(function* (world: World) {
  assert.strictEqual(yield* outcome(world), "oauth_token_error")
  assert.notInclude(world.paths(), "/userinfo")
  assert.lengthOf(yield* rows(Users), 0)
})

describe("a provider whose ID tokens are valid", () => {
  rule("signs in, after one look at its metadata and its keys", function* (world) {
    world.op.userinfo = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" }
    assert.strictEqual(yield* outcome(world), "ok")
    assert.deepStrictEqual(world.paths(), ["/.well-known/openid-configuration", "/token", "/jwks", "/userinfo"])
    assert.strictEqual(yield* outcome(world), "ok")
    assert.deepStrictEqual(world.paths().slice(4), ["/token", "/userinfo"])
    const [user] = yield* rows(Users)
    assert.deepInclude(user, { email: "ada@example.com", email_verified: true, name: "Ada" })
  })

  for (const key of [elliptic, edwards]) {
    rule(`may sign with ${key.alg}`, function* (world) {
      Object.assign(world.op, { key, keys: [key.jwk] })
      assert.strictEqual(yield* outcome(world), "ok")
    })
  }

  rule("need not name its keys, be it one or several", function* (world) {
    Object.assign(world.op, { key: unnamed, keys: [unnamed.jwk] })
    assert.strictEqual(yield* outcome(world), "ok")
    const { kid: _, ...anonymous } = second.jwk
    Object.assign(world.op, { keys: [anonymous, unnamed.jwk] })
    yield* TestClock.adjust("1 hour")
    world.op.claims = (claims) => ({ ...claims, exp: 4200, iat: 3600 })
    assert.strictEqual(yield* outcome(world), "ok")
  })

  rule("may have an at_hash, several audiences with azp, and clocks that differ by less than 30 s", function* (world) {
    const { sign } = world.op
    const access_token = "the-access-token"
    const at_hash = createHash("sha256").update(access_token).digest().subarray(0, 16).toString("base64url")
    world.op.token = (answer) => ({ ...answer, access_token })
    world.op.sign = (claims, key) => sign({ ...claims, at_hash, aud: ["our client", "another"], azp: "our client" }, key)
    yield* TestClock.adjust("100 seconds")
    for (const times of [
      { exp: 71, iat: 0 },
      { exp: 600, iat: 130, nbf: 130 },
    ]) {
      world.op.claims = (claims) => ({ ...claims, ...times })
      assert.strictEqual(yield* outcome(world), "ok", JSON.stringify(times))
    }
  })
})

describe("an ID token is refused before the profile is requested", () => {
  const changes: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ["with another nonce", { nonce: "another" }],
    ["without a nonce", { nonce: undefined }],
    ["without iat", { iat: undefined }],
    ["without exp", { exp: undefined }],
    ["without aud", { aud: undefined }],
    ["for another client", { aud: "another" }],
    ["for several clients without azp", { aud: ["our client", "another"] }],
    ["with the azp of another client", { azp: "another" }],
    ["without sub", { sub: undefined }],
    ["with an empty sub", { sub: "" }],
    ["of another issuer", { iss: "https://evil.example" }],
    ["of almost the same issuer", { iss: `${issuer}/` }],
    ["with the at_hash of another access token", { at_hash: "x".repeat(22) }],
    ["that expired 30 s ago", { exp: 70 }],
    ["that was issued 31 s in the future", { iat: 131 }],
    ["that becomes valid in 31 s", { nbf: 131 }],
    ["with a time that is a text", { exp: "600" }],
  ]
  for (const [what, change] of changes) {
    rule(what, function* (world) {
      yield* TestClock.adjust("100 seconds")
      world.op.claims = (claims) => ({ ...claims, ...change })
      yield* refused(world)
    })
  }

  const signatures: ReadonlyArray<readonly [string, World["op"]["sign"]]> = [
    ["by another key of the same name", (claims) => signedBy(other, claims)],
    ["by an unknown key", (claims) => signedBy(second, claims)],
    ["with no key (alg none)", async (claims) => new Jose.UnsecuredJWT(claims).encode()],
    [
      "with the client's secret (HS256)",
      (claims) => new Jose.SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(utf8.encode("hunter2&= and thirty-two bytes long")),
    ],
    [
      "with the public key as a secret",
      (claims) => new Jose.SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(utf8.encode(issuer.repeat(9))),
    ],
    ["by another algorithm's key (ES256)", (claims) => signedBy(elliptic, claims)],
    [
      "by a key inside its header",
      (claims) => new Jose.SignJWT(claims).setProtectedHeader({ alg: "RS256", jwk: other.jwk as Jose.JWK }).sign(other.privateKey),
    ],
    [
      "with a critical extension",
      (claims, { alg, privateKey }) =>
        new Jose.SignJWT(claims).setProtectedHeader({ alg, crit: ["exp"], exp: 600 }).sign(privateKey, { crit: { exp: true } }),
    ],
  ]
  for (const [what, sign] of signatures) {
    rule(`signed ${what}`, function* (world) {
      world.op.sign = sign
      yield* refused(world)
    })
  }

  rule("that is missing, or no JWT", function* (world) {
    for (const id_token of [undefined, null, 5, "", "a.b", "a.b.c", "x".repeat(70_000)]) {
      world.op.token = (answer) => ({ ...answer, id_token })
      yield* refused(world)
    }
  })
})

const signedBy = ({ alg, kid, privateKey }: World["op"]["key"], claims: Jose.JWTPayload) =>
  new Jose.SignJWT(claims).setProtectedHeader({ alg, kid: kid ?? "" }).sign(privateKey)

describe("the userinfo profile in addition to an ID token", () => {
  rule("must be of the same user", function* (world) {
    for (const sub of ["eve", undefined, null, ["ada"]]) {
      world.op.userinfo = { sub, email: "eve@example.com" }
      assert.strictEqual(yield* outcome(world), "oauth_userinfo_error", String(sub))
    }
    assert.lengthOf(yield* rows(Users), 0)
  })

  rule("does not lend its verified flag to the address of the token", function* (world) {
    world.op.claims = (claims) => ({ ...claims, email: "victim@example.com" })
    world.op.userinfo = { sub: "ada", email: "ada@example.com", email_verified: true }
    assert.strictEqual(yield* outcome(world), "ok")
    assert.deepInclude((yield* rows(Users))[0], { email: "op:ada", email_verified: false })
  })

  rule("may say that the address of the token is verified", function* (world) {
    world.op.claims = (claims) => ({ ...claims, email: "ada@example.com" })
    world.op.userinfo = { sub: "ada", email: "ada@example.com", email_verified: true }
    assert.strictEqual(yield* outcome(world), "ok")
    assert.deepInclude((yield* rows(Users))[0], { email: "ada@example.com", email_verified: true })
  })

  rule("has aggregated and distributed claims, which are not followed", function* (world) {
    world.op.userinfo = {
      sub: "ada",
      _claim_names: { age: "a", email: "b" },
      _claim_sources: { a: { endpoint: "https://10.0.0.1/claims", access_token: "x" }, b: { JWT: "e30.e30." } },
    }
    assert.strictEqual(yield* outcome(world), "ok")
    assert.strictEqual(world.requests.filter(({ url }) => !url.startsWith(issuer)).length, 0)
  })

  rule("is read from the token where the provider has no userinfo endpoint", function* (world) {
    delete world.op.metadata["userinfo_endpoint"]
    world.op.claims = (claims) => ({ ...claims, email: "ada@example.com", email_verified: true })
    assert.strictEqual(yield* outcome(world), "ok")
    assert.notInclude(world.paths(), "/userinfo")
    assert.deepInclude((yield* rows(Accounts))[0], { provider_id: "op", account_id: "ada" })
  })
})

describe("keys", () => {
  const keyLookups = ({ paths }: World) => paths().filter((path) => path === "/jwks").length

  rule("that the provider rotates are read again, at once", function* (world) {
    assert.strictEqual(yield* outcome(world), "ok")
    Object.assign(world.op, { key: second, keys: [second.jwk, world.op.keys[0]] })
    assert.strictEqual(yield* outcome(world), "ok")
    assert.strictEqual(yield* outcome(world), "ok")
    assert.strictEqual(keyLookups(world), 2)
  })

  rule("that the provider rotates without naming them are read again", function* (world) {
    Object.assign(world.op, { key: unnamed, keys: [unnamed.jwk] })
    assert.strictEqual(yield* outcome(world), "ok")
    const next = { ...second, kid: undefined }
    const { kid: _, ...jwk } = second.jwk
    Object.assign(world.op, { key: next, keys: [jwk] })
    assert.strictEqual(yield* outcome(world), "ok")
  })

  rule("that the provider lacks are looked up at most five times a minute", function* (world) {
    assert.strictEqual(yield* outcome(world), "ok")
    world.op.sign = (claims) => signedBy({ ...other, kid: "unknown" }, claims)
    for (let times = 0; times < 8; times++) assert.strictEqual(yield* outcome(world), "oauth_token_error")
    assert.strictEqual(keyLookups(world), 1 + 5)
    yield* TestClock.adjust("59999 millis")
    yield* outcome(world)
    assert.strictEqual(keyLookups(world), 1 + 5)
    yield* TestClock.adjust("1 millis")
    yield* outcome(world)
    assert.strictEqual(keyLookups(world), 1 + 6)
  })

  rule("are used for an hour: a withdrawn key signs in no user after it", function* (world) {
    world.op.claims = (claims) => ({ ...claims, exp: 9000 })
    assert.strictEqual(yield* outcome(world), "ok")
    world.op.keys = [second.jwk]
    yield* TestClock.adjust("3599 seconds")
    assert.strictEqual(yield* outcome(world), "ok")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* outcome(world), "oauth_token_error")
  })

  rule("that are for encryption, for another algorithm or no objects are not used", function* (world) {
    const { jwk } = world.op.key
    for (const keys of [[{ ...jwk, use: "enc" }], [{ ...jwk, alg: "PS256" }], [null, 5, []], [{ kty: "oct", k: "AAAA", kid: "first" }]]) {
      Object.assign(world.op, { keys })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* outcome(world), "oauth_token_error")
    }
  })
})
