import { Effect, Schema } from "effect"
import { faults } from "../../../service/faults.ts"
import { InvalidClientMetadata, InvalidRedirectUri } from "../errors.ts"
import { algorithmsOf, knownScopes, type Settings } from "../settings.ts"
import { deviceCodeGrant, Metadata } from "./client.ts"
import { standardClaims } from "./standard-claims.ts"

const Text = Schema.optionalKey(Schema.String)
const Texts = Schema.optionalKey(Schema.Array(Schema.String))

/** The metadata that clients register (RFC 7591 section 2, OpenID Connect Registration section 2). Others are ignored. */
export const RegistrationMetadata = Schema.Struct({
  redirect_uris: Texts,
  token_endpoint_auth_method: Text,
  grant_types: Texts,
  response_types: Texts,
  scope: Text,
  client_name: Text,
  client_uri: Text,
  logo_uri: Text,
  policy_uri: Text,
  tos_uri: Text,
  jwks: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  jwks_uri: Text,
  subject_type: Text,
  sector_identifier_uri: Text,
  id_token_signed_response_alg: Text,
  userinfo_signed_response_alg: Text,
  post_logout_redirect_uris: Texts,
  backchannel_logout_uri: Text,
  frontchannel_logout_uri: Text,
  frontchannel_logout_session_required: Schema.optionalKey(Schema.Boolean),
  require_pushed_authorization_requests: Schema.optionalKey(Schema.Boolean),
  require_signed_request_object: Schema.optionalKey(Schema.Boolean),
  dpop_bound_access_tokens: Schema.optionalKey(Schema.Boolean),
  tls_client_certificate_bound_access_tokens: Schema.optionalKey(Schema.Boolean),
  tls_client_auth_subject_dn: Text,
  tls_client_auth_san_dns: Text,
  tls_client_auth_san_uri: Text,
  tls_client_auth_san_ip: Text,
  tls_client_auth_san_email: Text,
})
export type RegistrationMetadata = typeof RegistrationMetadata.Type

/** The members that settings of clients have under the same name. */
const { grant_types: _, response_types: __, scope: ___, ...same } = RegistrationMetadata.fields

/** The grants that a client can register: not `client_credentials` and token exchange, which need no user. */
const registrable = ["authorization_code", "refresh_token", deviceCodeGrant]
/** The scopes that a client can register: those of the standard claims that the service has, and `offline_access`. */
const registrableScopes = (settings: Settings) => [
  ...knownScopes(settings).filter((scope) => scope === "openid" || Object.hasOwn(standardClaims, scope)),
  "offline_access",
]

const invalid = (member: string, wanted: string) => new InvalidClientMetadata({ message: `${member}: wanted ${wanted}` })

const only = Effect.fnUntraced(function* only(member: string, given: ReadonlyArray<string>, permitted: ReadonlyArray<string>) {
  if (!given.every((each) => permitted.includes(each))) return yield* invalid(member, permitted.join(", "))
})

/** OpenID Connect Registration section 2 makes RS256 the default; a service without RS256 keys signs with the first of its algorithms. */
const defaultAlgorithm = (settings: Settings) => {
  const [first, ...rest] = algorithmsOf(settings)
  return rest.includes("RS256") ? "RS256" : first
}

/** The metadata of a client that registers itself. It always needs the user's consent. */
export const registeredMetadata = Effect.fnUntraced(function* registeredMetadata(settings: Settings, given: RegistrationMetadata) {
  const { grant_types = ["authorization_code"], response_types = ["code"], scope } = given
  yield* only("grant_types", grant_types, registrable)
  yield* only("response_types", response_types, ["code"])
  const scopes = registrableScopes(settings)
  const requested = scope === undefined ? scopes : [...new Set(scope.split(" "))].filter((each) => scopes.includes(each))
  const refresh_tokens = grant_types.includes("refresh_token")
  const written = {
    ...Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(same, name))),
    token_endpoint_auth_method: given.token_endpoint_auth_method ?? "client_secret_basic",
    grant_types: grant_types.filter((each) => each !== "refresh_token"),
    refresh_tokens,
    scopes: requested.filter((each) => each !== "offline_access" || refresh_tokens),
    id_token_signed_response_alg: given.id_token_signed_response_alg ?? defaultAlgorithm(settings),
    // What libraries send by default (OpenID Connect Core section 9); a client cannot register another rule.
    assertion_audience: "endpoint",
    consent: true,
  }
  return yield* Effect.mapError(Schema.decodeUnknownEffect(Metadata)(written), ({ issue }) => {
    const found = faults(issue)
    return found.member === "redirect_uris" ? new InvalidRedirectUri(found) : new InvalidClientMetadata(found)
  })
})

/** The registered metadata as clients read it. */
export const shownMetadata = (metadata: Metadata) => {
  const { scopes: all, refresh_tokens, consent: _, ...rest } = metadata
  const defined = Object.entries(rest).filter(([name, value]) => value !== null && Object.hasOwn(same, name))
  return {
    ...Object.fromEntries(defined),
    grant_types: [...metadata.grant_types, ...(refresh_tokens ? ["refresh_token"] : [])],
    response_types: ["code"],
    scope: all.join(" "),
  }
}
