import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { identityProvider } from "../../../../application/modules/idp/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Core from "../../../../domain/settings.ts"
import { core } from "../../../world.ts"
import { builtWith, call, issuer, rule, settingsOf, spa, web } from "./provider.ts"

const decode = Schema.decodeUnknownEffect(identityProvider.settings)
const faultsOf = (settings: unknown, shared: Record<string, unknown> = {}) =>
  Effect.map(Effect.orDie(Core.decode(shared)), (core) =>
    identityProvider.faults(settingsOf(settings), { ...shared, ...core }).map(({ path }) => path.join(".")),
  )

describe("the settings of the identity provider", () => {
  it("have defaults", () => {
    assert.deepStrictEqual(settingsOf({}), {
      clients: [],
      registration_tokens: [],
      resources: [],
      metadata_clients: null,
      open_registration: null,
      allow_private_addresses: false,
      code_ttl: 60,
      id_token_ttl: 3600,
      refresh_token_idle_ttl: 1_209_600,
      refresh_token_ttl: 7_776_000,
      refresh_token_grace: 10,
      signing_algorithms: ["EdDSA"],
      key_rotation: 7_776_000,
      require_dpop_nonce: false,
      client_certificate_header: null,
      client_certificate_authorities: [],
      mtls_url: null,
    })
    const [client] = settingsOf({ clients: [spa] }).clients
    assert.deepStrictEqual(client, {
      ...spa,
      client_secret: Redacted.make(""),
      scopes: ["openid", "profile", "email"],
      id_token_signed_response_alg: "EdDSA",
      token_endpoint_auth_method: null,
      jwks: null,
      assertion_audience: "issuer",
      require_pkce: null,
      require_pushed_authorization_requests: false,
      refresh_tokens: false,
      access_token_format: "opaque",
      userinfo_signed_response_alg: null,
      resource_server: false,
      access_token_ttl: null,
      service_account: null,
      jwks_uri: null,
      dpop_bound_access_tokens: false,
      security_profile: null,
      grant_types: ["authorization_code"],
      resources: [],
      require_signed_request_object: false,
      consent: false,
      accepts_impersonation: false,
      client_name: null,
      client_uri: null,
      logo_uri: null,
      policy_uri: null,
      tos_uri: null,
      introspection_signed_response_alg: null,
      subject_type: "public",
      sector_identifier_uri: null,
      post_logout_redirect_uris: [],
      backchannel_logout_uri: null,
      frontchannel_logout_uri: null,
      frontchannel_logout_session_required: false,
      tls_client_auth_subject_dn: null,
      tls_client_auth_san_dns: null,
      tls_client_auth_san_uri: null,
      tls_client_auth_san_ip: null,
      tls_client_auth_san_email: null,
      tls_client_certificate_bound_access_tokens: false,
    })
    assert.notInclude(JSON.stringify(settingsOf({ clients: [web] })), web.client_secret)
  })

  it.effect("refuse invalid clients", () =>
    Effect.gen(function* () {
      const { client_secret: _, ...secretless } = spa
      const { client_id: __, ...nameless } = spa
      for (const client of [
        secretless,
        nameless,
        { ...spa, client_id: "" },
        { ...spa, client_id: "ä" },
        { ...spa, client_secret: "a\nb" },
        { ...spa, redirect_uris: ["javascript:alert(1)"] },
        { ...spa, redirect_uris: ["https://spa.example.com/#"] },
        { ...spa, redirect_uris: ["http://spa.example.com/"] },
        { ...spa, scopes: [] },
        { ...spa, scopes: ["openid email"] },
        { ...spa, scopes: ['"'] },
      ]) {
        yield* Effect.flip(decode({ clients: [client] }))
      }
      for (const ttl of [0, -1, 1.5, "60"]) {
        yield* Effect.flip(decode({ code_ttl: ttl }))
        yield* Effect.flip(decode({ id_token_ttl: ttl }))
      }
    }),
  )

  it.effect("report duplicates", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faultsOf({ clients: [spa, web] }), [])
      assert.deepStrictEqual(yield* faultsOf({ clients: [spa, web, { ...web, client_id: "spa" }] }), ["clients.2.client_id"])
      const [uri] = spa.redirect_uris
      const repeated = { ...spa, redirect_uris: [uri, uri], scopes: ["openid", "email", "openid"] }
      assert.deepStrictEqual(yield* faultsOf({ clients: [web, repeated] }), ["clients.1.redirect_uris.1", "clients.1.scopes.2"])
    }),
  )

  it.effect("report what certificates need", () =>
    Effect.gen(function* () {
      const pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----"
      const behindProxy = { trusted_proxies: ["10.0.0.0/8"] }
      const header = { client_certificate_header: "Client-Cert" }
      const both = { ...header, client_certificate_authorities: [pem] }
      const named = { ...web, client_secret: "", token_endpoint_auth_method: "tls_client_auth", tls_client_auth_san_dns: "a.example.com" }
      const { tls_client_auth_san_dns: _, ...nameless } = named
      const own = { ...nameless, token_endpoint_auth_method: "self_signed_tls_client_auth", jwks_uri: "https://web.example.com/keys" }
      const bound = { ...web, tls_client_certificate_bound_access_tokens: true }
      const method = "clients.0.token_endpoint_auth_method"
      for (const [settings, expected] of [
        [header, []],
        [{ ...both, clients: [named] }, []],
        [{ ...header, clients: [own] }, []],
        [{ ...header, clients: [bound] }, []],
        [{ clients: [bound] }, [method]],
        [{ clients: [own] }, [method]],
        [{ ...header, clients: [named] }, [method]],
        [{ ...both, clients: [nameless] }, ["clients.0.tls_client_auth_subject_dn"]],
        [{ ...both, clients: [{ ...named, tls_client_auth_subject_dn: "CN=a" }] }, ["clients.0.tls_client_auth_subject_dn"]],
        [{ ...both, clients: [{ ...web, tls_client_auth_san_dns: "a" }] }, ["clients.0.tls_client_auth_subject_dn"]],
        [{ ...both, clients: [{ ...named, client_secret: "x" }] }, ["clients.0.client_secret"]],
        [{ ...header, clients: [{ ...own, jwks_uri: null }] }, ["clients.0.jwks"]],
      ] as const) {
        assert.deepStrictEqual(yield* faultsOf(settings, behindProxy), [...expected], JSON.stringify(settings))
      }
      assert.deepStrictEqual(yield* faultsOf(header), ["client_certificate_header"])
      for (const wrong of [
        { client_certificate_header: "a b" },
        { client_certificate_authorities: ["x"] },
        { client_certificate_authorities: [pem + pem] },
        { mtls_url: "https://mtls.example.com/" },
        { mtls_url: "http://mtls.example.com" },
        { clients: [{ ...named, tls_client_auth_subject_dn: "client" }] },
        { clients: [{ ...nameless, tls_client_auth_san_ip: "a.example.com" }] },
      ]) {
        assert.strictEqual((yield* Effect.exit(decode(wrong)))._tag, "Failure", JSON.stringify(wrong))
      }
    }),
  )

  it.effect("report what contradicts each other", () =>
    Effect.gen(function* () {
      const scopes = ["openid", "offline_access"]
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...spa, scopes, refresh_tokens: true }] }), [])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...spa, scopes }] }), ["clients.0.scopes"])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...spa, redirect_uris: [] }] }), ["clients.0.redirect_uris"])
      const machine = { ...web, redirect_uris: [], grant_types: ["client_credentials"] }
      assert.deepStrictEqual(yield* faultsOf({ clients: [machine] }), [])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...web, grant_types: ["client_credentials"] }] }), ["clients.0.redirect_uris"])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...machine, client_secret: "" }] }), ["clients.0.grant_types"])
      const exchanging = { ...machine, grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"] }
      assert.deepStrictEqual(yield* faultsOf({ clients: [exchanging] }), [])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...exchanging, client_secret: "" }] }), ["clients.0.grant_types"])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...exchanging, consent: true }] }), ["clients.0.grant_types"])
      const jwks_uri = "https://web.example.com/keys"
      const fapi = { ...web, client_secret: "", token_endpoint_auth_method: "private_key_jwt", jwks_uri, security_profile: "fapi2" }
      assert.deepStrictEqual(yield* faultsOf({ clients: [fapi] }), [])
      const loose = { ...web, security_profile: "fapi2", id_token_signed_response_alg: "RS256", assertion_audience: "endpoint" }
      assert.deepStrictEqual(yield* faultsOf({ clients: [loose] }), [
        "clients.0.token_endpoint_auth_method",
        "clients.0.id_token_signed_response_alg",
        "clients.0.assertion_audience",
      ])
      const signing = { ...web, require_signed_request_object: true }
      assert.deepStrictEqual(yield* faultsOf({ clients: [signing] }), ["clients.0.require_signed_request_object"])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...signing, jwks_uri: "https://web.example.com/keys" }] }), [])
      const format = { ...spa, access_token_format: "jwt" }
      assert.deepStrictEqual(yield* faultsOf({ clients: [format, { ...format, client_id: "b", access_token_ttl: 600 }] }), [])
      assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...format, access_token_ttl: 601 }] }), ["clients.0.access_token_ttl"])
    }),
  )

  it.effect("require the page for frames at a host of the client", () =>
    Effect.gen(function* () {
      const framed = { ...spa, frontchannel_logout_uri: "https://spa.example.com/out" }
      assert.deepStrictEqual(yield* faultsOf({ clients: [framed] }), [])
      for (const frontchannel_logout_uri of ["https://spa.example.com:8443/out", "https://example.com/out"])
        assert.deepStrictEqual(yield* faultsOf({ clients: [{ ...framed, frontchannel_logout_uri }] }), [
          "clients.0.frontchannel_logout_uri",
        ])
    }),
  )
})

describe(".well-known/openid-configuration", () => {
  rule("describes the endpoints and their capabilities", function* () {
    const module = builtWith({ clients: [spa, { ...web, scopes: ["openid", "read:all"] }] })
    const { wellKnownOpenidConfiguration } = module.endpoints
    assert.deepStrictEqual(yield* call(wellKnownOpenidConfiguration, {}, null, AuthOf.make([...core, module])), {
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      introspection_endpoint: `${issuer}/oauth2/introspect`,
      pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
      device_authorization_endpoint: `${issuer}/oauth2/device-authorization`,
      userinfo_endpoint: `${issuer}/oauth2/userinfo`,
      end_session_endpoint: `${issuer}/oauth2/logout`,
      jwks_uri: `${issuer}/oauth2/jwks`,
      scopes_supported: ["openid", "profile", "email", "read:all"],
      response_types_supported: ["code"],
      response_modes_supported: ["query", "form_post"],
      grant_types_supported: ["authorization_code", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
      subject_types_supported: ["public", "pairwise"],
      id_token_signing_alg_values_supported: ["EdDSA"],
      userinfo_signing_alg_values_supported: ["EdDSA"],
      introspection_signing_alg_values_supported: ["EdDSA"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      code_challenge_methods_supported: ["S256"],
      prompt_values_supported: ["none", "login", "consent"],
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      acr_values_supported: ["1", "2"],
      claims_supported: [
        ...["iss", "sub", "aud", "iat", "exp", "auth_time", "amr", "nonce", "at_hash", "sid", "acr"],
        ...["name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture", "website"],
        ...["gender", "birthdate", "zoneinfo", "locale", "updated_at"],
        ...["email", "email_verified", "address", "phone_number", "phone_number_verified"],
      ],
      claims_parameter_supported: true,
      dpop_signing_alg_values_supported: ["ES256", "EdDSA", "PS256"],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
    })
  })
})
