import { Option, Schema } from "effect"
import { SigningAlgorithm } from "../../../domain/ports/jose.ts"
import { about, between, flag, nullable, orElse, Seconds } from "../../../domain/settings.ts"
import { isPrivateUrl } from "../../../domain/values/url.ts"
import type { Fault, Rest } from "../../service/module.ts"
import { Pattern, Permission } from "./clients/agents/document-address.ts"
import { Resource, repeatedResources } from "./clients/agents/resources.ts"
import { type Client, ConfiguredClient, usesCertificates } from "./clients/client.ts"
import { pemPattern } from "./clients/client-certificate.ts"
import { clientFaults } from "./clients/client-faults.ts"

const day = 86_400

/** A redirect URI with a scheme of an app. */
const NativeRedirectUri = Schema.String.check(
  Schema.isPattern(/^(?!(https?|javascript|data|vbscript|file|blob|about):)[a-z][a-z\d+.-]*:\/[\x21-\x7e]*$/, {
    expected: "a URI with a scheme of an app in lower case",
  }),
)

const isOrigin = (text: string) => isPrivateUrl(text) && new URL(text).origin === text

export const Settings = Schema.Struct({
  clients: Schema.Array(ConfiguredClient).pipe(
    orElse(
      [],
      "Registered clients: `client_id`, `client_secret`, `redirect_uris`, `scopes` ([more](docs/configuration.md#clients-of-the-identity-provider)).",
    ),
  ),
  registration_tokens: Schema.Array(
    Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{32,}$/, { expected: "at least 32 printable characters" }))),
  ).pipe(
    orElse(
      [],
      "Initial access tokens of clients that register themselves (RFC 7591); with an empty list, clients cannot register themselves.",
    ),
  ),
  resources: Schema.Array(Resource).pipe(
    orElse([], "Resource servers for which agents may request access tokens ([more](application/modules/idp/clients/agents/README.md))."),
  ),
  metadata_clients: nullable(
    Schema.Struct({
      allow: Schema.Array(Permission).pipe(
        about("The permitted documents: a URL, all of a host (`https://host/`), all below a domain (`https://*.domain/`), or `any`."),
      ),
      deny: Schema.Array(Pattern).pipe(orElse([], "The documents that are refused, in the same form.")),
    }),
    "Accepts clients without registration: their `client_id` is the URL of a document with their metadata. Without this setting, such clients are unknown.",
  ),
  open_registration: nullable(
    Schema.Struct({
      native_redirect_uris: Schema.Array(NativeRedirectUri).pipe(
        orElse([], "Redirect URIs with a scheme of an app (`app://callback`) that these clients may register, exactly."),
      ),
    }),
    "Lets public clients register themselves without a token (RFC 7591); `{}` switches it on.",
  ),
  allow_private_addresses: flag(
    "Whether the URLs of stored clients can have private addresses ([more](docs/configuration.md#clients-of-the-identity-provider)).",
  ),
  code_ttl: Seconds.pipe(orElse(60, "Lifetime of an authorization code in seconds.")),
  id_token_ttl: Seconds.pipe(orElse(3600, "Lifetime of an ID token in seconds.")),
  refresh_token_idle_ttl: Seconds.pipe(orElse(14 * day, "Seconds after which an unused refresh token ends.")),
  refresh_token_ttl: Seconds.pipe(orElse(90 * day, "Seconds after which all refresh tokens of one code end, even if they are used.")),
  refresh_token_grace: between(0, 60).pipe(orElse(10, "Seconds (0 to 60) in which a repeated refresh request gets the same answer.")),
  require_dpop_nonce: flag("Whether DPoP proofs must contain a nonce of this service (RFC 9449 section 8)."),
  client_certificate_header: nullable(
    Schema.String.check(Schema.isPattern(/^[A-Za-z\d-]{1,64}$/, { expected: "the name of a header field" })),
    "The header field in which a proxy of `trusted_proxies` sends the certificate of the TLS client; without it, clients cannot use certificates (RFC 8705).",
  ),
  client_certificate_authorities: Schema.Array(
    Schema.String.check(Schema.isPattern(pemPattern, { expected: "one certificate in PEM" })),
  ).pipe(orElse([], "The authorities, in PEM, whose certificates prove clients with `tls_client_auth`.")),
  mtls_url: nullable(
    Schema.String.check(Schema.makeFilter(isOrigin, { expected: "a URL without a path" })),
    "The base URL under which certificates are requested, if it is not `public_url`.",
  ),
  signing_algorithms: Schema.Array(SigningAlgorithm).pipe(
    orElse(
      ["EdDSA"],
      "Algorithms for which the service has signing keys (`EdDSA`, `RS256`, `ES256`); the algorithms of the configured clients are added automatically.",
    ),
  ),
  key_rotation: between(2 * day, 10 * 365 * day).pipe(
    orElse(90 * day, "Seconds for which a key signs, until the next one replaces it; at least 2 days."),
  ),
})
export type Settings = typeof Settings.Type

/** Rejects duplicate client ids, faults of each client, and certificates that no proxy is trusted to send. */
export const faults = (settings: Settings, { trusted_proxies = [] }: Pick<Rest, "trusted_proxies">): ReadonlyArray<Fault> => [
  ...(settings.client_certificate_header === null || trusted_proxies.length > 0
    ? []
    : [{ path: ["client_certificate_header"], wanted: "trusted_proxies as well: only they may send the field" }]),
  ...repeats(settings.clients.map(({ client_id }) => client_id)).map((index) => ({
    path: ["clients", index, "client_id"],
    wanted: "a client_id that no other client has",
  })),
  ...repeatedResources(settings.resources).map((index) => ({
    path: ["resources", index, "resource"],
    wanted: "an identifier and aliases that no other resource server has",
  })),
  ...settings.clients.flatMap((each, client) =>
    faultsOf(settings, each).map(({ path, wanted }) => ({ path: ["clients", client, ...path], wanted })),
  ),
]

/** What a client with certificates needs in the settings. */
const certificateFaults = (settings: Settings, client: Client): ReadonlyArray<Fault> => {
  const path = ["token_endpoint_auth_method"]
  if (!usesCertificates(client)) return []
  if (settings.client_certificate_header === null) return [{ path, wanted: "client_certificate_header in the settings, for certificates" }]
  if (client.token_endpoint_auth_method !== "tls_client_auth" || settings.client_certificate_authorities.length > 0) return []
  return [{ path, wanted: "client_certificate_authorities in the settings, for tls_client_auth" }]
}

/** The faults of one client whose members are each valid. */
export const faultsOf = (settings: Settings, client: Client): ReadonlyArray<Fault> => [
  ...certificateFaults(settings, client),
  ...clientFaults(client).map(({ field, wanted }) => ({ path: [field], wanted })),
  ...Object.entries({ redirect_uris: client.redirect_uris, scopes: client.scopes }).flatMap(([field, values]) =>
    repeats(values).map((index) => ({ path: [field, index], wanted: "each of them once" })),
  ),
]

/** The indices of values that occur earlier in the list. */
const repeats = (values: ReadonlyArray<string>): ReadonlyArray<number> =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []))

/** The standard scopes, and all scopes of the clients. */
export const knownScopes = ({ clients }: Settings): ReadonlyArray<string> => [
  ...new Set(["openid", "profile", "email", ...clients.flatMap(({ scopes }) => scopes)]),
]

/** The algorithms that tokens are signed with. */
export const algorithmsOf = ({
  clients,
  signing_algorithms,
}: Pick<Settings, "clients" | "signing_algorithms">): ReadonlyArray<SigningAlgorithm> => [
  ...new Set([
    ...signing_algorithms,
    ...clients.flatMap((client) => [
      client.id_token_signed_response_alg,
      ...Option.toArray(Option.fromNullishOr(client.userinfo_signed_response_alg)),
      ...Option.toArray(Option.fromNullishOr(client.introspection_signed_response_alg)),
    ]),
  ]),
]
