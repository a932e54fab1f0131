import { Effect, Schema } from "effect"
import type { SettingsValue } from "../../../domain/settings.ts"
import * as Core from "../../../domain/settings.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { responseModes } from "./authorization/authorization-request.ts"
import { acrValues } from "./claims/acr.ts"
import { organizationClaimNames } from "./claims/organization.ts"
import { assertionAlgorithms, authMethodsOf, grantTypes, hasKeys, offlineAccess, tokenExchangeGrant } from "./clients/client.ts"
import { proofAlgorithms } from "./clients/dpop.ts"
import { standardClaims } from "./clients/standard-claims.ts"
import { issuer } from "./issuer.ts"
import { PublishedKey, publishedKeys } from "./keys/signing-keys.ts"
import { algorithmsOf, knownScopes, type Settings } from "./settings.ts"

const Texts = Schema.Array(Schema.String)

/** The provider metadata (OpenID Connect Discovery section 3, RFC 8414, RFC 9207 section 3). */
const Metadata = Schema.Struct({
  issuer: Schema.String,
  authorization_endpoint: Schema.String,
  token_endpoint: Schema.String,
  revocation_endpoint: Schema.String,
  introspection_endpoint: Schema.String,
  pushed_authorization_request_endpoint: Schema.String,
  device_authorization_endpoint: Schema.String,
  registration_endpoint: Schema.optionalKey(Schema.String),
  client_id_metadata_document_supported: Schema.optionalKey(Schema.Boolean),
  userinfo_endpoint: Schema.String,
  end_session_endpoint: Schema.String,
  jwks_uri: Schema.String,
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  subject_types_supported: Texts,
  id_token_signing_alg_values_supported: Texts,
  userinfo_signing_alg_values_supported: Texts,
  introspection_signing_alg_values_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  token_endpoint_auth_signing_alg_values_supported: Schema.optionalKey(Texts),
  revocation_endpoint_auth_methods_supported: Texts,
  introspection_endpoint_auth_methods_supported: Texts,
  code_challenge_methods_supported: Texts,
  prompt_values_supported: Texts,
  backchannel_logout_supported: Schema.Boolean,
  backchannel_logout_session_supported: Schema.Boolean,
  frontchannel_logout_supported: Schema.Boolean,
  frontchannel_logout_session_supported: Schema.Boolean,
  acr_values_supported: Texts,
  claims_supported: Texts,
  claims_parameter_supported: Schema.Boolean,
  dpop_signing_alg_values_supported: Texts,
  request_parameter_supported: Schema.Boolean,
  request_object_signing_alg_values_supported: Schema.optionalKey(Texts),
  request_uri_parameter_supported: Schema.Boolean,
  authorization_response_iss_parameter_supported: Schema.Boolean,
  tls_client_certificate_bound_access_tokens: Schema.optionalKey(Schema.Boolean),
  mtls_endpoint_aliases: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
})

const acceptsAgents = ({ metadata_clients, open_registration }: Settings) => metadata_clients !== null || open_registration !== null

/** The scopes that clients can request; agents those of the resource servers. */
const supportedScopes = (settings: Settings) => [
  ...new Set([
    ...knownScopes(settings),
    ...(acceptsAgents(settings) ? [offlineAccess, ...settings.resources.flatMap(({ scopes }) => scopes)] : []),
  ]),
]

/** The methods that clients can register beside those with a secret. */
const registrableMethods = ({ client_certificate_header, client_certificate_authorities }: Settings) => [
  "private_key_jwt",
  ...(client_certificate_header === null ? [] : ["self_signed_tls_client_auth"]),
  ...(client_certificate_header === null || client_certificate_authorities.length === 0 ? [] : ["tls_client_auth"]),
]

/** The authentication methods of the configured clients, and those that clients can register. */
const methodsOf = (settings: Settings) => [
  ...settings.clients.flatMap(authMethodsOf),
  ...(settings.registration_tokens.length === 0 ? [] : registrableMethods(settings)),
  ...(settings.metadata_clients === null ? [] : ["private_key_jwt"]),
]

/** How clients that are not public authenticate themselves: the methods of RFC 6749, and the further methods of this service. */
const confidentialMethods = (settings: Settings) => [
  ...new Set(["client_secret_basic", "client_secret_post", ...methodsOf(settings)].filter((method) => method !== "none")),
]

/** The algorithms of client assertions; none if no client uses them. */
const assertionAlgorithmsOf = (settings: Settings) => {
  const methods = methodsOf(settings)
  const algorithms = [
    ...(methods.includes("private_key_jwt") ? assertionAlgorithms : []),
    ...(methods.includes("client_secret_jwt") ? ["HS256"] : []),
  ]
  return algorithms.length === 0 ? {} : { token_endpoint_auth_signing_alg_values_supported: algorithms }
}

/** Whether a client can have the keys that sign request objects. */
const hasSigners = ({ clients, registration_tokens }: Settings) => registration_tokens.length > 0 || clients.some(hasKeys)

/** The grants of the token endpoint. Token exchange is listed only if a configured client has it. */
const grantsOf = ({ clients }: Settings) => [
  ...grantTypes.filter((grant) => grant !== tokenExchangeGrant || clients.some(({ grant_types }) => grant_types.includes(grant))),
  "refresh_token",
]

/** The endpoints that clients may call with a certificate (RFC 8705 section 5). */
const certificateEndpoints = {
  token_endpoint: "token",
  revocation_endpoint: "revoke",
  introspection_endpoint: "introspect",
  pushed_authorization_request_endpoint: "par",
  device_authorization_endpoint: "device-authorization",
  userinfo_endpoint: "userinfo",
}

/** What the service supports of certificates (RFC 8705 sections 3.3 and 5). */
const certificateMetadata = ({ client_certificate_header, mtls_url }: Settings, { base_path }: SettingsValue) => {
  if (client_certificate_header === null) return {}
  const aliases = Object.entries(certificateEndpoints).map(([name, path]) => [name, `${mtls_url}${base_path}/oauth2/${path}`])
  const supported = { tls_client_certificate_bound_access_tokens: true }
  return mtls_url === null ? supported : { ...supported, mtls_endpoint_aliases: Object.fromEntries(aliases) }
}

const metadata = (
  issuer: string,
  settings: Settings,
  core: SettingsValue,
  organizationClaims: ReadonlyArray<string>,
): typeof Metadata.Type => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth2/authorize`,
  token_endpoint: `${issuer}/oauth2/token`,
  revocation_endpoint: `${issuer}/oauth2/revoke`,
  introspection_endpoint: `${issuer}/oauth2/introspect`,
  pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
  device_authorization_endpoint: `${issuer}/oauth2/device-authorization`,
  ...(settings.registration_tokens.length === 0 && settings.open_registration === null
    ? {}
    : { registration_endpoint: `${issuer}/oauth2/register` }),
  ...(settings.metadata_clients === null ? {} : { client_id_metadata_document_supported: true }),
  userinfo_endpoint: `${issuer}/oauth2/userinfo`,
  end_session_endpoint: `${issuer}/oauth2/logout`,
  jwks_uri: `${issuer}/oauth2/jwks`,
  scopes_supported: supportedScopes(settings),
  response_types_supported: ["code"],
  response_modes_supported: responseModes,
  grant_types_supported: grantsOf(settings),
  subject_types_supported: ["public", "pairwise"],
  id_token_signing_alg_values_supported: algorithmsOf(settings),
  userinfo_signing_alg_values_supported: algorithmsOf(settings),
  introspection_signing_alg_values_supported: algorithmsOf(settings),
  token_endpoint_auth_methods_supported: [...confidentialMethods(settings), "none"],
  revocation_endpoint_auth_methods_supported: [...confidentialMethods(settings), "none"],
  introspection_endpoint_auth_methods_supported: confidentialMethods(settings),
  ...assertionAlgorithmsOf(settings),
  code_challenge_methods_supported: ["S256"],
  prompt_values_supported: [
    ...["none", "login", "consent"],
    ...(core.links.choose_account === undefined ? [] : ["select_account"]),
    ...(core.links.create_account === undefined ? [] : ["create"]),
  ],
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
  acr_values_supported: acrValues,
  claims_supported: [
    ...["iss", "sub", "aud", "iat", "exp", "auth_time", "amr", "nonce", "at_hash", "sid", "acr"],
    ...Object.values<ReadonlyArray<string>>(standardClaims).flat(),
    ...organizationClaims,
  ],
  claims_parameter_supported: true,
  dpop_signing_alg_values_supported: proofAlgorithms,
  request_parameter_supported: hasSigners(settings),
  ...(hasSigners(settings) ? { request_object_signing_alg_values_supported: assertionAlgorithms } : {}),
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
  ...certificateMetadata(settings, core),
})

/** The metadata that client libraries load first. */
export const discovery = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/.well-known/openid-configuration",
    name: "wellKnownOpenidConfiguration",
    summary: "The metadata of this identity provider.",
    access: "public",
    output: Metadata,
    protocol: {
      anyOrigin: true,
      aliases: ["/.well-known/oauth-authorization-server{base_path}", "/.well-known/openid-configuration{base_path}"],
    },
    handler: Effect.fnUntraced(function* identityProviderDiscovery() {
      return Endpoint.reply(metadata(yield* issuer, settings, yield* Core.Settings, yield* organizationClaimNames))
    }),
  })

/** The public keys. Relying parties may cache them for an hour: a new key is published for a day before it signs. */
export const jwks = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/oauth2/jwks",
    summary: "The public keys to verify id_tokens with.",
    access: "public",
    output: Schema.Struct({ keys: Schema.Array(PublishedKey) }),
    protocol: { anyOrigin: true, maxAge: 3600 },
    handler: Effect.fnUntraced(function* identityProviderKeys() {
      return Endpoint.reply(yield* publishedKeys(settings))
    }),
  })
