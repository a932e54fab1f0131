import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { CompactSign, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { core, signedUp as signedUpTo } from "../../../world.ts"
import { builtWith, call, issuer, requests, spa, web } from "./provider.ts"

const [own, foreign] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")])
const jwks = { keys: [await exportJWK(own.publicKey)] }
const signing = { ...web, client_id: "signing", jwks }
const module = builtWith({ clients: [spa, signing, { ...signing, client_id: "strict", require_signed_request_object: true }] })
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Par, wellKnownOpenidConfiguration } = module.endpoints

const signedUp = () => signedUpTo("ada@example.com", auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>
const parametersOf = (client_id: string) => ({ ...requests.web, client_id })
const objectOf = (client_id: string, changes: JWTPayload = {}, { privateKey } = own, header: object = {}) =>
  Effect.promise(() =>
    new SignJWT({ ...parametersOf(client_id), iss: client_id, aud: issuer, exp: 60, state: "signed", ...changes })
      .setProtectedHeader({ alg: "ES256", ...header })
      .sign(privateKey),
  )
const responseTo = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...parametersOf("signing"), ...input })
  return Object.fromEntries(new URL(redirect).searchParams) as Record<string, string>
})

describe("a request object", () => {
  rule("replaces the parameters outside of it", function* () {
    const ada = yield* signedUp()
    const request = yield* objectOf("signing", { max_age: 100, scope: "openid email" })
    const { code, state } = yield* responseTo(ada, { request, scope: "unknown", redirect_uri: "https://evil.example", response_type: "x" })
    assert.isString(code)
    assert.strictEqual(state, "signed")
  })

  rule("must be signed by the client, for this issuer and now", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("100 seconds")
    const none = new UnsecuredJWT({ ...parametersOf("signing"), iss: "signing", aud: issuer }).encode()
    for (const [request, expected] of [
      [yield* objectOf("signing", { exp: 91 }), undefined],
      [yield* objectOf("signing", { exp: 90 }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200, nbf: 110 }), undefined],
      [yield* objectOf("signing", { exp: 200, nbf: 111 }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200, aud: ["x", issuer] }), undefined],
      [yield* objectOf("signing", { exp: 200, aud: "x" }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200, iss: "spa" }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200, client_id: "strict" }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200, sub: "signing" }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200, request_uri: "https://x.example" }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200 }, foreign), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200 }, own, { typ: "oauth-authz-req+jwt" }), undefined],
      [yield* objectOf("signing", { exp: 200 }, own, { typ: "at+jwt" }), "invalid_request_object"],
      [yield* objectOf("signing", { exp: 200, padding: "x".repeat(8192) }), "invalid_request"],
      [none, "invalid_request_object"],
      ["x", "invalid_request_object"],
    ] as const) {
      assert.strictEqual((yield* responseTo(ada, { request }))["error"], expected, request)
    }
  })

  rule("is refused if a parameter in it is longer than 8,192 bytes, although the object is not", function* () {
    const ada = yield* signedUp()
    // Each number has 4 bytes here, and 21 digits as a text.
    const withNumbers = (count: number) => {
      const payload = JSON.stringify({ ...parametersOf("signing"), iss: "signing", aud: issuer, display: "numbers" })
      const numbers = payload.replace('"numbers"', `[${Array.from({ length: count }, () => "1e20").join()}]`)
      const signed = new CompactSign(new TextEncoder().encode(numbers)).setProtectedHeader({ alg: "ES256" })
      return Effect.promise(() => signed.sign(own.privateKey))
    }
    assert.isString((yield* responseTo(ada, { request: yield* withNumbers(372) }))["code"])
    const request = yield* withNumbers(373)
    assert.isBelow(request.length, 8192)
    assert.strictEqual((yield* responseTo(ada, { request }))["error_description"], "display is longer than 8192 bytes.")
    const pushed = yield* Effect.flip(
      call(oauth2Par, { ...parametersOf("signing"), client_secret: web.client_secret, request }, null, auth),
    )
    assert.strictEqual(pushed.message, "display is longer than 8192 bytes.")
  })

  rule("needs a client with keys, and request_uri means pushed requests alone", function* () {
    const ada = yield* signedUp()
    const request = yield* objectOf("spa")
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, request })
    assert.strictEqual(new URL(redirect).searchParams.get("error"), "request_not_supported")
    assert.strictEqual((yield* responseTo(ada, { request_uri: "https://web.example.com/request" }))["error"], "request_uri_not_supported")
  })

  rule("is required where the client says so, also in pushed requests", function* () {
    const ada = yield* signedUp()
    const request = yield* objectOf("strict")
    assert.strictEqual((yield* responseTo(ada, { client_id: "strict" }))["error"], "invalid_request")
    assert.isString((yield* responseTo(ada, { client_id: "strict", request }))["code"])
    const push = (input: object) => call(oauth2Par, { client_id: "strict", client_secret: web.client_secret, ...input }, null, auth)
    assert.strictEqual((yield* Effect.flip(push(parametersOf("strict"))))._tag, "invalid_request")
    assert.strictEqual((yield* Effect.flip(push({ request: "x" })))._tag, "invalid_request")
    const { request_uri } = yield* push({ request })
    assert.strictEqual((yield* responseTo(ada, { client_id: "strict", request_uri }))["state"], "signed")
  })

  rule("is in the metadata where a client has keys", function* () {
    const metadata = yield* call(wellKnownOpenidConfiguration, {}, null, auth)
    assert.isTrue(metadata.request_parameter_supported)
    assert.deepStrictEqual(metadata.request_object_signing_alg_values_supported, ["EdDSA", "ES256", "PS256", "RS256"])
  })
})
