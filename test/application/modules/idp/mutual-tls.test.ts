import { createHash } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { RefreshFamilies } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import { certificate, clientAuth, serverAuth } from "../../../certificates.ts"
import { rulesOf } from "../../../rule.ts"
import { core, rows, signedUp as signedUpTo } from "../../../world.ts"
import { dpopKey, proved } from "./proofs.ts"
import { answer, builtWith, challengeOf, presented, requests, spa } from "./provider.ts"

const names = [
  { type: "dns", value: "Client.example.com" },
  { type: "url", value: "spiffe://example.com/client" },
  { type: "ip", value: "2001:db8::1" },
  { type: "email", value: "client@example.com" },
] as const
const name = "C=DE, O=Example, CN=client"
const authority = await certificate({ name: "CN=CA", isAuthority: true })
const impostor = await certificate({ name: "CN=CA", isAuthority: true })
const old = await certificate({ name: "CN=Old CA", isAuthority: true, from: 0, to: 1000 })
const own = await certificate({ name, names: [...names], issuer: authority, usages: [clientAuth] })
const second = await certificate({ name, names: [...names], issuer: authority, usages: [clientAuth] })
const selfSigned = await certificate({ name, names: [...names] })

const byCa = { client_secret: "", token_endpoint_auth_method: "tls_client_auth", grant_types: ["client_credentials"], scopes: ["jobs"] }
const bound = { tls_client_certificate_bound_access_tokens: true }
const site = { ...spa, client_id: "site", client_secret: "the secret of site", refresh_tokens: true, ...bound }
const clients = [
  { ...byCa, client_id: "dn", tls_client_auth_subject_dn: "cn=client, O=Example,C=DE" },
  { ...byCa, client_id: "dns", tls_client_auth_san_dns: "client.example.com" },
  { ...byCa, client_id: "uri", tls_client_auth_san_uri: "spiffe://example.com/client" },
  { ...byCa, client_id: "ip", tls_client_auth_san_ip: "2001:db8:0::1" },
  { ...byCa, client_id: "email", tls_client_auth_san_email: "client@example.com" },
  { ...byCa, client_id: "other dn", tls_client_auth_subject_dn: "CN=other,O=Example,C=DE" },
  { ...byCa, client_id: "other dns", tls_client_auth_san_dns: "example.com" },
  { ...byCa, client_id: "other uri", tls_client_auth_san_uri: "spiffe://example.com/" },
  { ...byCa, client_id: "other ip", tls_client_auth_san_ip: "2001:db8::2" },
  { ...byCa, client_id: "other email", tls_client_auth_san_email: "a@example.com" },
  {
    ...byCa,
    client_id: "self",
    token_endpoint_auth_method: "self_signed_tls_client_auth",
    jwks: { keys: [{ ...selfSigned.jwk }] },
    ...bound,
    access_token_format: "jwt",
  },
  {
    ...spa,
    client_id: "bank",
    redirect_uris: ["https://spa.example.com/callback"],
    token_endpoint_auth_method: "self_signed_tls_client_auth",
    security_profile: "fapi2",
    jwks: { keys: [{ ...selfSigned.jwk }] },
    ...bound,
  },
  { ...spa, refresh_tokens: true, ...bound },
  site,
  { ...spa, client_id: "free" },
]
const settings = {
  clients,
  client_certificate_header: "Client-Cert",
  client_certificate_authorities: [authority.pem, old.pem],
  mtls_url: "https://mtls.example.com",
}
const module = builtWith(settings)
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Introspect, oauth2Par, oauth2Revoke, oauth2Token, oauth2Userinfo, wellKnownOpenidConfiguration } =
  module.endpoints

const signedUp = () => signedUpTo("ada@example.com", auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>
type Headers = { readonly dpop?: string; readonly client_certificate?: string }

const codeOf = <A, E extends AuthError, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }): string => _tag })
const token = (input: object, headers: Headers = {}) => Effect.map(answer(oauth2Token, input, null, auth, headers), ({ body }) => body)
const withCertificate = (client_certificate: string): Headers => ({ client_certificate })
const ownToken = (client_id: string, client_certificate = own.field, more: object = {}) =>
  token({ grant_type: "client_credentials", client_id, ...more }, { client_certificate })
const outcome = (client_id: string, client_certificate?: string) => codeOf(ownToken(client_id, client_certificate))
const codeFor = Effect.fnUntraced(function* (their: Browser, client_id: string) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...requests.spa, client_id })
  return new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
})
const userinfo = (access_token: string, headers: Headers = {}) =>
  codeOf(answer(oauth2Userinfo, {}, `Bearer ${access_token}`, auth, headers))
const thumbprintOf = ({ der }: { readonly der: string }) => createHash("sha256").update(Buffer.from(der, "base64")).digest("base64url")

describe("tls_client_auth", () => {
  rule("authenticates a client by the registered subject of its certificate", function* () {
    for (const client_id of ["dn", "dns", "uri", "ip", "email"]) {
      assert.strictEqual(yield* outcome(client_id), "ok", client_id)
      assert.strictEqual(yield* outcome(`other ${client_id}`), "invalid_client", client_id)
    }
  })

  rule("accepts the certificate in both forms, and nothing else", function* () {
    assert.strictEqual(yield* outcome("dn", own.escaped), "ok")
    for (const field of [
      "",
      own.pem.slice(30),
      own.der,
      `:${own.der}`,
      `${own.field}, ${own.field}`,
      own.escaped + own.escaped,
      "::",
      "%",
      "x",
    ])
      assert.strictEqual(yield* outcome("dn", field), "invalid_client", field.slice(0, 40))
    assert.strictEqual(yield* codeOf(token({ grant_type: "client_credentials", client_id: "dn" })), "invalid_client")
  })

  rule("accepts only certificates for clients that a configured authority has issued", function* () {
    const outcomeOf = (options: Parameters<typeof certificate>[0]) =>
      Effect.flatMap(
        Effect.promise(() => certificate({ name, ...options })),
        ({ field }) => outcome("dn", field),
      )
    assert.strictEqual(yield* outcomeOf({ issuer: authority }), "ok")
    assert.strictEqual(yield* outcomeOf({ issuer: authority, usages: [serverAuth] }), "invalid_client")
    assert.strictEqual(yield* outcomeOf({ issuer: impostor }), "invalid_client")
    assert.strictEqual(yield* outcomeOf({ issuer: own }), "invalid_client")
    assert.strictEqual(yield* outcome("dn", selfSigned.field), "invalid_client")
    assert.strictEqual(yield* outcomeOf({ issuer: old }), "ok")
    yield* TestClock.adjust("1001 seconds")
    assert.strictEqual(yield* outcomeOf({ issuer: old }), "invalid_client")
  })

  rule("refuses a certificate before and after its validity", function* () {
    const { field } = yield* Effect.promise(() => certificate({ name, issuer: authority, from: 10, to: 20 }))
    for (const [wait, expected] of [
      [9, "invalid_client"],
      [1, "ok"],
      [10, "ok"],
      [1, "invalid_client"],
    ] as const) {
      yield* TestClock.adjust(`${wait} seconds`)
      assert.strictEqual(yield* outcome("dn", field), expected)
    }
  })

  rule("does not replace another method", function* () {
    const request = { grant_type: "client_credentials", client_id: "dn" }
    assert.strictEqual(yield* codeOf(token({ ...request, client_secret: "x" }, withCertificate(own.field))), "invalid_client")
    const code = { grant_type: "authorization_code", code: "x", redirect_uri: requests.spa.redirect_uri, client_id: "site" }
    assert.strictEqual(yield* codeOf(token(code, withCertificate(own.field))), "invalid_client")
    assert.strictEqual(yield* codeOf(answer(oauth2Token, request, "Basic ZG46", auth, withCertificate(own.field))), "invalid_client")
  })

  rule("works at the other endpoints of clients", function* () {
    const { access_token } = yield* ownToken("dn")
    const asClient = (headers: Headers) => answer(oauth2Introspect, { client_id: "dn", token: access_token }, null, auth, headers)
    assert.isTrue((yield* asClient(withCertificate(own.field))).body.active)
    assert.strictEqual(yield* codeOf(asClient({})), "invalid_client")
    assert.strictEqual(yield* codeOf(answer(oauth2Revoke, { client_id: "dn", token: access_token }, null, auth)), "invalid_client")
    assert.strictEqual(yield* codeOf(answer(oauth2Par, { ...requests.spa, client_id: "dn" }, null, auth)), "invalid_client")
  })
})

describe("self_signed_tls_client_auth", () => {
  rule("authenticates a client by a certificate in its keys", function* () {
    assert.strictEqual(yield* outcome("self", selfSigned.field), "ok")
    assert.strictEqual(yield* outcome("self", selfSigned.escaped), "ok")
    assert.strictEqual(yield* outcome("self", own.field), "invalid_client")
    const { field } = yield* Effect.promise(() => certificate({ name, names: [...names] }))
    assert.strictEqual(yield* outcome("self", field), "invalid_client")
  })
})

describe("a token that is bound to a certificate", () => {
  rule("names the certificate in JWTs and introspection", function* () {
    const { access_token, token_type } = yield* ownToken("self", selfSigned.field)
    assert.strictEqual(token_type, "Bearer")
    const cnf = { "x5t#S256": thumbprintOf(selfSigned) }
    assert.deepStrictEqual(decodeJwt(access_token)["cnf"], cnf)
    const request = { client_id: "self", token: access_token }
    const { body } = yield* answer(oauth2Introspect, request, null, auth, withCertificate(selfSigned.field))
    assert.deepInclude(body, { active: true, cnf })
    assert.notProperty(decodeJwt((yield* ownToken("self", selfSigned.field)).access_token), "jkt")
  })

  rule("is accepted with this certificate only", function* () {
    const ada = yield* signedUp()
    const { access_token } = yield* token(presented.spa(yield* codeFor(ada, "spa")), withCertificate(own.field))
    assert.strictEqual(yield* userinfo(access_token, withCertificate(own.escaped)), "ok")
    assert.strictEqual(yield* userinfo(access_token, withCertificate(second.field)), "invalid_token")
    assert.strictEqual(yield* userinfo(access_token), "invalid_token")
    const free = yield* token({ ...presented.spa(yield* codeFor(ada, "free")), client_id: "free" }, withCertificate(own.field))
    assert.strictEqual(yield* userinfo(free.access_token), "ok")
  })

  rule("is the only one that the client gets", function* () {
    const ada = yield* signedUp()
    assert.strictEqual(yield* codeOf(token(presented.spa(yield* codeFor(ada, "spa")))), "invalid_request")
    assert.strictEqual(yield* codeOf(token(presented.spa(yield* codeFor(ada, "spa")), withCertificate("x"))), "invalid_request")
  })

  rule("can be bound to a DPoP key too, also under mtls_url", function* () {
    const ada = yield* signedUp()
    const key = yield* Effect.promise(() => dpopKey())
    const htu = "https://mtls.example.com/api/auth/oauth2/token"
    const proof = yield* proved(key, "/oauth2/token", { htu })
    const { access_token, token_type } = yield* token(presented.spa(yield* codeFor(ada, "spa")), {
      ...proof,
      ...withCertificate(own.field),
    })
    assert.strictEqual(token_type, "DPoP")
    const atUserinfo = () => proved(key, "/oauth2/userinfo", { htm: "GET", ath: challengeOf(access_token) })
    const sent = (headers: Headers) => codeOf(answer(oauth2Userinfo, {}, `DPoP ${access_token}`, auth, headers))
    assert.strictEqual(yield* sent(yield* atUserinfo()), "invalid_token")
    assert.strictEqual(yield* sent(withCertificate(own.field)), "invalid_dpop_proof")
    assert.strictEqual(yield* sent({ ...(yield* atUserinfo()), ...withCertificate(own.field) }), "ok")
  })
})

describe("a refresh token issued with a token that is bound to a certificate", () => {
  const refresh = (refresh_token: string | undefined, credentials: object, field: string) =>
    token({ grant_type: "refresh_token", refresh_token, ...credentials }, withCertificate(field))

  rule("of a public client is bound too, and then not replaced", function* () {
    const ada = yield* signedUp()
    const { refresh_token } = yield* token(presented.spa(yield* codeFor(ada, "spa")), withCertificate(own.field))
    const credentials = { client_id: "spa" }
    assert.strictEqual(yield* codeOf(refresh(refresh_token, credentials, second.field)), "invalid_grant")
    const renewed = yield* refresh(refresh_token, credentials, own.field)
    assert.notProperty(renewed, "refresh_token")
    assert.strictEqual(yield* userinfo(renewed.access_token, withCertificate(own.field)), "ok")
    assert.lengthOf(yield* rows(RefreshFamilies), 1)
  })

  rule("of a confidential client is bound to the client: the certificate may change", function* () {
    const ada = yield* signedUp()
    const credentials = { client_id: "site", client_secret: site.client_secret }
    const { refresh_token } = yield* token({ ...presented.spa(yield* codeFor(ada, "site")), ...credentials }, withCertificate(own.field))
    const { access_token } = yield* refresh(refresh_token, credentials, second.field)
    assert.strictEqual(yield* userinfo(access_token, withCertificate(second.field)), "ok")
    assert.strictEqual(yield* userinfo(access_token, withCertificate(own.field)), "invalid_token")
  })
})

describe("a client that registers itself", () => {
  const registration_tokens = ["an-initial-access-token-of-this-test"]
  const named = { token_endpoint_auth_method: "tls_client_auth", tls_client_auth_san_dns: "new.example.com", ...bound }
  const registered = (more: object) => {
    const other = builtWith({ registration_tokens, ...more })
    const request = { ...named, redirect_uris: ["https://new.example.com/"] }
    return answer(other.endpoints.oauth2Register, request, `Bearer ${registration_tokens[0]}`, AuthOf.make([...core, other]))
  }
  const { client_certificate_header, client_certificate_authorities } = settings

  rule("can use certificates if the service does", function* () {
    const { body } = yield* registered({ client_certificate_header, client_certificate_authorities })
    assert.deepInclude(body, named)
    assert.notProperty(body, "client_secret")
    for (const more of [{}, { client_certificate_header }]) assert.strictEqual(yield* codeOf(registered(more)), "invalid_client_metadata")
  })
})

describe("a client with the security profile fapi2", () => {
  rule("can use its certificate in place of an assertion and DPoP", function* () {
    const ada = yield* signedUp()
    const credentials = { client_id: "bank" }
    const headers = withCertificate(selfSigned.field)
    const push = (headers: Headers) => answer(oauth2Par, { ...requests.spa, ...credentials }, null, auth, headers)
    assert.strictEqual(yield* codeOf(push({})), "invalid_client")
    const { request_uri } = (yield* push(headers)).body
    const { redirect } = yield* ada.body(oauth2Authorize, { ...credentials, request_uri })
    const code = new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
    const { access_token } = yield* token({ ...presented.spa(code), ...credentials }, headers)
    assert.strictEqual(yield* userinfo(access_token, headers), "ok")
    assert.strictEqual(yield* userinfo(access_token), "invalid_token")
  })
})

describe("the metadata", () => {
  rule("name the methods, the bound tokens and the endpoints for certificates", function* () {
    const { body } = yield* answer(wellKnownOpenidConfiguration, {}, null, auth)
    assert.includeMembers([...body.token_endpoint_auth_methods_supported], ["tls_client_auth", "self_signed_tls_client_auth"])
    assert.isTrue(body.tls_client_certificate_bound_access_tokens)
    assert.deepStrictEqual(body.mtls_endpoint_aliases, {
      token_endpoint: "https://mtls.example.com/api/auth/oauth2/token",
      revocation_endpoint: "https://mtls.example.com/api/auth/oauth2/revoke",
      introspection_endpoint: "https://mtls.example.com/api/auth/oauth2/introspect",
      pushed_authorization_request_endpoint: "https://mtls.example.com/api/auth/oauth2/par",
      device_authorization_endpoint: "https://mtls.example.com/api/auth/oauth2/device-authorization",
      userinfo_endpoint: "https://mtls.example.com/api/auth/oauth2/userinfo",
    })
    const without = builtWith({ clients: [spa] })
    const { body: plain } = yield* answer(without.endpoints.wellKnownOpenidConfiguration, {}, null, AuthOf.make([...core, without]))
    assert.notProperty(plain, "tls_client_certificate_bound_access_tokens")
    assert.notProperty(plain, "mtls_endpoint_aliases")
  })
})
