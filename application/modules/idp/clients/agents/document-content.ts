import { Option, Schema } from "effect"
import { isStorableJson } from "../../../../../domain/storage/query-checks.ts"
import { isRedirectUri } from "../../../../../domain/values/redirect-uri.ts"
import { strictJsonObject } from "../../../../../domain/values/strict-json.ts"
import { Jwks, Metadata } from "../client.ts"

// What a client ID metadata document says (draft-ietf-oauth-client-id-metadata-document). Members that are not named here have no effect, so that
// no document can switch a feature on.

const Texts = Schema.Array(Schema.String)

const Document = Schema.Struct({
  client_id: Schema.String,
  client_name: Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u)),
  redirect_uris: Texts.check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  grant_types: Schema.optionalKey(Texts),
  token_endpoint_auth_method: Schema.optionalKey(Schema.String),
  token_endpoint_auth_methods_supported: Schema.optionalKey(Texts),
  jwks: Schema.optionalKey(Jwks),
  jwks_uri: Schema.optionalKey(Schema.String),
  client_uri: Schema.optionalKey(Schema.String),
  policy_uri: Schema.optionalKey(Schema.String),
  tos_uri: Schema.optionalKey(Schema.String),
  dpop_bound_access_tokens: Schema.optionalKey(Schema.Boolean),
  client_secret: Schema.optionalKey(Schema.Never),
  client_secret_expires_at: Schema.optionalKey(Schema.Never),
})
type Document = typeof Document.Type

/** Whether an agent may have this redirect URI: https, or http to a program on the user's machine. */
export const isAgentRedirectUri = (uri: string): boolean => /^https?:/.test(uri) && isRedirectUri(uri)

/** The metadata that all agents have. */
export const agentMetadata = { consent: true, require_pkce: true, assertion_audience: "endpoint" }

/** The URLs that the document's own host serves: others are not shown. */
const ownLinks = ({ client_uri, policy_uri, tos_uri }: Document, { origin }: URL) =>
  Object.fromEntries(
    Object.entries({ client_uri, policy_uri, tos_uri }).filter(([, uri]) => uri !== undefined && URL.parse(uri)?.origin === origin),
  )

/** How the client authenticates itself; undefined if its document names no way that does without a shared secret. */
const authenticationOf = (document: Document, { origin }: URL) => {
  const { token_endpoint_auth_method, token_endpoint_auth_methods_supported, jwks, jwks_uri } = document
  const methods = token_endpoint_auth_methods_supported ?? [token_endpoint_auth_method ?? "none"]
  const keys = jwks === undefined ? (URL.parse(jwks_uri ?? "")?.origin === origin ? { jwks_uri } : null) : { jwks }
  if (methods.includes("private_key_jwt") && keys !== null) return { token_endpoint_auth_method: "private_key_jwt", ...keys }
  return methods.includes("none") ? { token_endpoint_auth_method: "none" } : undefined
}

/** The metadata of the client whose document has this content; none if it is not valid. */
export const documentMetadata = (url: URL, content: Uint8Array): Option.Option<Metadata> => {
  const json = Option.filter(strictJsonObject(content), (value) => isStorableJson(value))
  const read = Option.flatMap(json, Schema.decodeUnknownOption(Document))
  if (Option.isNone(read) || read.value.client_id !== url.href) return Option.none()
  const document = read.value
  const authentication = authenticationOf(document, url)
  const redirect_uris = [...new Set(document.redirect_uris.filter(isAgentRedirectUri))]
  if (authentication === undefined || redirect_uris.length === 0) return Option.none()
  return Schema.decodeUnknownOption(Metadata)({
    ...agentMetadata,
    ...authentication,
    ...ownLinks(document, url),
    client_name: document.client_name,
    redirect_uris,
    refresh_tokens: (document.grant_types ?? ["refresh_token"]).includes("refresh_token"),
    dpop_bound_access_tokens: document.dpop_bound_access_tokens ?? false,
  })
}
