import { Redacted } from "effect"
import { isPublicUrl } from "../../../../domain/values/public-address.ts"
import { isPrivateUse } from "../../../../domain/values/redirect-uri.ts"
import {
  authMethodsOf,
  type Client,
  certificateMethods,
  hasKeys,
  hasSecret,
  isFapi,
  isPublic,
  offlineAccess,
  publicUrl,
  shortTtl,
  tokenExchangeGrant,
} from "./client.ts"

/** A key for HMAC-SHA-256 has at least as many bytes as the hash (RFC 7518 section 3.2). */
const minHmacSecret = 32

/** The methods of clients with `fapi2` (FAPI 2.0 Security Profile section 5.3.2.1). */
const fapiMethods = ["private_key_jwt", ...certificateMethods]

const usesCodes = ({ grant_types }: Client) => grant_types.includes("authorization_code")

/** Whether a client has one subject for `tls_client_auth`, and none for another method (RFC 8705 section 2.1.2). */
const hasCertificateSubject = (client: Client) => {
  const { tls_client_auth_subject_dn: dn, tls_client_auth_san_dns: dns, tls_client_auth_san_uri: uri } = client
  const { tls_client_auth_san_ip: ip, tls_client_auth_san_email: email } = client
  const count = [dn, dns, uri, ip, email].filter((each) => each !== null).length
  return count === (client.token_endpoint_auth_method === "tls_client_auth" ? 1 : 0)
}

const hasSector = ({ subject_type, sector_identifier_uri, redirect_uris }: Client) => {
  const [host, ...others] = new Set(redirect_uris.map((uri) => new URL(uri).host))
  return subject_type === "public" || sector_identifier_uri !== null || (host !== "" && others.length === 0)
}

/** Otherwise a client could have other sites loaded in frames (OpenID Connect Front-Channel Logout section 2). */
const isBesideRedirectUri = ({ frontchannel_logout_uri: uri, redirect_uris }: Client) =>
  uri === null || redirect_uris.some((redirect_uri) => new URL(redirect_uri).origin === new URL(uri).origin)

/** The members with URLs to which this service sends requests. */
const requested = ["jwks_uri", "sector_identifier_uri", "backchannel_logout_uri"] as const

interface ClientFault {
  readonly field: keyof Client
  readonly wanted: string
}

/** The faults of a client whose members are each valid. */
export const clientFaults = (client: Client): ReadonlyArray<ClientFault> => {
  const [method] = authMethodsOf(client)
  const secret = Redacted.value(client.client_secret)
  const needsSecret = method?.startsWith("client_secret") === true
  const rules: ReadonlyArray<readonly [boolean, keyof Client, string]> = [
    [client.scopes.includes(offlineAccess) && !client.refresh_tokens, "scopes", "refresh_tokens together with offline_access"],
    [
      client.access_token_format === "jwt" && (client.access_token_ttl ?? 0) > shortTtl,
      "access_token_ttl",
      `at most ${shortTtl} seconds, since a JWT cannot be revoked everywhere`,
    ],
    [needsSecret && !hasSecret(client), "client_secret", `a secret for ${method}`],
    [!needsSecret && hasSecret(client), "client_secret", `"" for ${method}`],
    [
      method === "client_secret_jwt" && client.secret_hashes !== undefined,
      "token_endpoint_auth_method",
      "another method: the service has only the hash of the secret",
    ],
    [
      method === "client_secret_jwt" && client.secret_hashes === undefined && secret.length < minHmacSecret,
      "client_secret",
      `at least ${minHmacSecret} characters for client_secret_jwt`,
    ],
    [!hasSector(client), "sector_identifier_uri", "a URL, since the redirect_uris of a pairwise client do not have one host"],
    [method === "private_key_jwt" && !hasKeys(client), "jwks", "the keys of private_key_jwt, or jwks_uri"],
    [method === "self_signed_tls_client_auth" && !hasKeys(client), "jwks", "the keys of self_signed_tls_client_auth, or jwks_uri"],
    [!hasCertificateSubject(client), "tls_client_auth_subject_dn", "one member tls_client_auth_… for tls_client_auth, and none for others"],
    [isFapi(client) && !fapiMethods.some((each) => each === method), "token_endpoint_auth_method", `${fapiMethods.join(" or ")} for fapi2`],
    [isFapi(client) && client.id_token_signed_response_alg === "RS256", "id_token_signed_response_alg", "EdDSA or ES256 for fapi2"],
    [isFapi(client) && client.assertion_audience !== "issuer", "assertion_audience", "issuer for fapi2"],
    [client.jwks !== null && client.jwks_uri !== null, "jwks_uri", "jwks or jwks_uri, not both"],
    [client.require_signed_request_object && !hasKeys(client), "require_signed_request_object", "jwks or jwks_uri as well"],
    [usesCodes(client) && client.redirect_uris.length === 0, "redirect_uris", "at least one URL"],
    [!usesCodes(client) && client.redirect_uris.length > 0, "redirect_uris", "the grant authorization_code as well"],
    [
      isPublic(client) && client.grant_types.includes("client_credentials"),
      "grant_types",
      "no client_credentials for a client without a secret",
    ],
    [isPublic(client) && client.grant_types.includes(tokenExchangeGrant), "grant_types", "no token exchange for a client without a secret"],
    [
      client.consent && client.grant_types.includes(tokenExchangeGrant),
      "grant_types",
      "no token exchange for a client that needs a consent",
    ],
    [!isBesideRedirectUri(client), "frontchannel_logout_uri", "a URL with the scheme, host and port of one of the redirect_uris"],
    [isPublic(client) && client.require_pkce === false, "require_pkce", "true for a client without a secret"],
    [!isPublic(client) && client.redirect_uris.some(isPrivateUse), "redirect_uris", "https for a client with a secret"],
    ...requested.map((member) => {
      const uri = client[member]
      return [client.public_only === true && uri !== null && !isPublicUrl(uri), member, publicUrl] as const
    }),
  ]
  return rules.flatMap(([isWrong, field, wanted]) => (isWrong ? [{ field, wanted }] : []))
}
