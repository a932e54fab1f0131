import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose"
import { AccessTokens, RefreshFamilies } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, endpoints, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { answer, builtWith, call, issuer, presented, requests, spa, web } from "./provider.ts"

const secretOf = (client_id: string) => ({ client_id, client_secret: `the secret of ${client_id}` })
const confidential = (client_id: string) => ({ ...web, ...secretOf(client_id) })
const scopes = ["openid", "email", "offline_access"]
const module = builtWith({
  clients: [
    { ...spa, scopes, refresh_tokens: true },
    { ...confidential("site"), scopes, refresh_tokens: true, access_token_format: "jwt", userinfo_signed_response_alg: "ES256" },
    confidential("other"),
    { ...confidential("api"), resource_server: true },
    { ...confidential("signing"), resource_server: true, introspection_signed_response_alg: "ES256" },
  ],
})
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Introspect, oauth2Jwks, oauth2Revoke, oauth2Token, oauth2Userinfo } = module.endpoints

const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>

const codeFor = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  return new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
})
const tokensOf = {
  spa: (their: Browser) => Effect.flatMap(codeFor(their, requests.spa), (code) => call(oauth2Token, presented.spa(code), null, auth)),
  confidential: (their: Browser, client_id: string) =>
    Effect.flatMap(codeFor(their, { ...requests.web, client_id }), (code) =>
      call(oauth2Token, { ...presented.web(code), ...secretOf(client_id) }, null, auth),
    ),
}
const isValid = (access_token: string) =>
  Effect.match(call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth), { onSuccess: () => true, onFailure: () => false })
const revoked = (client: object, token: string) =>
  Effect.match(call(oauth2Revoke, { ...client, token }, null, auth), { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
const introspected = (client: object, token = "") => call(oauth2Introspect, { ...client, token }, null, auth)
const answered = (access_token: string) => answer(oauth2Userinfo, {}, `Bearer ${access_token}`, auth)
const public_ = { client_id: "spa" }

describe("oauth2/revoke", () => {
  rule("revokes an access token alone", function* () {
    const ada = yield* signedUp()
    const { access_token, refresh_token = "" } = yield* tokensOf.spa(ada)
    assert.strictEqual(yield* revoked({ ...public_, token_type_hint: "refresh_token" }, access_token), "ok")
    assert.isFalse(yield* isValid(access_token))
    yield* call(oauth2Token, { grant_type: "refresh_token", refresh_token, ...public_ }, null, auth)
  })

  rule("revokes a refresh token with its access tokens, also by an older refresh token", function* () {
    const ada = yield* signedUp()
    for (const age of [0, 1, 2]) {
      const first = yield* tokensOf.spa(ada)
      let newest = first
      for (const _ of times(age, String)) {
        newest = yield* call(oauth2Token, { grant_type: "refresh_token", refresh_token: newest.refresh_token, ...public_ }, null, auth)
      }
      assert.strictEqual(yield* revoked(public_, first.refresh_token ?? ""), "ok")
      assert.deepStrictEqual([yield* isValid(first.access_token), yield* isValid(newest.access_token)], [false, false])
      assert.lengthOf(yield* rows(RefreshFamilies), 0)
    }
  })

  rule("succeeds for unknown and revoked tokens, and refuses those of other clients", function* () {
    const ada = yield* signedUp()
    const { access_token, refresh_token = "" } = yield* tokensOf.confidential(ada, "site")
    for (const token of ["x", "a\0b", refresh_token.slice(1), `${access_token}x`]) assert.strictEqual(yield* revoked(public_, token), "ok")
    for (const token of [access_token, refresh_token]) {
      assert.strictEqual(yield* revoked(public_, token), "invalid_request")
      assert.strictEqual(yield* revoked(secretOf("other"), token), "invalid_request")
      assert.strictEqual(yield* revoked({ ...secretOf("site"), client_secret: "x" }, token), "invalid_client")
    }
    assert.strictEqual(yield* revoked(public_, ""), "invalid_request")
    assert.isTrue(yield* isValid(access_token))
    assert.strictEqual(yield* revoked(secretOf("site"), refresh_token), "ok")
    assert.strictEqual(yield* revoked(secretOf("site"), refresh_token), "ok")
  })

  rule("wins over concurrent refreshes: nothing lives afterwards", function* () {
    const { refresh_token = "" } = yield* tokensOf.spa(yield* signedUp())
    const refreshes = times(10, () => call(oauth2Token, { grant_type: "refresh_token", refresh_token, ...public_ }, null, auth))
    yield* atOnce([...refreshes.slice(5), call(oauth2Revoke, { ...public_, token: refresh_token }, null, auth), ...refreshes.slice(0, 5)])
    for (const table of [RefreshFamilies, AccessTokens]) assert.lengthOf(yield* rows(table), 0)
  })
})

describe("oauth2/introspect", () => {
  rule("describes a client's own tokens", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("5 seconds")
    const { access_token, refresh_token } = yield* tokensOf.confidential(ada, "site")
    const common = { active: true, iss: issuer, sub: ada.user.id, client_id: "site", scope: "openid" }
    assert.deepStrictEqual(yield* introspected(secretOf("site"), access_token), {
      ...common,
      aud: issuer,
      token_type: "Bearer",
      iat: 5,
      exp: 605,
    })
    assert.deepStrictEqual(yield* introspected(secretOf("site"), refresh_token), { ...common, exp: 5 + 1_209_600 })
  })

  rule("describes the access tokens of all clients to a resource server", function* () {
    const ada = yield* signedUp()
    const { access_token, refresh_token } = yield* tokensOf.spa(ada)
    assert.strictEqual((yield* introspected(secretOf("api"), access_token)).client_id, "spa")
    assert.deepStrictEqual(yield* introspected(secretOf("api"), refresh_token), { active: false })
  })

  rule("says of all other tokens only that they are not active", function* () {
    const ada = yield* signedUp()
    const { access_token, refresh_token } = yield* tokensOf.confidential(ada, "site")
    const inactive = { active: false }
    for (const token of ["x", "a\0b", `${access_token}x`, access_token, refresh_token]) {
      assert.deepStrictEqual(yield* introspected(secretOf("other"), token), inactive)
    }
    yield* call(oauth2Revoke, { ...secretOf("site"), token: access_token }, null, auth)
    assert.deepStrictEqual(yield* introspected(secretOf("site"), access_token), inactive)
    const { access_token: second, refresh_token: bound } = yield* tokensOf.confidential(ada, "site")
    yield* ada.body(endpoints.signOut)
    for (const token of [second, bound]) assert.deepStrictEqual(yield* introspected(secretOf("site"), token), inactive)
  })

  rule("is not for clients without a secret", function* () {
    const ada = yield* signedUp()
    const { access_token } = yield* tokensOf.spa(ada)
    const refusal = yield* Effect.flip(introspected(public_, access_token))
    assert.strictEqual(refusal._tag, "invalid_client")
    assert.strictEqual((yield* Effect.flip(introspected({ ...secretOf("site"), client_secret: "" }, access_token)))._tag, "invalid_client")
  })
})

describe("an access token in the form of a JWT", () => {
  rule("can be verified by the published keys, and is revoked here as every other", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("5 seconds")
    const { access_token, expires_in } = yield* tokensOf.confidential(ada, "site")
    assert.strictEqual(expires_in, 600)
    const { kid: _, ...header } = decodeProtectedHeader(access_token)
    assert.deepStrictEqual(header, { alg: "EdDSA", typ: "at+jwt" })
    const keys = createLocalJWKSet({ keys: [...(yield* call(oauth2Jwks, {}, null, auth)).keys] as Array<{ kty: string }> })
    const options = { issuer, audience: issuer, typ: "at+jwt", currentDate: new Date(5000) }
    const { jti, ...claims } = (yield* Effect.promise(() => jwtVerify(access_token, keys, options))).payload
    assert.isString(jti)
    assert.deepStrictEqual(claims, {
      ...{ iss: issuer, aud: issuer, sub: ada.user.id, client_id: "site", scope: "openid" },
      ...{ iat: 5, exp: 605, auth_time: 0 },
    })
    assert.isTrue(yield* isValid(access_token))
    assert.strictEqual(yield* revoked(secretOf("site"), access_token), "ok")
    assert.isFalse(yield* isValid(access_token))
  })

  rule("is no ID token", function* () {
    const ada = yield* signedUp()
    const { access_token } = yield* tokensOf.confidential(ada, "site")
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, id_token_hint: access_token })
    assert.strictEqual(new URL(redirect).searchParams.get("error"), "invalid_request")
  })
})

describe("a signed userinfo response", () => {
  rule("has the claims, the issuer and the client as audience", function* () {
    const ada = yield* signedUp()
    const { access_token } = yield* tokensOf.confidential(ada, "site")
    const keys = createLocalJWKSet({ keys: [...(yield* call(oauth2Jwks, {}, null, auth)).keys] as Array<{ kty: string }> })
    const { text } = yield* answered(access_token)
    assert.strictEqual(text?.type, "application/jwt")
    const { payload } = yield* Effect.promise(() => jwtVerify(text?.content ?? "", keys, { algorithms: ["ES256"] }))
    assert.deepStrictEqual(payload, { sub: ada.user.id, iss: issuer, aud: "site" })
    assert.isUndefined((yield* answered((yield* tokensOf.spa(ada)).access_token)).text)

    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, id_token_hint: text?.content })
    assert.strictEqual(new URL(redirect).searchParams.get("error"), "invalid_request")
  })
})

describe("a signed introspection response", () => {
  const type = "application/token-introspection+jwt"
  const accepting = { accept: type }

  rule("has the answer in one claim, for the client that requested it (RFC 9701 section 5)", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("5 seconds")
    const { access_token } = yield* tokensOf.spa(ada)
    const keys = createLocalJWKSet({ keys: [...(yield* call(oauth2Jwks, {}, null, auth)).keys] as Array<{ kty: string }> })
    const signed = Effect.fnUntraced(function* (token: string) {
      const { text } = yield* answer(oauth2Introspect, { ...secretOf("signing"), token }, null, auth, accepting)
      assert.strictEqual(text?.type, type)
      const options = { issuer, audience: "signing", typ: "token-introspection+jwt", algorithms: ["ES256"], currentDate: new Date(5000) }
      return (yield* Effect.promise(() => jwtVerify(text?.content ?? "", keys, options))).payload
    })
    assert.deepStrictEqual(yield* signed(access_token), {
      ...{ iss: issuer, aud: "signing", iat: 5 },
      token_introspection: { ...(yield* introspected(secretOf("api"), access_token)) },
    })
    assert.deepStrictEqual((yield* signed("x"))["token_introspection"], { active: false })
    assert.isUndefined((yield* answer(oauth2Introspect, { ...secretOf("api"), token: access_token }, null, auth, accepting)).text)
  })

  rule("is no ID token and no access token", function* () {
    const ada = yield* signedUp()
    const { text } = yield* answer(oauth2Introspect, { ...secretOf("signing"), token: "x" }, null, auth, accepting)
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, id_token_hint: text?.content })
    assert.strictEqual(new URL(redirect).searchParams.get("error"), "invalid_request")
    assert.isFalse(yield* isValid(text?.content ?? ""))
  })
})
