import { Redacted, Schema } from "effect"
import { SigningAlgorithm } from "../../../domain/ports/jose.ts"
import { orElse, Seconds } from "../../../domain/settings.ts"
import { isPrivateUrl } from "../../../domain/values/url.ts"
import { isPrivateUse, isRedirectUri } from "./redirect-uri.ts"

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
/** One scope (RFC 6749 section 3.3). */
const ScopeToken = Schema.String.check(Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { expected: "a scope without blanks" }))

/** The characters of a client_id and a client_secret (RFC 6749 appendix A.1 and A.2). */
const printable = { expected: "a text in printable ASCII" }

/** How a client authenticates itself (OpenID Connect Core section 9). */
const AuthMethod = Schema.Literals(["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"])
export type AuthMethod = typeof AuthMethod.Type

const isPublicKey = ({ kty, d }: Readonly<Record<string, unknown>>) =>
  typeof kty === "string" && ["OKP", "EC", "RSA"].includes(kty) && d === undefined

/** The public keys of a client (RFC 7517). */
const Jwks = Schema.Struct({
  keys: Schema.Array(
    Schema.Record(Schema.String, Schema.Unknown).check(Schema.makeFilter(isPublicKey, { expected: "a public key (kty OKP, EC or RSA)" })),
  ).check(Schema.isMinLength(1, { expected: "1 to 10 keys" }), Schema.isMaxLength(10, { expected: "1 to 10 keys" })),
})

/** A relying party. */
export const Client = Schema.Struct({
  client_id: Schema.String.check(Schema.isPattern(/^[\x20-\x7e]+$/, printable)),
  /** Empty for a public client, which must use PKCE. */
  client_secret: Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[\x20-\x7e]*$/, printable))),
  /** Null: `none` for a public client, else `client_secret_basic` or `client_secret_post`. */
  token_endpoint_auth_method: Schema.NullOr(AuthMethod).pipe(orElse(null)),
  /** The keys of `private_key_jwt`. */
  jwks: Schema.NullOr(Jwks).pipe(orElse(null)),
  /** The audience of assertions: the issuer alone (FAPI 2.0 section 5.3.2.1), or the token endpoint too. */
  assertion_audience: Schema.Literals(["issuer", "endpoint"]).pipe(orElse("issuer")),
  /** Whether requests without PKCE are refused. Null: those of public clients. */
  require_pkce: Schema.NullOr(Schema.Boolean).pipe(orElse(null)),
  /** Whether users have to consent to what the client requests. */
  consent: Schema.Boolean.pipe(orElse(false)),
  /** Whether the client gets subjects that it cannot compare with those of other sectors (OpenID Connect Core section 8). */
  subject_type: Schema.Literals(["public", "pairwise"]).pipe(orElse("public")),
  /** Its host names the sector of a pairwise client. Null: the host of the redirect URIs. */
  sector_identifier_uri: Schema.NullOr(SiteUrl).pipe(orElse(null)),
  /** The name that users see. Without bidirectional controls, which could make it look like another name. */
  client_name: Schema.NullOr(
    Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u, { expected: "a name of at most 64 characters" })),
  ).pipe(orElse(null)),
  /** The client's site. */
  client_uri: Schema.NullOr(SiteUrl).pipe(orElse(null)),
  logo_uri: Schema.NullOr(SiteUrl).pipe(orElse(null)),
  redirect_uris: Schema.Array(RedirectUri).check(Schema.isMinLength(1, { expected: "at least one URL" })),
  /** Where the browser may go after RP-initiated logout. */
  post_logout_redirect_uris: Schema.Array(RedirectUri).pipe(orElse([])),
  /** Gets a logout token at the end of each session (OpenID Connect Back-Channel Logout section 2.2). */
  backchannel_logout_uri: Schema.NullOr(LogoutUri).pipe(orElse(null)),
  /** The browser loads it in a frame at the end of a session (OpenID Connect Front-Channel Logout section 2). */
  frontchannel_logout_uri: Schema.NullOr(LogoutUri).pipe(orElse(null)),
  /** Whether `frontchannel_logout_uri` gets the parameters `iss` and `sid`. */
  frontchannel_logout_session_required: Schema.Boolean.pipe(orElse(false)),
  /** Whether the client must push its authorization requests (RFC 9126). */
  require_pushed_authorization_requests: Schema.Boolean.pipe(orElse(false)),
  /** The scopes that the client may request, and the default of a request without `scope`. */
  scopes: Schema.Array(ScopeToken)
    .check(Schema.isMinLength(1, { expected: "at least one scope" }))
    .pipe(orElse(["openid", "profile", "email"])),
  id_token_signed_response_alg: SigningAlgorithm.pipe(orElse("EdDSA")),
  /** Whether a code is exchanged for a refresh token too. */
  refresh_tokens: Schema.Boolean.pipe(orElse(false)),
  /** `jwt`: resource servers can verify the access tokens by the published keys (RFC 9068). */
  access_token_format: Schema.Literals(["opaque", "jwt"]).pipe(orElse("opaque")),
  /** The algorithm of signed responses of the userinfo endpoint. Null: JSON without a signature. */
  userinfo_signed_response_alg: Schema.NullOr(SigningAlgorithm).pipe(orElse(null)),
  /** The algorithm of signed responses of the introspection endpoint (RFC 9701). Null: JSON without a signature. */
  introspection_signed_response_alg: Schema.NullOr(SigningAlgorithm).pipe(orElse(null)),
  /** Whether the client may introspect the access tokens of all clients. */
  resource_server: Schema.Boolean.pipe(orElse(false)),
  /** Lifetime of an access token, seconds. Null: as long as the session, or 10 minutes for a JWT and where a refresh token comes with it. */
  access_token_ttl: Schema.NullOr(Seconds).pipe(orElse(null)),
})
export type Client = typeof Client.Type

/** The scope of refresh tokens that outlive the browser's session (OpenID Connect Core section 11). */
export const offlineAccess = "offline_access"

/** Seconds: the default lifetime of access tokens that come with a refresh token, and the longest lifetime of a JWT. */
export const shortTtl = 600

/** The methods by which a client may authenticate itself. */
export const authMethodsOf = ({ client_secret, token_endpoint_auth_method }: Client): ReadonlyArray<AuthMethod> => {
  if (token_endpoint_auth_method !== null) return [token_endpoint_auth_method]
  return Redacted.value(client_secret) === "" ? ["none"] : ["client_secret_basic", "client_secret_post"]
}

/** Whether a client is public: it cannot keep a secret (RFC 6749 section 2.1). */
export const isPublic = (client: Client): boolean => authMethodsOf(client).includes("none")

/** Whether requests of a client need PKCE (RFC 9700 section 2.1.1). */
export const needsPkce = (client: Client): boolean => client.require_pkce ?? isPublic(client)

/** The algorithms of assertions by private keys. */
export const assertionAlgorithms = ["EdDSA", "ES256", "PS256", "RS256"] as const

/** A key for HMAC-SHA-256 has at least as many bytes as the hash (RFC 7518 section 3.2). */
const minHmacSecret = 32

/** The sector of a pairwise client (OpenID Connect Core section 8.1). */
export const sectorOf = ({ sector_identifier_uri, redirect_uris }: Client): string =>
  new URL(sector_identifier_uri ?? redirect_uris[0] ?? "").host

const hasSector = ({ subject_type, sector_identifier_uri, redirect_uris }: Client) => {
  const [host, ...others] = new Set(redirect_uris.map((uri) => new URL(uri).host))
  return subject_type === "public" || sector_identifier_uri !== null || (host !== "" && others.length === 0)
}

/** Otherwise a client could have other sites loaded in frames (OpenID Connect Front-Channel Logout section 2). */
const isBesideRedirectUri = ({ frontchannel_logout_uri: uri, redirect_uris }: Client) =>
  uri === null || redirect_uris.some((redirect_uri) => new URL(redirect_uri).origin === new URL(uri).origin)

interface ClientFault {
  readonly field: keyof Client
  readonly wanted: string
}

/** What is wrong with a client although each of its members is valid. */
export const clientFaults = (client: Client): ReadonlyArray<ClientFault> => {
  const [method] = authMethodsOf(client)
  const secret = Redacted.value(client.client_secret)
  const needsSecret = method?.startsWith("client_secret") === true
  const rules: ReadonlyArray<readonly [boolean, keyof Client, string]> = [
    [client.scopes.includes(offlineAccess) && !client.refresh_tokens, "scopes", "refresh_tokens beside offline_access"],
    [
      client.access_token_format === "jwt" && (client.access_token_ttl ?? 0) > shortTtl,
      "access_token_ttl",
      `at most ${shortTtl} seconds, since a JWT cannot be revoked everywhere`,
    ],
    [needsSecret && secret === "", "client_secret", `a secret for ${method}`],
    [!needsSecret && secret !== "", "client_secret", `"" for ${method}`],
    [
      method === "client_secret_jwt" && secret.length < minHmacSecret,
      "client_secret",
      `at least ${minHmacSecret} characters for client_secret_jwt`,
    ],
    [(method === "private_key_jwt") !== (client.jwks !== null), "jwks", "the keys of private_key_jwt, and of no other method"],
    [!hasSector(client), "sector_identifier_uri", "a URL, since the redirect_uris of a pairwise client do not have one host"],
    [!isBesideRedirectUri(client), "frontchannel_logout_uri", "a URL with the scheme, host and port of one of the redirect_uris"],
    [isPublic(client) && client.require_pkce === false, "require_pkce", "true for a client without a secret"],
    [!isPublic(client) && client.redirect_uris.some(isPrivateUse), "redirect_uris", "https for a client with a secret"],
  ]
  return rules.flatMap(([isWrong, field, wanted]) => (isWrong ? [{ field, wanted }] : []))
}
