import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt, decodeProtectedHeader } from "jose"
import { AccessTokens } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { core, rows, signedUp as signedUpTo } from "../../../world.ts"
import { answer, builtWith, call, issuer, presented, requests, spa, web } from "./provider.ts"

const credentials = (client_id: string) => ({ client_id, client_secret: `the secret of ${client_id}` })
const api = "https://api.example.com/v1"
const mail = "urn:example:mail"
const grant_types = ["client_credentials"]
const machine = { ...credentials("machine"), grant_types, scopes: ["openid", "email", "jobs", "reports"], resources: [api, mail] }
const module = builtWith({
  clients: [
    { ...spa, refresh_tokens: true, resources: [api, mail] },
    { ...web, ...credentials("site"), access_token_format: "jwt", resources: [api] },
    machine,
    { ...machine, ...credentials("jwt"), access_token_format: "jwt", access_token_ttl: 60 },
    { ...web, ...credentials("api"), resource_server: true, introspection_signed_response_alg: "ES256" },
  ],
})
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Introspect, oauth2Par, oauth2Revoke, oauth2Token, oauth2Userinfo, wellKnownOpenidConfiguration } =
  module.endpoints

const signedUp = () => signedUpTo("ada@example.com", auth)
const token = (input: object) => call(oauth2Token, input, null, auth)
const errorOf = (input: object) => Effect.map(Effect.flip(token(input)), ({ _tag }) => _tag)
const ownToken = (client_id: string, more: object = {}) => token({ grant_type: "client_credentials", ...credentials(client_id), ...more })
const refused = (client_id: string, more: object = {}) => errorOf({ grant_type: "client_credentials", ...credentials(client_id), ...more })
const introspected = (token: string) => call(oauth2Introspect, { ...credentials("api"), token }, null, auth)

describe("the grant client_credentials", () => {
  rule("gives a client a token of its own, without a refresh token and an ID token", function* () {
    const { access_token, ...rest } = yield* ownToken("machine")
    assert.deepStrictEqual(rest, { token_type: "Bearer", expires_in: 600, scope: "jobs reports" })
    const [row] = yield* rows(AccessTokens)
    assert.deepInclude(row, { client_id: "machine", user_id: null, session_id: null, family_id: null })
    assert.deepInclude(yield* introspected(access_token), { active: true, sub: "machine", client_id: "machine", aud: issuer })
  })

  rule("permits the client's scopes that need no user", function* () {
    assert.strictEqual((yield* ownToken("machine", { scope: "jobs" })).scope, "jobs")
    for (const scope of ["openid", "jobs openid", "email", "unknown"])
      assert.strictEqual(yield* refused("machine", { scope }), "invalid_scope")
  })

  rule("is for clients with this grant that authenticate themselves", function* () {
    assert.strictEqual(yield* refused("site"), "unsupported_grant_type")
    assert.strictEqual(yield* refused("machine", { client_secret: "x" }), "invalid_client")
    assert.strictEqual(yield* refused("machine", { client_secret: "" }), "invalid_client")
    assert.strictEqual(yield* errorOf({ grant_type: "client_credentials", client_id: "spa" }), "unsupported_grant_type")
    const code = { grant_type: "authorization_code", code: "x", redirect_uri: "https://web.example.com/" }
    assert.strictEqual(yield* errorOf({ ...code, ...credentials("machine") }), "unsupported_grant_type")
  })

  rule("its tokens end after their lifetime and by revocation, and do not open userinfo", function* () {
    const { access_token } = yield* ownToken("jwt", { scope: "jobs" })
    const { access_token: other } = yield* ownToken("machine")
    assert.strictEqual((yield* Effect.flip(call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth)))._tag, "invalid_token")
    assert.deepInclude(decodeJwt<Record<string, unknown>>(access_token), { sub: "jwt", client_id: "jwt", scope: "jobs", exp: 60 })
    assert.notProperty(decodeJwt(access_token), "auth_time")
    yield* TestClock.adjust("59 seconds")
    assert.isTrue((yield* introspected(access_token)).active)
    yield* TestClock.adjust("1 second")
    assert.isFalse((yield* introspected(access_token)).active)
    yield* call(oauth2Revoke, { ...credentials("machine"), token: other }, null, auth)
    assert.isFalse((yield* introspected(other)).active)
  })

  rule("is in the metadata", function* () {
    const metadata = yield* call(wellKnownOpenidConfiguration, {}, null, auth)
    assert.include(metadata.grant_types_supported, "client_credentials")
    assert.deepStrictEqual(metadata.introspection_signing_alg_values_supported, ["EdDSA", "ES256"])
  })
})

describe("the parameter resource", () => {
  rule("makes resource servers the audience of a token, one or several", function* () {
    const one = yield* ownToken("jwt", { resource: api })
    assert.strictEqual(decodeJwt(one.access_token).aud, api)
    assert.strictEqual((yield* introspected(one.access_token)).aud, api)
    const both = yield* ownToken("jwt", { resource: [mail, api] })
    assert.deepStrictEqual(decodeJwt(both.access_token).aud, [mail, api])
    assert.deepStrictEqual((yield* introspected(both.access_token)).aud, [mail, api])
  })

  rule("names resources of the client only", function* () {
    for (const resource of ["https://api.example.com", `${api}/`, [api, "x"], "x", " "]) {
      assert.strictEqual(yield* refused("machine", { resource }), "invalid_target")
    }
  })

  rule("binds a code; the exchange can narrow the resources and not change them", function* () {
    const ada = yield* signedUp()
    const codeFor = Effect.fnUntraced(function* (resource: unknown) {
      const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, resource })
      return Object.fromEntries(new URL(redirect).searchParams) as Record<string, string>
    })
    assert.strictEqual((yield* codeFor("https://evil.example"))["error"], "invalid_target")
    const narrowed = yield* token({ ...presented.spa((yield* codeFor([api, mail]))["code"] ?? ""), resource: mail })
    assert.strictEqual((yield* introspected(narrowed.access_token)).aud, mail)
    const refresh = { grant_type: "refresh_token", client_id: "spa" }
    const renewed = yield* token({ ...refresh, refresh_token: narrowed.refresh_token })
    assert.deepStrictEqual((yield* introspected(renewed.access_token)).aud, [api, mail])
    assert.strictEqual(yield* errorOf({ ...refresh, refresh_token: renewed.refresh_token, resource: "x" }), "invalid_target")
    const second = (yield* codeFor(api))["code"] ?? ""
    assert.strictEqual(yield* errorOf({ ...presented.spa(second), resource: mail }), "invalid_target")
    assert.strictEqual(yield* errorOf(presented.spa(second)), "invalid_grant")
  })

  rule("keeps a token from userinfo, which is another resource", function* () {
    const ada = yield* signedUp()
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, resource: api })
    const { access_token } = yield* token(presented.spa(new URL(redirect).searchParams.get("code") ?? ""))
    assert.strictEqual((yield* Effect.flip(call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth)))._tag, "invalid_token")
  })

  rule("can be pushed", function* () {
    const ada = yield* signedUp()
    const push = (resource: unknown) => call(oauth2Par, { ...requests.spa, resource }, null, auth)
    assert.strictEqual((yield* Effect.flip(push("x")))._tag, "invalid_target")
    const { request_uri } = yield* push([api, mail])
    const { redirect } = yield* ada.body(oauth2Authorize, { client_id: "spa", request_uri })
    const { access_token } = yield* token(presented.spa(new URL(redirect).searchParams.get("code") ?? ""))
    assert.deepStrictEqual((yield* introspected(access_token)).aud, [api, mail])
  })
})

describe("an introspection response as a JWT", () => {
  const type = "application/token-introspection+jwt"
  const answered = (client_id: string, token: string, accept: string) =>
    answer(oauth2Introspect, { ...credentials(client_id), token }, null, auth, { accept })

  rule("is for clients with an algorithm for it that accept it", function* () {
    const { access_token } = yield* ownToken("machine")
    const { text } = yield* answered("api", access_token, `application/json;q=0.5, ${type}`)
    assert.strictEqual(text?.type, type)
    assert.deepInclude(decodeProtectedHeader(text?.content ?? ""), { alg: "ES256", typ: "token-introspection+jwt" })
    const claims = decodeJwt(text?.content ?? "")
    assert.deepInclude(claims, { iss: issuer, aud: "api", iat: 0 })
    assert.deepInclude(claims["token_introspection"] as object, { active: true, client_id: "machine" })
    assert.isUndefined((yield* answered("api", access_token, "application/json")).text)
    assert.isUndefined((yield* answered("machine", access_token, type)).text)
  })

  rule("says of an unknown token only that it is not active", function* () {
    const { text } = yield* answered("api", "unknown", type)
    assert.deepStrictEqual(decodeJwt(text?.content ?? "")["token_introspection"], { active: false })
  })
})
