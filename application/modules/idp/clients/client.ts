import { Redacted, Schema } from "effect"
import { SigningAlgorithm } from "../../../../domain/ports/jose.ts"
import { about, flag, nullable, orElse, Seconds } from "../../../../domain/settings.ts"
import { isDistinguishedName } from "../../../../domain/values/distinguished-name.ts"
import { canonicalIp } from "../../../../domain/values/ip-address.ts"
import { isRedirectUri } from "../../../../domain/values/redirect-uri.ts"
import { isPrivateUrl } from "../../../../domain/values/url.ts"
import type { Resource } from "./agents/resources.ts"
import { type AgentKind, ResourceUri, ScopeToken } from "./client-values.ts"

const RedirectUri = Schema.String.check(
  Schema.makeFilter(isRedirectUri, {
    expected: "an https URL, http to localhost or a scheme with a dot, without a fragment, a user or a wildcard",
  }),
)
/** A page or a picture of a client. */
const SiteUrl = Schema.String.check(Schema.makeFilter(isPrivateUrl, { expected: "an https URL, or http to this machine" }))
const LogoutUri = SiteUrl.check(
  Schema.makeFilter((uri: string) => /^[\x21-\x7e]+$/.test(uri) && !uri.includes("#"), { expected: "a URL without a fragment" }),
)
/** The characters of a client_id and a client_secret (RFC 6749 appendix A.1 and A.2). */
const printable = { expected: "a text in printable ASCII" }

/** The methods by TLS certificates (RFC 8705 section 2). */
export const certificateMethods = ["tls_client_auth", "self_signed_tls_client_auth"] as const

/** How a client authenticates itself (OpenID Connect Core section 9, RFC 8705 section 2). */
const AuthMethod = Schema.Literals([
  ...(["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"] as const),
  ...certificateMethods,
])
export type AuthMethod = typeof AuthMethod.Type

const DistinguishedName = Schema.String.check(
  Schema.makeFilter(isDistinguishedName, { expected: "a distinguished name such as CN=client,O=Example" }),
)

const IpAddress = Schema.String.check(Schema.makeFilter((text: string) => canonicalIp(text) !== null, { expected: "an IP address" }))

/** A name in a certificate. */
const CertificateName = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,1000}$/, { expected: "a name without blanks" }))

const isPublicKey = ({ kty, d }: Readonly<Record<string, unknown>>) =>
  typeof kty === "string" && ["OKP", "EC", "RSA"].includes(kty) && d === undefined

/** A public key (RFC 7517). */
export const PublicKey = Schema.Record(Schema.String, Schema.Unknown).check(
  Schema.makeFilter(isPublicKey, { expected: "a public key (kty OKP, EC or RSA)" }),
)

/** The public keys of a client (RFC 7517). */
export const Jwks = Schema.Struct({
  keys: Schema.Array(PublicKey).check(
    Schema.isMinLength(1, { expected: "1 to 10 keys" }),
    Schema.isMaxLength(10, { expected: "1 to 10 keys" }),
  ),
})

/** What `isPublicUrl` accepts. */
export const publicUrl = "an https URL with a public host"

/** A URL that this service reads: http only to this machine, for development. */
const FetchedUrl = Schema.String.check(Schema.makeFilter(isPrivateUrl, { expected: "an https URL without a user" }))

/** The grant of devices without a browser (RFC 8628 section 3.4). */
export const deviceCodeGrant = "urn:ietf:params:oauth:grant-type:device_code"

/** The grant that exchanges a user's access token for another one (RFC 8693 section 2.1). */
export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

/** The grants that a client uses, in addition to `refresh_token` (`refresh_tokens`). */
export const grantTypes = ["authorization_code", "client_credentials", deviceCodeGrant, tokenExchangeGrant] as const
const GrantType = Schema.Literals(grantTypes)
export type GrantType = typeof GrantType.Type

/** The registered metadata of a client, without its id and its secret. */
export const Metadata = Schema.Struct({
  token_endpoint_auth_method: nullable(
    AuthMethod,
    "How the client authenticates. Null: `none` for a public client, else `client_secret_basic` or `client_secret_post`.",
  ),
  tls_client_auth_subject_dn: nullable(
    DistinguishedName,
    "The subject of the certificate for `tls_client_auth`, in exactly one of these members (RFC 8705 section 2.1.2).",
  ),
  tls_client_auth_san_dns: nullable(CertificateName, "The same by a DNS name among the alternative names of the certificate."),
  tls_client_auth_san_uri: nullable(CertificateName, "The same by a URI among the alternative names of the certificate."),
  tls_client_auth_san_ip: nullable(IpAddress, "The same by an IP address among the alternative names of the certificate."),
  tls_client_auth_san_email: nullable(CertificateName, "The same by an email address among the alternative names of the certificate."),
  jwks: nullable(
    Jwks,
    'The public keys (`{"keys": […]}`: EdDSA, ES256, PS256 or RS256) for `private_key_jwt` and signed requests, and the certificates (`x5c`) of `self_signed_tls_client_auth`. With `private_key_jwt`, the `client_secret` is the empty text.',
  ),
  jwks_uri: nullable(FetchedUrl, "The https URL of these keys, in place of `jwks`."),
  assertion_audience: Schema.Literals(["issuer", "endpoint"]).pipe(
    orElse(
      "issuer",
      "The accepted `aud` of assertions: `issuer` (only the issuer, as a string), or `endpoint` (also the token endpoint, or a list).",
    ),
  ),
  require_pkce: nullable(Schema.Boolean, "Whether authorization requests need PKCE; null: only those of public clients."),
  redirect_uris: Schema.Array(RedirectUri).pipe(
    orElse([], "The URLs to which codes are sent; required with the grant `authorization_code`."),
  ),
  grant_types: Schema.Array(GrantType)
    .check(Schema.isMinLength(1, { expected: "at least one grant" }))
    .pipe(orElse(["authorization_code"], "The grants that the client may use, besides `refresh_token`, which `refresh_tokens` permits.")),
  resources: Schema.Array(ResourceUri).pipe(
    orElse([], "The resource servers (absolute URIs) for which the client may request access tokens (RFC 8707)."),
  ),
  require_signed_request_object: flag("Whether authorization requests must be signed by the client's keys (RFC 9101)."),
  consent: flag("Whether users have to consent to what the client requests."),
  accepts_impersonation: flag(
    "Whether administrators may sign in to it in the name of users (`modules.impersonation`, mode `act`): its tokens then have the claim `act`.",
  ),
  subject_type: Schema.Literals(["public", "pairwise"]).pipe(
    orElse("public", "`pairwise`: the `sub` of a user differs from that at clients of other sectors (OpenID Connect Core section 8)."),
  ),
  sector_identifier_uri: nullable(
    SiteUrl,
    "An https URL whose host is the sector of a pairwise client; null: the host of its `redirect_uris`.",
  ),
  client_name: nullable(
    Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u, { expected: "a name of at most 64 characters" })),
    "The name that users see, at most 64 characters.",
  ),
  client_uri: nullable(SiteUrl, "The client's site, which users see."),
  logo_uri: nullable(SiteUrl, "The picture that users see."),
  policy_uri: nullable(SiteUrl, "The client's privacy policy, to which the pages that ask for consent link."),
  tos_uri: nullable(SiteUrl, "The client's terms of service, likewise."),
  post_logout_redirect_uris: Schema.Array(RedirectUri).pipe(
    orElse([], "The URLs to which the browser may return after `GET /oauth2/logout`."),
  ),
  backchannel_logout_uri: nullable(LogoutUri, "The URL that gets a logout token at the end of each session (Back-Channel Logout 1.0)."),
  frontchannel_logout_uri: nullable(
    LogoutUri,
    "The URL that the browser loads in a frame at the end of a session (Front-Channel Logout 1.0); its scheme, host and port are those of one of the `redirect_uris`.",
  ),
  frontchannel_logout_session_required: flag("Whether `frontchannel_logout_uri` gets the parameters `iss` and `sid`."),
  require_pushed_authorization_requests: flag("Whether the client must push its authorization requests (RFC 9126)."),
  dpop_bound_access_tokens: flag("Whether every access token of the client must be bound to a key (RFC 9449)."),
  tls_client_certificate_bound_access_tokens: flag("Whether every access token of the client is bound to its TLS certificate (RFC 8705)."),
  security_profile: nullable(
    Schema.Literal("fapi2"),
    "`fapi2`: pushed requests and PKCE are required, `private_key_jwt` or a certificate, and DPoP or tokens that are bound to the certificate (FAPI 2.0).",
  ),
  scopes: Schema.Array(ScopeToken)
    .check(Schema.isMinLength(1, { expected: "at least one scope" }))
    .pipe(orElse(["openid", "profile", "email"], "The scopes that the client may request, and the default of a request.")),
  service_account: nullable(
    Schema.String,
    "The id of the service account as which the client administers this service: it then has at most the permissions of both.",
  ),
  id_token_signed_response_alg: SigningAlgorithm.pipe(orElse("EdDSA", "The algorithm of ID tokens.")),
  refresh_tokens: flag("Whether the client also gets a refresh token for each code."),
  access_token_format: Schema.Literals(["opaque", "jwt"]).pipe(
    orElse("opaque", "`jwt`: resource servers can verify the access tokens by the published keys (RFC 9068)."),
  ),
  userinfo_signed_response_alg: nullable(SigningAlgorithm, "The algorithm of userinfo responses; null: JSON without a signature."),
  introspection_signed_response_alg: nullable(
    SigningAlgorithm,
    "The algorithm of introspection responses (RFC 9701); null: JSON without a signature.",
  ),
  resource_server: flag("Whether the client may introspect the access tokens of all clients, and exchange them if it has that grant."),
  access_token_ttl: nullable(
    Seconds,
    "Lifetime of access tokens in seconds; null: 10 minutes for JWTs and for tokens with a refresh token, else that of the session.",
  ),
})
export type Metadata = typeof Metadata.Type

/** A relying party in the configuration. */
export const ConfiguredClient = Schema.Struct({
  client_id: Schema.String.check(Schema.isPattern(/^[\x20-\x7e]+$/, printable)).pipe(about("Printable ASCII.")),
  client_secret: Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[\x20-\x7e]*$/, printable))).pipe(
    about("Printable ASCII; the empty text makes a public client, which must use PKCE."),
  ),
  ...Metadata.fields,
})

/** A relying party. */
export interface Client extends Metadata {
  readonly client_id: string
  /** Empty for a client without a secret, and for one in the store. */
  readonly client_secret: Redacted.Redacted<string>
  /** The hashes of the secrets of a client in the store, at most two. */
  readonly secret_hashes?: ReadonlyArray<string>
  /** Whether the service sends requests to its URLs only if they have public addresses. */
  readonly public_only?: boolean
  /** Only for an agent. */
  readonly agent?: Agent
}

/** What is particular about an agent: a client with a client ID metadata document, or one that registered without a token. */
export interface Agent {
  readonly kind: AgentKind
  /** The host that publishes the document. */
  readonly host: string | null
  /** The resource servers for which it may request access tokens. */
  readonly resources: ReadonlyArray<Resource>
  /** Whether its document was found to be gone or not valid: no user can allow it anything new. */
  readonly isWithdrawn: boolean
}

/** The scope of refresh tokens that outlive the browser's session (OpenID Connect Core section 11). */
export const offlineAccess = "offline_access"

/** Seconds: the default lifetime of access tokens that come with a refresh token, and the longest lifetime of a JWT. */
export const shortTtl = 600

/** Whether a client has a secret, in the configuration or as a hash. */
export const hasSecret = ({ client_secret, secret_hashes = [] }: Client) => Redacted.value(client_secret) !== "" || secret_hashes.length > 0

/** The methods by which a client may authenticate itself. */
export const authMethodsOf = (client: Client): ReadonlyArray<AuthMethod> => {
  if (client.token_endpoint_auth_method !== null) return [client.token_endpoint_auth_method]
  return !hasSecret(client) ? ["none"] : ["client_secret_basic", "client_secret_post"]
}

/** Whether a client is public: it cannot keep a secret (RFC 6749 section 2.1). */
export const isPublic = (client: Client): boolean => authMethodsOf(client).includes("none")

/** Whether a client needs certificates: to authenticate itself, or for its access tokens. */
export const usesCertificates = (client: Client): boolean =>
  client.tls_client_certificate_bound_access_tokens || certificateMethods.some((method) => method === client.token_endpoint_auth_method)

/** Whether a client has public keys. */
export const hasKeys = ({ jwks, jwks_uri }: Client): boolean => jwks !== null || jwks_uri !== null

/** Whether a client follows the FAPI 2.0 Security Profile. */
export const isFapi = ({ security_profile }: Client) => security_profile === "fapi2"

/** Whether requests of a client need PKCE (RFC 9700 section 2.1.1). */
export const needsPkce = (client: Client): boolean => isFapi(client) || (client.require_pkce ?? isPublic(client))

/** Whether a client must push its authorization requests (RFC 9126 section 6). */
export const needsPush = (client: Client): boolean => isFapi(client) || client.require_pushed_authorization_requests

/** Whether the token requests of a client need a DPoP proof. */
export const needsDpop = (client: Client): boolean =>
  client.dpop_bound_access_tokens || (isFapi(client) && !client.tls_client_certificate_bound_access_tokens)

/** The algorithms of assertions by private keys. */
export const assertionAlgorithms = ["EdDSA", "ES256", "PS256", "RS256"] as const

/** Whether a client may sign with an algorithm (FAPI 2.0 Security Profile section 5.4.1: not with RS256). */
export const maySign = (client: Client, alg: string): boolean =>
  assertionAlgorithms.some((known) => known === alg) && !(isFapi(client) && alg === "RS256")

/** The sector of a pairwise client (OpenID Connect Core section 8.1). */
export const sectorOf = ({ sector_identifier_uri, redirect_uris }: Client): string =>
  new URL(sector_identifier_uri ?? redirect_uris[0] ?? "").host
