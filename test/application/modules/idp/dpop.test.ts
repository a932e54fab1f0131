import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt, exportJWK, type JWTPayload } from "jose"
import { UsedAssertions } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { dpopKey, proved, withToken } from "./proofs.ts"
import { answer, builtWith, issuer, presented, requests, spa, web } from "./provider.ts"

const [own, second, edwards, rsa] = await Promise.all([dpopKey(), dpopKey(), dpopKey("EdDSA"), dpopKey("RS256")])
const site = { ...web, client_id: "site", client_secret: "the secret of site", refresh_tokens: true, access_token_format: "jwt" }
const clients = [
  { ...spa, refresh_tokens: true },
  site,
  { ...site, client_id: "bound", dpop_bound_access_tokens: true, grant_types: ["authorization_code", "client_credentials"] },
]
const module = builtWith({ clients })
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Introspect, oauth2Par, oauth2Token, oauth2Userinfo, oauth2UserinfoForm, wellKnownOpenidConfiguration } =
  module.endpoints

const signedUp = () => signedUpTo("ada@example.com", auth)
type Browser = Pick<Effect.Success<ReturnType<typeof signedUp>>, "body">
type Headers = { readonly dpop?: string }

const token = (input: object, headers: Headers = {}) => Effect.map(answer(oauth2Token, input, null, auth, headers), ({ body }) => body)
const codeFor = Effect.fnUntraced(function* (their: Browser, input: object = requests.spa) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  return new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
})
const atToken = (key = own, claims: JWTPayload = {}, header: object = {}) => proved(key, "/oauth2/token", claims, header)
const codeOf = <A, E extends AuthError, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }): string => _tag })
const userinfo = (access_token: string, headers: Headers, scheme = "DPoP") =>
  codeOf(answer(oauth2Userinfo, {}, `${scheme} ${access_token}`, auth, headers))
const confidential = { ...requests.web, client_id: "site" }
const exchange = (code: string) => ({ ...presented.web(code), client_id: "site", client_secret: site.client_secret })

describe("a DPoP proof at the token endpoint", () => {
  rule("binds the access token to its key", function* () {
    const ada = yield* signedUp()
    const tokens = yield* token(exchange(yield* codeFor(ada, confidential)), yield* atToken())
    assert.strictEqual(tokens.token_type, "DPoP")
    assert.deepStrictEqual(decodeJwt(tokens.access_token)["cnf"], { jkt: own.jkt })
    const credentials = { client_id: "site", client_secret: site.client_secret }
    const { body } = yield* answer(oauth2Introspect, { ...credentials, token: tokens.access_token }, null, auth)
    assert.deepInclude(body, { active: true, token_type: "DPoP", cnf: { jkt: own.jkt } })
  })

  rule("is for this request, of now, and signed by the key in it", function* () {
    yield* TestClock.adjust("1000 seconds")
    const outcome = (proof: Headers) => codeOf(token({ grant_type: "client_credentials", ...bound }, proof))
    const privateKey = yield* Effect.promise(() => exportJWK(own.privateKey))
    const ok = { iat: 1000 }
    for (const [proof, expected] of [
      [yield* atToken(own, ok), "ok"],
      [yield* atToken(edwards, ok), "ok"],
      [yield* atToken(own, { iat: 700 }), "ok"],
      [yield* atToken(own, { iat: 699 }), "invalid_dpop_proof"],
      [yield* atToken(own, { iat: 1300 }), "ok"],
      [yield* atToken(own, { iat: 1301 }), "invalid_dpop_proof"],
      [yield* atToken(own, { ...ok, htu: `${issuer}/oauth2/token?a=b#c` }), "ok"],
      [yield* atToken(own, { ...ok, htu: `${issuer}/oauth2/par` }), "invalid_dpop_proof"],
      [yield* atToken(own, { ...ok, htu: "https://evil.example/oauth2/token" }), "invalid_dpop_proof"],
      [yield* atToken(own, { ...ok, htm: "GET" }), "invalid_dpop_proof"],
      [yield* atToken(own, { ...ok, jti: "" }), "invalid_dpop_proof"],
      [yield* atToken(own, { ...ok, iat: undefined as never }), "invalid_dpop_proof"],
      [yield* atToken(own, ok, { typ: "JWT" }), "invalid_dpop_proof"],
      [yield* atToken(own, ok, { jwk: second.jwk }), "invalid_dpop_proof"],
      [yield* atToken(own, ok, { jwk: privateKey }), "invalid_dpop_proof"],
      [yield* atToken(own, ok, { jwk: undefined }), "invalid_dpop_proof"],
      [yield* atToken(rsa, ok), "invalid_dpop_proof"],
      [{ dpop: `${(yield* atToken(own, ok)).dpop}, ${(yield* atToken(own, ok)).dpop}` }, "invalid_dpop_proof"],
      [{ dpop: "x" }, "invalid_dpop_proof"],
      [{ dpop: "" }, "invalid_dpop_proof"],
      [{}, "invalid_dpop_proof"],
    ] as const) {
      assert.strictEqual(yield* outcome(proof), expected, JSON.stringify(proof))
    }
  })

  rule("is accepted once, also of twenty requests at once", function* () {
    const proof = yield* atToken()
    const calls = times(20, () => token({ grant_type: "client_credentials", ...bound }, proof))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_dpop_proof: 19 })
    yield* TestClock.adjust("300 seconds")
    assert.deepStrictEqual(yield* atOnce(calls), { invalid_dpop_proof: 20 })
    assert.lengthOf(yield* rows(UsedAssertions), 1)
  })

  rule("proves the key of dpop_jkt, in the request or pushed with a proof", function* () {
    const ada = yield* signedUp()
    const bound = { ...requests.spa, dpop_jkt: own.jkt }
    assert.strictEqual(yield* codeOf(token(presented.spa(yield* codeFor(ada, bound)), yield* atToken(second))), "invalid_grant")
    assert.strictEqual(yield* codeOf(token(presented.spa(yield* codeFor(ada, bound)))), "invalid_grant")
    assert.strictEqual(yield* codeOf(token(presented.spa(yield* codeFor(ada, bound)), yield* atToken())), "ok")
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, dpop_jkt: "x" })
    assert.strictEqual(new URL(redirect).searchParams.get("error"), "invalid_request")

    const pushed = (input: object, headers: Headers) => Effect.map(answer(oauth2Par, input, null, auth, headers), ({ body }) => body)
    const other = pushed({ ...requests.spa, dpop_jkt: second.jkt }, yield* proved(own, "/oauth2/par"))
    assert.strictEqual(yield* codeOf(other), "invalid_dpop_proof")
    const request = () => Effect.flatMap(proved(own, "/oauth2/par"), (headers) => pushed(requests.spa, headers))
    const codeOfPushed = () => Effect.flatMap(request(), ({ request_uri }) => codeFor(ada, { client_id: "spa", request_uri }))
    assert.strictEqual(yield* codeOf(token(presented.spa(yield* codeOfPushed()), yield* atToken(second))), "invalid_grant")
    assert.strictEqual(yield* codeOf(token(presented.spa(yield* codeOfPushed()), yield* atToken())), "ok")
  })
})

const bound = { client_id: "bound", client_secret: site.client_secret }

describe("a refresh token", () => {
  const refresh = (refresh_token: string | undefined, credentials: object, headers: Headers = {}) =>
    token({ grant_type: "refresh_token", refresh_token, ...credentials }, headers)

  rule("of a public client is bound to the key, and then not replaced", function* () {
    const ada = yield* signedUp()
    const { refresh_token } = yield* token(presented.spa(yield* codeFor(ada)), yield* atToken())
    const credentials = { client_id: "spa" }
    assert.strictEqual(yield* codeOf(refresh(refresh_token, credentials)), "invalid_grant")
    assert.strictEqual(yield* codeOf(refresh(refresh_token, credentials, yield* atToken(second))), "invalid_grant")
    const renewed = yield* refresh(refresh_token, credentials, yield* atToken())
    assert.strictEqual(renewed.token_type, "DPoP")
    assert.notProperty(renewed, "refresh_token")
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* codeOf(refresh(refresh_token, credentials, yield* atToken(own, { iat: 30 }))), "ok")
  })

  rule("of a confidential client is bound to the client: the key may change", function* () {
    const ada = yield* signedUp()
    const { refresh_token } = yield* token(exchange(yield* codeFor(ada, confidential)), yield* atToken())
    const credentials = { client_id: "site", client_secret: site.client_secret }
    const { access_token } = yield* refresh(refresh_token, credentials, yield* atToken(second))
    assert.deepStrictEqual(decodeJwt(access_token)["cnf"], { jkt: second.jkt })
  })

  rule("a lost answer is repeated for the same key only", function* () {
    const ada = yield* signedUp()
    const { refresh_token } = yield* token(presented.spa(yield* codeFor(ada)))
    const credentials = { client_id: "spa" }
    const first = yield* refresh(refresh_token, credentials, yield* atToken())
    assert.deepStrictEqual(yield* refresh(refresh_token, credentials, yield* atToken()), first)
    assert.strictEqual(yield* codeOf(refresh(refresh_token, credentials, yield* atToken(second))), "invalid_grant")
  })
})

describe("userinfo", () => {
  rule("accepts a bound token with a proof for it and the scheme DPoP only", function* () {
    const ada = yield* signedUp()
    const { access_token } = yield* token(presented.spa(yield* codeFor(ada)), yield* atToken())
    const { access_token: free } = yield* token(presented.spa(yield* codeFor(ada)))
    const at = (claims: JWTPayload, key = own) => proved(key, "/oauth2/userinfo", claims)
    const fits = withToken(access_token)
    assert.strictEqual(yield* userinfo(access_token, yield* at(fits)), "ok")
    assert.strictEqual(yield* userinfo(access_token, yield* at(fits), "dpop"), "ok")
    assert.strictEqual(yield* userinfo(access_token, {}), "invalid_dpop_proof")
    assert.strictEqual(yield* userinfo(access_token, yield* at(fits), "Bearer"), "invalid_token")
    assert.strictEqual(yield* userinfo(access_token, {}, "Bearer"), "invalid_token")
    assert.strictEqual(yield* userinfo(access_token, yield* at(fits, second)), "invalid_token")
    assert.strictEqual(yield* userinfo(access_token, yield* at({ ...fits, ath: undefined as never })), "invalid_dpop_proof")
    assert.strictEqual(yield* userinfo(access_token, yield* at(withToken(free))), "invalid_dpop_proof")
    assert.strictEqual(yield* userinfo(access_token, yield* at({ ...fits, htm: "POST" })), "invalid_dpop_proof")
    assert.strictEqual(yield* userinfo(free, yield* at(withToken(free))), "invalid_token")
    const byPost = yield* at(withToken(access_token, "POST"))
    assert.strictEqual(yield* codeOf(answer(oauth2UserinfoForm, {}, `DPoP ${access_token}`, auth, byPost)), "ok")
    const used = yield* at(fits)
    assert.deepStrictEqual([yield* userinfo(access_token, used), yield* userinfo(access_token, used)], ["ok", "invalid_dpop_proof"])
  })
})

describe("a client with dpop_bound_access_tokens", () => {
  rule("gets no token without a proof", function* () {
    const request = { grant_type: "client_credentials", ...bound }
    assert.strictEqual(yield* codeOf(token(request)), "invalid_dpop_proof")
    assert.strictEqual((yield* token(request, yield* atToken())).token_type, "DPoP")
  })

  rule("the metadata name the algorithms of proofs", function* () {
    const { body } = yield* answer(wellKnownOpenidConfiguration, {}, null, auth)
    assert.deepStrictEqual(body.dpop_signing_alg_values_supported, ["ES256", "EdDSA", "PS256"])
  })
})

describe("the nonce of a proof", () => {
  const strict = builtWith({ clients, require_dpop_nonce: true })
  const strictAuth = AuthOf.make([...core, strict])
  const nonceRule = rulesOf([...core, strict])
  const request = { grant_type: "client_credentials", ...bound }
  const sent = (headers: Headers) => answer(strict.endpoints.oauth2Token, request, null, strictAuth, headers)

  nonceRule("is required with require_dpop_nonce, and valid for two minutes at least, on a wrong clock too", function* () {
    const refusal = yield* Effect.flip(sent(yield* atToken()))
    assert.strictEqual(refusal._tag, "use_dpop_nonce")
    const nonce = refusal.fields?.["dpop-nonce"] ?? ""
    for (const [wait, expected] of [
      [0, "ok"],
      [179, "ok"],
      [1, "use_dpop_nonce"],
    ] as const) {
      yield* TestClock.adjust(`${wait} seconds`)
      assert.strictEqual(yield* codeOf(sent(yield* atToken(own, { nonce, iat: 100_000 }))), expected, String(wait))
    }
    assert.strictEqual(yield* codeOf(sent(yield* atToken(own, { nonce: "x" }))), "use_dpop_nonce")
  })

  rule("must be valid where it is optional too", function* () {
    assert.strictEqual(yield* codeOf(token(request, yield* atToken(own, { nonce: "x" }))), "use_dpop_nonce")
  })
})
