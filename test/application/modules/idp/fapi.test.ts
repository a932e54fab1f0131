import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { core, signedUp as signedUpTo } from "../../../world.ts"
import { dpopKey, proved, withToken } from "./proofs.ts"
import { answer, builtWith, issuer, pkce, presented, requests, verifier, web } from "./provider.ts"

const [own, rsa, key] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("RS256"), dpopKey()])
const bank = {
  ...web,
  ...{
    client_id: "bank",
    client_secret: "",
    token_endpoint_auth_method: "private_key_jwt",
    security_profile: "fapi2",
    refresh_tokens: true,
  },
  jwks: { keys: [await exportJWK(own.publicKey), await exportJWK(rsa.publicKey)] },
}
const module = builtWith({ clients: [bank] })
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Par, oauth2Token, oauth2Userinfo } = module.endpoints

let count = 0
const asserted = Effect.fnUntraced(function* (signer = { alg: "ES256", key: own.privateKey }) {
  const jwt = new SignJWT({ iss: "bank", sub: "bank", aud: issuer, jti: `${count++}`, exp: 60 }).setProtectedHeader({ alg: signer.alg })
  const client_assertion = yield* Effect.promise(() => jwt.sign(signer.key))
  return { client_assertion, client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" }
})
const push = Effect.fnUntraced(function* (input: object) {
  return (yield* answer(oauth2Par, { ...requests.web, client_id: "bank", ...input, ...(yield* asserted()) }, null, auth)).body.request_uri
})
const token = Effect.fnUntraced(function* (input: object) {
  const headers = yield* proved(key, "/oauth2/token")
  return (yield* answer(oauth2Token, { ...input, ...(yield* asserted()) }, null, auth, headers)).body
})

describe("a client with the security profile fapi2", () => {
  rule("signs in by a pushed request with PKCE, an assertion and a DPoP proof", function* () {
    const ada = yield* signedUpTo("ada@example.com", auth)
    const request_uri = yield* push(pkce)
    const { redirect } = yield* ada.body(oauth2Authorize, { client_id: "bank", request_uri })
    const { searchParams } = new URL(redirect)
    assert.strictEqual(searchParams.get("iss"), issuer)
    const { client_id: _, client_secret: __, ...exchange } = presented.web(searchParams.get("code") ?? "")
    const { access_token, refresh_token } = yield* token({ ...exchange, code_verifier: verifier })
    const headers = yield* proved(key, "/oauth2/userinfo", withToken(access_token))
    assert.strictEqual((yield* answer(oauth2Userinfo, {}, `DPoP ${access_token}`, auth, headers)).body.sub, ada.user.id)
    for (const _ of [1, 2]) assert.strictEqual((yield* token({ grant_type: "refresh_token", refresh_token })).token_type, "DPoP")
  })

  rule("is refused without each of them", function* () {
    const ada = yield* signedUpTo("ada@example.com", auth)
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.web, client_id: "bank", ...pkce })
    assert.strictEqual(new URL(redirect).searchParams.get("error"), "invalid_request")
    assert.strictEqual((yield* Effect.flip(push({})))._tag, "invalid_request")
    const rs256 = yield* asserted({ alg: "RS256", key: rsa.privateKey })
    const byRsa = answer(oauth2Par, { ...requests.web, client_id: "bank", ...pkce, ...rs256 }, null, auth)
    assert.strictEqual((yield* Effect.flip(byRsa))._tag, "invalid_client")
    const unproved = answer(oauth2Token, { grant_type: "refresh_token", refresh_token: "x", ...(yield* asserted()) }, null, auth)
    assert.strictEqual((yield* Effect.flip(unproved))._tag, "invalid_dpop_proof")
  })
})
