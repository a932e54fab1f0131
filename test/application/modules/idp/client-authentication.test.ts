import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { identityProvider } from "../../../../application/modules/idp/index.ts"
import { UsedAssertions } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Core from "../../../../domain/settings.ts"
import { isPrivateUse, isRedirectUri } from "../../../../domain/values/redirect-uri.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, rows, signedUp, times } from "../../../world.ts"
import { builtWith, call, issuer, pkce, requests, settingsOf, spa, web } from "./provider.ts"

const [own, second, foreign, rsa] = await Promise.all([
  generateKeyPair("EdDSA"),
  generateKeyPair("ES256"),
  generateKeyPair("EdDSA"),
  generateKeyPair("RS256"),
])
const publicOf = async ({ publicKey }: typeof own, kid: string) => ({ ...(await exportJWK(publicKey)), kid })
const jwks = { keys: [await publicOf(own, "own"), await publicOf(second, "second"), await publicOf(rsa, "rsa")] }
const secret = "a shared secret of thirty-two bytes"

const keyed = { ...web, client_id: "keyed", client_secret: "", token_endpoint_auth_method: "private_key_jwt", jwks }
const hashed = { ...web, client_id: "hashed", client_secret: secret, token_endpoint_auth_method: "client_secret_jwt" }
const posting = { ...web, client_id: "posting", token_endpoint_auth_method: "client_secret_post" }
const basic = { ...web, client_id: "basic", token_endpoint_auth_method: "client_secret_basic" }
const lenient = { ...keyed, client_id: "lenient", assertion_audience: "endpoint", require_pkce: true }
const module = builtWith({ clients: [spa, keyed, hashed, posting, basic, lenient] })
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Revoke, wellKnownOpenidConfiguration } = module.endpoints

type Signer = { readonly alg: string; readonly kid?: string; readonly key: Parameters<SignJWT["sign"]>[0] }
const byOwn: Signer = { alg: "EdDSA", kid: "own", key: own.privateKey }
const bySecret: Signer = { alg: "HS256", key: new TextEncoder().encode(secret) }

let count = 0
const claims = (client_id: string, changes: JWTPayload = {}): JWTPayload => ({
  ...{ iss: client_id, sub: client_id, aud: issuer, jti: `jti ${count++}`, iat: 0, exp: 60 },
  ...changes,
})
const signed = (payload: JWTPayload, { alg, kid, key }: Signer = byOwn, header: object = {}) =>
  Effect.promise(() => new SignJWT(payload).setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }), ...header }).sign(key))

const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
/** The outcome of a request that any authenticated client may make. */
const outcome = (credentials: object, authorization: string | null = null) =>
  Effect.match(call(oauth2Revoke, { ...credentials, token: "unknown" }, authorization, auth), {
    onSuccess: () => "ok",
    onFailure: ({ _tag }) => _tag,
  })
const asserted = (client_assertion: string, more: object = {}) => outcome({ client_assertion, client_assertion_type, ...more })
const claimed = (client_id: string, changes: JWTPayload, signer = byOwn) =>
  Effect.flatMap(signed(claims(client_id, changes), signer), (assertion) => asserted(assertion))

describe("private_key_jwt", () => {
  rule("authenticates a client by each of its keys, with and without client_id", function* () {
    for (const signer of [
      byOwn,
      { ...byOwn, kid: undefined as never },
      { alg: "ES256", kid: "second", key: second.privateKey },
      { alg: "RS256", kid: "rsa", key: rsa.privateKey },
    ]) {
      assert.strictEqual(yield* claimed("keyed", {}, signer), "ok", signer.alg)
    }
    assert.strictEqual(yield* asserted(yield* signed(claims("keyed")), { client_id: "keyed" }), "ok")
  })

  rule("refuses foreign keys, other algorithms and other methods", function* () {
    for (const signer of [
      { ...byOwn, key: foreign.privateKey },
      { ...byOwn, kid: "second" },
      { ...byOwn, kid: "unknown" },
      { alg: "ES256", kid: "own", key: second.privateKey },
      { alg: "HS256", kid: "own", key: new TextEncoder().encode(JSON.stringify(jwks.keys[0])) },
      { alg: "HS256", key: new Uint8Array(32) },
      bySecret,
    ]) {
      assert.strictEqual(yield* claimed("keyed", {}, signer), "invalid_client", JSON.stringify(signer.kid))
    }
    for (const client_id of ["hashed", "posting", "basic", "spa", "unknown"]) {
      assert.strictEqual(yield* claimed(client_id, {}), "invalid_client", client_id)
    }
    assert.strictEqual(yield* outcome({ client_id: "keyed" }), "invalid_client")
    assert.strictEqual(yield* outcome({ client_id: "keyed", client_secret: "x" }), "invalid_client")
    const [header, payload = ""] = (yield* signed(claims("keyed"))).split(".")
    const none = Buffer.from('{"alg":"none"}').toString("base64url")
    for (const text of [`${none}.${payload}.`, `${header}.${payload}.`, `${header}.${payload}`, "x", ""]) {
      assert.include(["invalid_client", "invalid_request"], yield* asserted(text), text)
    }
    const critical = yield* signed(claims("keyed"), byOwn, { b64: true, crit: ["b64"] })
    assert.strictEqual(yield* asserted(critical), "invalid_client")
    assert.lengthOf(yield* rows(UsedAssertions), 0)
  })

  rule("requires issuer, subject, audience, an end within the hour and a jti", function* () {
    yield* TestClock.adjust("100 seconds")
    for (const [changes, expected] of [
      [{ aud: [issuer] }, "invalid_client"],
      [{ aud: `${issuer}/oauth2/token` }, "invalid_client"],
      [{ aud: `${issuer}/` }, "invalid_client"],
      [{ iss: "hashed" }, "invalid_client"],
      [{ sub: "hashed" }, "invalid_client"],
      [{ jti: undefined as never }, "invalid_client"],
      [{ jti: "" }, "invalid_client"],
      [{ exp: undefined as never }, "invalid_client"],
      [{ exp: 90 }, "invalid_client"],
      [{ exp: 91 }, "ok"],
      [{ exp: 3700 }, "ok"],
      [{ exp: 3701 }, "invalid_client"],
      [{ iat: undefined as never }, "ok"],
      [{ iat: 110 }, "ok"],
      [{ iat: 111 }, "invalid_client"],
      [{ nbf: 108 }, "ok"],
      [{ nbf: 160 }, "invalid_client"],
    ] as const) {
      assert.strictEqual(yield* claimed("keyed", { exp: 160, ...changes } as JWTPayload), expected, JSON.stringify(changes))
    }
  })

  rule("accepts the token endpoint as audience for clients that need it", function* () {
    for (const aud of [issuer, [issuer], `${issuer}/oauth2/token`, ["https://other.example", `${issuer}/oauth2/token`]]) {
      assert.strictEqual(yield* claimed("lenient", { aud }), "ok")
    }
    assert.strictEqual(yield* claimed("lenient", { aud: "https://other.example" }), "invalid_client")
  })

  rule("accepts an assertion once, also of twenty concurrent uses", function* () {
    const assertion = yield* signed(claims("keyed"))
    const request = call(oauth2Revoke, { client_assertion: assertion, client_assertion_type, token: "unknown" }, null, auth)
    assert.deepStrictEqual(yield* atOnce(times(20, () => request)), { ok: 1, invalid_client: 19 })
    yield* TestClock.adjust("69 seconds")
    assert.strictEqual(yield* asserted(assertion), "invalid_client")
    assert.strictEqual(yield* claimed("keyed", { jti: "a", exp: 100 }), "ok")
    assert.strictEqual(yield* claimed("lenient", { jti: "a", exp: 100 }), "ok")
  })

  rule("is not combined with another method", function* () {
    const assertion = () => signed(claims("keyed"))
    assert.strictEqual(yield* asserted(yield* assertion(), { client_secret: "x" }), "invalid_request")
    const header = `Basic ${Buffer.from("keyed:x").toString("base64")}`
    const both = { client_assertion: yield* assertion(), client_assertion_type }
    assert.strictEqual(yield* outcome(both, header), "invalid_request")
    assert.strictEqual(yield* outcome({ client_assertion: yield* assertion() }), "invalid_request")
    assert.strictEqual(yield* asserted(yield* assertion(), { client_id: "spa" }), "invalid_client")
  })
})

describe("client_secret_jwt", () => {
  rule("authenticates a client by its secret as a key", function* () {
    assert.strictEqual(yield* claimed("hashed", {}, bySecret), "ok")
    assert.strictEqual(yield* claimed("hashed", {}, { ...bySecret, key: new TextEncoder().encode(`${secret}x`) }), "invalid_client")
    assert.strictEqual(yield* outcome({ client_id: "hashed", client_secret: secret }), "invalid_client")
  })
})

describe("client_secret_basic and client_secret_post", () => {
  rule("are accepted from clients with that method only", function* () {
    const header = (client_id: string) =>
      `Basic ${Buffer.from([client_id, web.client_secret].map((text) => encodeURIComponent(text)).join(":")).toString("base64")}`
    assert.strictEqual(yield* outcome({ client_id: "posting", client_secret: web.client_secret }), "ok")
    assert.strictEqual(yield* outcome({ client_id: "basic", client_secret: web.client_secret }), "invalid_client")
    assert.strictEqual(yield* outcome({}, header("basic")), "ok")
    assert.strictEqual(yield* outcome({}, header("posting")), "invalid_client")
  })

  rule("the metadata name the methods of the configured clients", function* () {
    const metadata = yield* call(wellKnownOpenidConfiguration, {}, null, auth)
    assert.sameMembers(
      [...metadata.token_endpoint_auth_methods_supported],
      ["client_secret_basic", "client_secret_post", "private_key_jwt", "client_secret_jwt", "none"],
    )
    assert.deepStrictEqual(metadata.token_endpoint_auth_signing_alg_values_supported, ["EdDSA", "ES256", "PS256", "RS256", "HS256"])
  })
})

describe("a client with require_pkce", () => {
  rule("must use PKCE although it authenticates itself", function* () {
    const ada = yield* signedUp("ada@example.com", auth)
    const errorOf = (input: object) =>
      Effect.map(ada.body(oauth2Authorize, { ...requests.web, ...input }), ({ redirect }) => new URL(redirect).searchParams.get("error"))
    assert.strictEqual(yield* errorOf({ client_id: "lenient" }), "invalid_request")
    assert.isNull(yield* errorOf({ client_id: "lenient", ...pkce }))
    assert.isNull(yield* errorOf({ client_id: "keyed" }))
  })
})

describe("clients with contradictory settings of their authentication", () => {
  const faultsOf = (client: object) =>
    Effect.map(Effect.orDie(Core.decode({})), (core) =>
      identityProvider.faults(settingsOf({ clients: [client] }), core).map(({ path }) => path.at(-1)),
    )
  it.effect("stop the start", () =>
    Effect.gen(function* () {
      for (const client of [spa, web, keyed, hashed, posting, basic, lenient]) assert.deepStrictEqual(yield* faultsOf(client), [])
      assert.deepStrictEqual(yield* faultsOf({ ...keyed, jwks: null }), ["jwks"])
      assert.deepStrictEqual(yield* faultsOf({ ...keyed, client_secret: "x" }), ["client_secret"])
      assert.deepStrictEqual(yield* faultsOf({ ...hashed, client_secret: "x".repeat(31) }), ["client_secret"])
      assert.deepStrictEqual(yield* faultsOf({ ...posting, client_secret: "" }), ["client_secret"])
      assert.deepStrictEqual(yield* faultsOf({ ...spa, require_pkce: false }), ["require_pkce"])
      assert.deepStrictEqual(yield* faultsOf({ ...spa, redirect_uris: ["com.example.app:/callback"] }), [])
      assert.deepStrictEqual(yield* faultsOf({ ...web, redirect_uris: ["com.example.app:/callback"] }), ["redirect_uris"])
      const privateKey = yield* Effect.promise(() =>
        generateKeyPair("EdDSA", { extractable: true }).then((pair) => exportJWK(pair.privateKey)),
      )
      assert.throws(() => settingsOf({ clients: [{ ...keyed, jwks: { keys: [privateKey] } }] }))
      assert.throws(() => settingsOf({ clients: [{ ...keyed, jwks: { keys: [{ kty: "oct", k: "AA" }] } }] }))
    }),
  )

  it("apps have a scheme with a dot", () => {
    for (const uri of ["com.example.app:/callback", "com.example.app://callback", "com.example:/"]) {
      assert.isTrue(isRedirectUri(uri) && isPrivateUse(uri), uri)
    }
    for (const uri of [
      "app:/callback",
      "com.example.app:callback",
      "javascript.x:alert(1)",
      "com.example.app:/a#b",
      "com.example.app:/ä",
      "Com.example:/",
    ]) {
      assert.isFalse(isRedirectUri(uri), uri)
    }
  })
})
