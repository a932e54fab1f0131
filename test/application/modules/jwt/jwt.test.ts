import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import {
  CompactSign,
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWK,
  jwtVerify,
  SignJWT,
} from "jose"
import { jwt } from "../../../../application/modules/jwt/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Endpoint from "../../../../application/service/endpoint.ts"
import { Store } from "../../../../domain/ports/store.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import {
  at,
  atOnce,
  browser,
  core,
  endpoints,
  mailedToken,
  secret,
  signedUp,
  times,
  type WorldServices,
  withSettings,
  world,
} from "../../../world.ts"

const email = "ada@example.com"
const issuer = "http://localhost:3000/api/auth"
const newer = "a newer secret, also long enough to be one"

const algorithms = ["HS256", "EdDSA"] as const
type Algorithm = (typeof algorithms)[number]

const built = (
  algorithm: Algorithm,
  settings: { readonly expires_in?: number; readonly issuer?: string; readonly audience?: string } = {},
) => jwt.build({ algorithm, expires_in: 900, ...settings })
const modules = { HS256: built("HS256"), EdDSA: built("EdDSA") }
const { endpoints: hs256 } = modules.HS256
const { endpoints: eddsa } = modules.EdDSA
const of = { HS256: hs256, EdDSA: eddsa }
const jwks = "jwks" in eddsa ? eddsa.jwks : assert.fail("EdDSA has no key set")

const rule = (name: string, shown: () => Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>) =>
  it.effect(name, () => Effect.gen(shown).pipe(Effect.provide(world())))

const seconds = (count: number) => TestClock.adjust(count * 1000)

/** A service with each algorithm; calls go to the one that has the endpoint. */
const services = Object.values(modules).map((module) => AuthOf.make([...core, module]))
const either: AuthOf.Auth<any> = {
  ...services[0]!,
  call: (endpoint, raw) => services[Object.values<unknown>(eddsa).includes(endpoint) ? 1 : 0]!.call(endpoint, raw),
}
const anonymous = browser(either)
const ada = signedUp(email, either)

/** The code with which a token is refused; `ok` if it is accepted. */
const judged = (algorithm: Algorithm, token: unknown) =>
  Effect.match(anonymous.call(of[algorithm].tokenVerify, { token }), { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })

/** The service restarted with these secrets. */
const under = (...secrets: ReadonlyArray<string>) => Effect.provide(Layer.orDie(Keys.layer(secrets.map((text) => Redacted.make(text)))))

// Keys derived independently from the same secret.

const derived = (label: string, from = secret) => new Uint8Array(hkdfSync("sha256", from, "", `sallyport/${label}`, 32))
const privateKey = (seed: Uint8Array) =>
  createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${Buffer.from(seed).toString("hex")}`, "hex"),
    format: "der",
    type: "pkcs8",
  })
const josesKey: Readonly<Record<Algorithm, Uint8Array | KeyObject>> = {
  HS256: derived("mac/jwt"),
  EdDSA: privateKey(derived("ed25519/jwt")),
}

const publishedKeys = anonymous.body(jwks)
const claimed = { sub: "a user", email, email_verified: false, iss: issuer, aud: issuer, iat: 0, exp: 900 }

/** A token that jose signs with the service's key. */
const josesToken = Effect.fnUntraced(function* (algorithm: Algorithm, claims: object = claimed, header: object = {}) {
  const kid = algorithm === "EdDSA" ? { kid: (yield* publishedKeys).keys[0]?.kid ?? "" } : {}
  const token = new SignJWT({ ...claims }).setProtectedHeader({ alg: algorithm, ...kid, ...header })
  return yield* Effect.promise(() => token.sign(josesKey[algorithm]))
})

describe.each(algorithms)("a token, %s", (algorithm) => {
  const { token, tokenVerify } = of[algorithm]

  rule("requires a session", function* () {
    assert.strictEqual(yield* anonymous.code(token), "unauthorized")
  })

  rule("identifies the user, and any caller can verify it", function* () {
    const { user, body } = yield* ada
    yield* TestClock.adjust(12_345)
    const given = yield* body(token)
    assert.strictEqual(given.expires_in, 900)
    const claims = { sub: user.id, email, email_verified: false, iss: issuer, aud: issuer, iat: 12, exp: 912 }
    assert.deepStrictEqual(decodeJwt(given.token), claims)
    assert.deepStrictEqual(yield* anonymous.body(tokenVerify, { token: given.token }), { valid: true, user_id: user.id, claims })
  })

  rule("expires expires_in after it was issued", function* () {
    const { body } = yield* ada
    yield* TestClock.adjust(999)
    const { token: made } = yield* body(token)
    yield* TestClock.adjust(1)
    yield* seconds(898)
    assert.strictEqual(yield* judged(algorithm, made), "ok")
    yield* TestClock.adjust(999)
    assert.strictEqual(yield* judged(algorithm, made), "ok")
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* judged(algorithm, made), "invalid_token")
    assert.strictEqual(yield* judged(algorithm, (yield* body(token)).token), "ok")
  })

  rule("lives for the configured lifetime", function* () {
    const brief = built(algorithm, { expires_in: 1 })
    const given = yield* at(yield* ada, brief).body(brief.endpoints.token)
    assert.strictEqual(given.expires_in, 1)
    yield* TestClock.adjust(999)
    assert.strictEqual(yield* judged(algorithm, given.token), "ok")
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* judged(algorithm, given.token), "invalid_token")
  })

  rule("is valid for its issuer only", function* () {
    const other = built(algorithm, { issuer: "https://id.example.com" })
    const { body, jar } = yield* ada
    const elsewhere = at({ jar }, other)
    const [ours, theirs] = [(yield* body(token)).token, (yield* elsewhere.body(other.endpoints.token)).token]
    assert.strictEqual(decodeJwt(theirs).iss, "https://id.example.com")
    assert.strictEqual((yield* elsewhere.body(other.endpoints.tokenVerify, { token: theirs })).claims.iss, "https://id.example.com")
    assert.strictEqual(yield* judged(algorithm, theirs), "invalid_token")
    assert.strictEqual(yield* elsewhere.code(other.endpoints.tokenVerify, { token: ours }), "invalid_token")

    const moved = withSettings({ public_url: "https://app.example.com", base_path: "" })
    assert.strictEqual(decodeJwt((yield* moved(body(token))).token).iss, "https://app.example.com")
    assert.strictEqual(yield* moved(judged(algorithm, ours)), "invalid_token")
  })

  rule("says in email_verified whether the address is verified", function* () {
    const { body } = yield* ada
    assert.strictEqual(decodeJwt((yield* body(token)).token)["email_verified"], false)
    yield* anonymous.body(endpoints.sendVerificationEmail, { email })
    yield* anonymous.body(endpoints.verifyEmail, { token: yield* mailedToken })
    assert.strictEqual(decodeJwt((yield* body(token)).token)["email_verified"], true)
  })

  rule("of another service is refused: aud must name this audience", function* () {
    const other = built(algorithm, { audience: "https://api.example.com" })
    const { body, jar } = yield* ada
    const elsewhere = at({ jar }, other)
    const [ours, theirs] = [(yield* body(token)).token, (yield* elsewhere.body(other.endpoints.token)).token]
    const { iss, aud } = decodeJwt(theirs)
    assert.deepStrictEqual([iss, aud], [issuer, "https://api.example.com"])
    assert.strictEqual((yield* elsewhere.body(other.endpoints.tokenVerify, { token: theirs })).claims.aud, "https://api.example.com")
    assert.strictEqual(yield* judged(algorithm, theirs), "invalid_token")
    assert.strictEqual(yield* elsewhere.code(other.endpoints.tokenVerify, { token: ours }), "invalid_token")

    const withAudience = (aud: unknown) => Effect.flatMap(josesToken(algorithm, { ...claimed, aud }), (made) => judged(algorithm, made))
    for (const aud of [issuer, [issuer], ["https://api.example.com", issuer]]) assert.strictEqual(yield* withAudience(aud), "ok")
    for (const aud of [`${issuer}/`, "", [], ["https://api.example.com"], [[issuer]], undefined, null])
      assert.strictEqual(yield* withAudience(aud), "invalid_token", JSON.stringify(aud))
  })

  rule("is valid while its secret is listed, and no longer", function* () {
    const { token: old } = yield* (yield* ada).body(token)
    assert.strictEqual(yield* under(newer)(judged(algorithm, old)), "invalid_token")
    assert.strictEqual(yield* under(newer, secret)(judged(algorithm, old)), "ok")

    const fresh = yield* under(newer, secret)(Effect.flatMap(signedUp("bob@example.com", either), ({ body }) => body(token)))
    assert.strictEqual(yield* judged(algorithm, fresh.token), "invalid_token")
    assert.strictEqual(yield* under(newer)(judged(algorithm, fresh.token)), "ok")
    assert.strictEqual(yield* under(secret, newer)(judged(algorithm, fresh.token)), "ok")
  })

  rule("of the other algorithm, or signed with a key of another purpose, is refused", function* () {
    const { body, jar } = yield* ada
    for (const other of algorithms.filter((name) => name !== algorithm)) {
      assert.strictEqual(yield* judged(algorithm, (yield* body(of[other].token)).token), "invalid_token")
    }
    assert.strictEqual(yield* judged(algorithm, jar.credential), "invalid_token")
    for (const purpose of ["id_token", "session", "JWT", "jwt/", "mac/jwt", ""]) {
      const keys = yield* Keys.Keys
      for (const key of [(yield* keys.macKeys(purpose))[0], (yield* keys.signingKeys(purpose))[0]]) {
        assert.strictEqual(yield* judged(algorithm, yield* Jwt.sign(key, claimed, "JWT")), "invalid_token", purpose)
      }
    }
  })

  rule("is refused after any change", function* () {
    const { token: made } = yield* (yield* ada).body(token)
    for (let at = 0; at < made.length; at++) {
      const other = made.slice(0, at) + (made[at] === "A" ? "B" : "A") + made.slice(at + 1)
      assert.strictEqual(yield* judged(algorithm, other), "invalid_token", `${at}`)
    }
    const [header, payload] = made.split(".")
    for (const bad of [
      `${made}=`,
      `${made}A`,
      ` ${made}`,
      `${made}\n`,
      `Bearer ${made}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
    ]) {
      assert.strictEqual(yield* judged(algorithm, bad), "invalid_token", bad)
    }
  })

  rule("/token/verify accepts nothing else and answers 401", function* () {
    const bad = [undefined, null, 1, true, {}, [], "", " ", ".", "..", "a.b.c", "null", "\0", "🔑.🔑.🔑", "e30.e30.", ".".repeat(1_000_000)]
    for (const value of bad) assert.strictEqual(yield* judged(algorithm, value), "invalid_token")
    assert.strictEqual(yield* anonymous.code(tokenVerify, {}), "invalid_token")
    const refusal = yield* Effect.flip(anonymous.call(tokenVerify, {}))
    assert.strictEqual(Endpoint.statusOf(tokenVerify, refusal), 401)
  })

  rule("is verified without the store, also after its session has ended", function* () {
    const { body, call } = yield* ada
    const { token: made } = yield* body(token)
    const noStore = new Proxy({} as Store["Service"], { get: () => assert.fail("the store was asked") })
    assert.strictEqual(yield* Effect.provideService(judged(algorithm, made), Store, noStore), "ok")
    yield* call(endpoints.signOut)
    assert.strictEqual(yield* judged(algorithm, made), "ok")
    assert.strictEqual(yield* anonymous.code(token), "unauthorized")
  })

  rule("can be issued and verified concurrently", function* () {
    const { body } = yield* ada
    const made = yield* Effect.all(
      times(20, () => body(token)),
      { concurrency: "unbounded" },
    )
    assert.deepStrictEqual(yield* atOnce(made.map((given) => anonymous.call(tokenVerify, { token: given.token }))), { ok: 20 })
  })

  rule("is accepted from another implementation with the key: jose", function* () {
    assert.strictEqual(yield* judged(algorithm, yield* josesToken(algorithm)), "ok")
    const extra = { ...claimed, name: "Ada", nested: { sub: "b" } }
    const { claims } = yield* anonymous.body(tokenVerify, { token: yield* josesToken(algorithm, extra) })
    assert.deepStrictEqual(claims, claimed)
    const elsewhere = { jku: "https://attacker.example/keys", x5u: "https://attacker.example/chain" }
    assert.strictEqual(yield* judged(algorithm, yield* josesToken(algorithm, claimed, elsewhere)), "ok")
  })

  rule("has one JSON object as its payload, with each claim once", function* () {
    const keys = yield* Keys.Keys
    const [{ alg, kid, privateKey }] = yield* algorithm === "EdDSA" ? keys.signingKeys("jwt") : keys.macKeys("jwt")
    const header = { alg, ...(kid === undefined ? {} : { kid }) }
    const signed = (payload: string | Buffer) =>
      Effect.promise(() => new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(privateKey as JWK))
    const json = JSON.stringify(claimed)
    assert.strictEqual(yield* judged(algorithm, yield* signed(json)), "ok")
    const bad = ["", "null", `[${json}]`, JSON.stringify(json), `${json}${json}`, `\ufeff${json}`, `{"sub":"b",${json.slice(1)}`]
    for (const payload of bad) assert.strictEqual(yield* judged(algorithm, yield* signed(payload)), "invalid_token", payload)
    const latin1 = Buffer.from(json.replace("a user", "\u00e9"), "latin1")
    assert.strictEqual(yield* judged(algorithm, yield* signed(latin1)), "invalid_token")
  })

  rule("requires every claim, each with its type", function* () {
    const bad: ReadonlyArray<object> = [
      {},
      ...Object.entries(claimed).flatMap(([name, value]) => [
        Object.fromEntries(Object.entries(claimed).filter(([other]) => other !== name)),
        ...[null, value === false ? "false" : true, {}, [value, 0.5], 0.5].map((other) => ({ ...claimed, [name]: other })),
      ]),
      ...["900", "", 900.5, 1e300, Number.MAX_SAFE_INTEGER + 1, 0].map((exp) => ({ ...claimed, exp })),
      ...[`${issuer}/`, issuer.toUpperCase(), `${issuer} `, "", "http://localhost:3000"].map((iss) => ({ ...claimed, iss })),
    ]
    for (const claims of bad) {
      assert.strictEqual(yield* judged(algorithm, yield* josesToken(algorithm, claims)), "invalid_token", JSON.stringify(claims))
    }
  })
})

describe("HS256", () => {
  rule("publishes no keys, and has no kid", function* () {
    assert.notProperty(hs256, "jwks")
    const { token } = yield* (yield* ada).body(hs256.token)
    assert.deepStrictEqual(decodeProtectedHeader(token), { alg: "HS256", typ: "JWT" })
    const { payload } = yield* Effect.promise(() => jwtVerify(token, derived("mac/jwt"), { currentDate: new Date(0), issuer }))
    assert.strictEqual(payload["email"], email)
  })

  rule("is the default", function* () {
    const decode = Schema.decodeUnknownEffect(jwt.settings)
    assert.deepStrictEqual(yield* decode({}), { algorithm: "HS256", expires_in: 900 })
    for (const algorithm of algorithms) assert.strictEqual((yield* decode({ algorithm })).algorithm, algorithm)
    const bad = [
      { algorithm: "none" },
      { algorithm: "hs256" },
      { algorithm: "RS256" },
      { expires_in: 0 },
      { expires_in: 1.5 },
      { issuer: "" },
      { audience: "" },
      { audience: ["https://api.example.com"] },
    ]
    for (const settings of bad) assert.strictEqual((yield* Effect.flip(decode(settings)))._tag, "SchemaError")
  })

  rule("is refused when signed with a published key", function* () {
    const [key] = (yield* publishedKeys).keys
    const published = Buffer.from(key?.x ?? "", "base64url")
    for (const bytes of [published, Buffer.from(key?.x ?? ""), Buffer.from(JSON.stringify(key)), Buffer.from(secret)]) {
      const forged = yield* Effect.promise(() => new SignJWT(claimed).setProtectedHeader({ alg: "HS256", kid: key?.kid ?? "" }).sign(bytes))
      for (const algorithm of algorithms) assert.strictEqual(yield* judged(algorithm, forged), "invalid_token")
    }
  })
})

describe("EdDSA", () => {
  rule("publishes keys with which jose verifies every token", function* () {
    const { body } = yield* ada
    const published = yield* publishedKeys
    const set = createLocalJWKSet({ keys: [...published.keys] })
    const { token } = yield* body(eddsa.token)
    const verified = yield* Effect.promise(() => jwtVerify(token, set, { currentDate: new Date(899_000), issuer, algorithms: ["EdDSA"] }))
    assert.strictEqual(verified.payload["email"], email)
    assert.deepStrictEqual(verified.protectedHeader, { alg: "EdDSA", typ: "JWT", kid: published.keys[0]?.kid ?? "" })
  })

  rule("publishes public keys only, identified by thumbprint, the same for every caller", function* () {
    const { keys } = yield* publishedKeys
    assert.lengthOf(keys, 1)
    const { x = "", kid = "", ...rest } = keys[0] ?? {}
    assert.deepStrictEqual(rest, { kty: "OKP", crv: "Ed25519", use: "sig", alg: "EdDSA" })
    assert.strictEqual(kid, yield* Effect.promise(() => calculateJwkThumbprint({ kty: "OKP", crv: "Ed25519", x })))
    assert.deepStrictEqual(yield* (yield* ada).body(jwks), { keys })
  })

  rule("publishes the key of every listed secret, the newest first", function* () {
    const { body } = yield* ada
    const old = yield* body(eddsa.token)
    const [before, after] = [yield* publishedKeys, yield* under(newer)(publishedKeys)]
    const { keys } = yield* under(newer, secret)(publishedKeys)
    assert.deepStrictEqual(keys, [...after.keys, ...before.keys])
    const set = createLocalJWKSet({ keys: [...keys] })
    const verified = yield* Effect.promise(() => jwtVerify(old.token, set, { currentDate: new Date(0) }))
    assert.strictEqual(verified.protectedHeader.kid, before.keys[0]?.kid)
  })

  rule("publishes no key of another purpose", function* () {
    const [own, other] = [yield* publishedKeys, yield* (yield* Keys.Keys).signingKeys("id_token")]
    assert.notDeepInclude(own.keys, other[0].publicKey)
  })

  rule("finds a key by its kid alone: a missing or unknown kid and a key in the token are refused", function* () {
    const attacker = privateKey(new Uint8Array(32).fill(1))
    const { kty = "", crv = "", x = "" } = createPublicKey(attacker).export({ format: "jwk" })
    const jwk = { kty, crv, x }
    const [{ kid = "" } = {}] = (yield* publishedKeys).keys
    for (const header of [{ kid: "" }, { kid: "another" }, { kid: `${kid} ` }, { kid: kid.toLowerCase() }, { kid: undefined }]) {
      assert.strictEqual(yield* judged("EdDSA", yield* josesToken("EdDSA", claimed, header)), "invalid_token", JSON.stringify(header))
    }
    for (const header of [{ kid, jwk }, { jwk }, { kid, jku: "data:," }]) {
      const token = new SignJWT(claimed).setProtectedHeader({ alg: "EdDSA", ...header })
      assert.strictEqual(yield* judged("EdDSA", yield* Effect.promise(() => token.sign(attacker))), "invalid_token")
    }
    const [{ kid: newest = "" } = {}] = (yield* under(newer)(publishedKeys)).keys
    const misnamed = yield* josesToken("EdDSA", claimed, { kid: newest })
    assert.strictEqual(yield* under(newer, secret)(judged("EdDSA", misnamed)), "invalid_token")
  })
})
