import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { assertionType } from "../../../../application/modules/idp/clients/client-assertion.ts"
import { StoredClients } from "../../../../application/modules/idp/clients/stored-clients.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { PublicFetch } from "../../../../domain/ports/public-fetch.ts"
import { rulesOf } from "../../../rule.ts"
import { core, rows, signedUp as signedUpTo } from "../../../world.ts"
import { responding } from "./client-keys.ts"
import { administrators, builtWith, call, issuer, requests, spa } from "./provider.ts"

const initial = "an-initial-access-token-of-forty-characters"
const module = builtWith({ clients: [spa], registration_tokens: [initial], signing_algorithms: ["EdDSA", "RS256"] })
const modules = [...core, administrators, module]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { oauth2Register, oauth2RegisterRead, oauth2RegisterUpdate, oauth2RegisterDelete, oauth2Introspect } = module.endpoints
const { oauth2Authorize, wellKnownOpenidConfiguration } = module.endpoints

const withAddresses = builtWith({
  clients: [{ ...spa, scopes: ["openid", "address", "phone", "read:all"] }],
  registration_tokens: [initial],
})
const personal = [...core, administrators, withAddresses]

const redirect_uris = ["https://wiki.example.com/callback"]
const register = (metadata: object, token: string) => call(oauth2Register, metadata, `Bearer ${token}`, auth)
type Registered = Effect.Success<ReturnType<typeof register>> & { readonly registration_access_token: string }
const registered = (metadata: object = { redirect_uris }, token = initial) =>
  Effect.map(register(metadata, token), (answer) => answer as Registered)
const refusal = <A>(effect: Effect.Effect<A, { readonly _tag: string }, any>) => Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
const managed = (endpoint: typeof oauth2RegisterRead, client_id: string, token: string) =>
  call(endpoint, { client_id }, `Bearer ${token}`, auth)
const updated = (client_id: string, token: string, metadata: object) =>
  call(oauth2RegisterUpdate, { client_id, ...metadata }, `Bearer ${token}`, auth)

/** Serves a file at one URL. */
const serving = (url: string, content: string) =>
  Layer.succeed(PublicFetch, { fetch: (request) => Effect.succeed(request.url === url ? responding(200, content) : responding(404)) })

describe("a client with an initial access token", () => {
  rule("registers itself, and gets a secret, its metadata and a token to manage them", function* () {
    const { client_id, client_secret, registration_access_token, ...rest } = yield* registered({
      redirect_uris,
      client_name: "The Wiki",
      grant_types: ["authorization_code", "refresh_token"],
      scope: "openid email offline_access admin:write",
      tos_uri: "https://wiki.example.com/terms",
      software_version: "1",
    })
    assert.match(String(client_secret), /^[\w-]{43}$/)
    assert.match(registration_access_token, /^[\w-]{43}$/)
    assert.deepInclude(rest, {
      redirect_uris,
      client_name: "The Wiki",
      tos_uri: "https://wiki.example.com/terms",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: "openid email offline_access",
      subject_type: "public",
      token_endpoint_auth_method: "client_secret_basic",
      id_token_signed_response_alg: "RS256",
      client_secret_expires_at: 0,
      registration_client_uri: `http://localhost:3000/api/auth/oauth2/register?client_id=${client_id}`,
    })
    assert.notProperty(rest, "software_version")
    const stored = JSON.stringify(yield* rows(StoredClients))
    for (const secret of [String(client_secret), registration_access_token]) assert.notInclude(stored, secret)
    const basic = `Basic ${btoa(`${client_id}:${String(client_secret)}`)}`
    assert.isFalse((yield* call(oauth2Introspect, { token: "unknown" }, basic, auth)).active)
  })

  rule("without scopes gets all that it can register", function* () {
    assert.strictEqual((yield* registered()).scope, "openid profile email")
    const refreshing = yield* registered({ redirect_uris, grant_types: ["authorization_code", "refresh_token"] })
    assert.strictEqual(refreshing.scope, "openid profile email offline_access")
  })

  rulesOf(personal)("can register the scopes of the standard claims that a configured client has, but no other scope of it", function* () {
    const { scope } = yield* call(withAddresses.endpoints.oauth2Register, { redirect_uris }, `Bearer ${initial}`, AuthOf.make(personal))
    assert.strictEqual(scope, "openid profile email address phone")
    assert.strictEqual((yield* registered({ redirect_uris, scope: "openid address phone read:all" })).scope, "openid")
  })

  rule("gets nothing of a user without consent", function* () {
    const { client_id } = yield* registered({ redirect_uris, token_endpoint_auth_method: "none" })
    const ada = yield* signedUpTo("ada@example.com", auth)
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, client_id, redirect_uri: redirect_uris[0] })
    assert.strictEqual(new URL(redirect).searchParams.get("error"), "consent_required")
  })

  rule("cannot register what the configuration refuses, nor grants and scopes of its own", function* () {
    const invalid: ReadonlyArray<readonly [object, string]> = [
      [{ redirect_uris: ["http://wiki.example.com/"] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["https://wiki.example.com/#part"] }, "invalid_redirect_uri"],
      [{}, "invalid_client_metadata"],
      [{ redirect_uris: "https://wiki.example.com/" }, "invalid_client_metadata"],
      [{ redirect_uris, grant_types: ["client_credentials"] }, "invalid_client_metadata"],
      [{ redirect_uris, grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"] }, "invalid_client_metadata"],
      [{ redirect_uris, grant_types: ["implicit"] }, "invalid_client_metadata"],
      [{ redirect_uris, response_types: ["id_token"] }, "invalid_client_metadata"],
      [{ redirect_uris, scope: "admin:write" }, "invalid_client_metadata"],
      [{ redirect_uris, token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
      [{ redirect_uris, subject_type: "secret" }, "invalid_client_metadata"],
      [{ redirect_uris: [...redirect_uris, "https://other.example.com/"], subject_type: "pairwise" }, "invalid_client_metadata"],
      [{ redirect_uris, id_token_signed_response_alg: "ES256" }, "invalid_client_metadata"],
      [{ redirect_uris, jwks: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } }, "invalid_client_metadata"],
    ]
    for (const [metadata, code] of invalid) assert.strictEqual(yield* refusal(registered(metadata)), code, JSON.stringify(metadata))
    assert.deepStrictEqual(yield* rows(StoredClients), [])
  })

  rule("can have keys, with assertions for the token endpoint as in OpenID Connect, and metadata say so", function* () {
    const { publicKey, privateKey } = yield* Effect.promise(() => generateKeyPair("ES256"))
    const jwks = { keys: [yield* Effect.promise(() => exportJWK(publicKey))] }
    const { client_id } = yield* registered({ redirect_uris, token_endpoint_auth_method: "private_key_jwt", jwks })
    for (const aud of [issuer, `${issuer}/oauth2/token`]) {
      const claims = { iss: client_id, sub: client_id, aud, exp: 60, jti: aud }
      const assertion = yield* Effect.promise(() => new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey))
      const input = { token: "unknown", client_assertion: assertion, client_assertion_type: assertionType }
      assert.isFalse((yield* call(oauth2Introspect, input, null, auth)).active)
    }
    const metadata = yield* call(wellKnownOpenidConfiguration, {}, null, auth)
    assert.include(metadata.token_endpoint_auth_methods_supported, "private_key_jwt")
    assert.include(metadata.token_endpoint_auth_signing_alg_values_supported ?? [], "ES256")
    assert.include(metadata.request_object_signing_alg_values_supported ?? [], "ES256")
    assert.isTrue(metadata.request_parameter_supported)
  })

  rule("needs the token", function* () {
    assert.strictEqual(yield* refusal(registered({ redirect_uris }, `${initial}x`)), "invalid_token")
    assert.strictEqual(yield* refusal(call(oauth2Register, { redirect_uris }, null, auth)), "unauthorized")
  })

  const sector_identifier_uri = "https://wiki.example.com/sector.json"
  rule("with a sector needs the sector's file to list its redirect URIs", function* () {
    const within = (content: string) =>
      registered({ redirect_uris, sector_identifier_uri }).pipe(Effect.provide(serving(sector_identifier_uri, content)))
    yield* within(JSON.stringify(["https://other.example.com/", ...redirect_uris]))
    const pairwise = { redirect_uris, sector_identifier_uri, subject_type: "pairwise" }
    const listed = serving(sector_identifier_uri, JSON.stringify(redirect_uris))
    assert.deepInclude(yield* Effect.provide(registered(pairwise), listed), { subject_type: "pairwise", sector_identifier_uri })
    for (const content of ['["https://other.example.com/"]', "{}", "no JSON"])
      assert.strictEqual(yield* refusal(within(content)), "invalid_client_metadata")
  })
})

describe("a registered client", () => {
  rule("reads and replaces its metadata with its own token, and keeps its secret", function* () {
    const { client_id, client_secret, registration_access_token: token } = yield* registered({ redirect_uris, client_name: "The Wiki" })
    const shown = yield* managed(oauth2RegisterRead, client_id, token)
    assert.deepInclude(shown, { client_name: "The Wiki" })
    assert.notProperty(shown, "client_secret")
    const changed = yield* updated(client_id, token, { redirect_uris: ["https://pedia.example.com/"] })
    assert.deepInclude(changed, { redirect_uris: ["https://pedia.example.com/"] })
    assert.notProperty(changed, "client_name")
    const basic = `Basic ${btoa(`${client_id}:${String(client_secret)}`)}`
    yield* call(oauth2Introspect, { token: "unknown" }, basic, auth)
  })

  rule("is managed with its own token only", function* () {
    const [one, other] = [yield* registered(), yield* registered()]
    for (const token of [other.registration_access_token, initial, "unknown"]) {
      assert.strictEqual(yield* refusal(managed(oauth2RegisterRead, one.client_id, token)), "invalid_token")
      assert.strictEqual(yield* refusal(updated(one.client_id, token, { redirect_uris })), "invalid_token")
    }
    assert.strictEqual(yield* refusal(managed(oauth2RegisterRead, "spa", initial)), "invalid_token")
  })

  rule("removes itself", function* () {
    const { client_id, registration_access_token: token } = yield* registered()
    yield* call(oauth2RegisterDelete, { client_id }, `Bearer ${token}`, auth)
    assert.deepStrictEqual(yield* rows(StoredClients), [])
    assert.strictEqual(yield* refusal(managed(oauth2RegisterRead, client_id, token)), "invalid_token")
  })
})

describe("registration", () => {
  rule("is in the metadata, and off by default", function* () {
    const metadata = yield* call(wellKnownOpenidConfiguration, {}, null, auth)
    assert.strictEqual(metadata.registration_endpoint, "http://localhost:3000/api/auth/oauth2/register")
    const without = builtWith({ clients: [spa] })
    const off = AuthOf.make([...core, administrators, without])
    assert.notProperty(yield* call(without.endpoints.wellKnownOpenidConfiguration, {}, null, off), "registration_endpoint")
    assert.strictEqual(yield* refusal(call(without.endpoints.oauth2Register, { redirect_uris }, `Bearer ${initial}`, off)), "invalid_token")
  })
})
