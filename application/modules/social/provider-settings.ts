import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { about, flag, nullable, orElse } from "../../../domain/settings.ts"
import { isPrivateUrl } from "../../../domain/values/url.ts"
import { ClientAuth, IdTokenAlgorithm } from "./client-methods.ts"
import type { MapFunction } from "./map-function.ts"
import { type PresetName, presetNamed, presetNames } from "./presets.ts"

/** The name of a member of the profile, or a list of names: then the first member with a value counts. `a.b` is the member `b` of `a`. */
const Member = Schema.Union([Schema.NonEmptyString, Schema.NonEmptyArray(Schema.NonEmptyString)]).pipe(
  Schema.annotate({ expected: "the name of a member, or a list of names" }),
)
const optionalMember = Schema.optionalKey(Member)
const Members = Schema.Struct({ account_id: Member, email: optionalMember, email_verified: optionalMember, name: optionalMember })
export type Members = typeof Members.Type

const aMapping = { expected: "an object that names the members of a profile, or a function" }
const MapUser = Schema.Union([
  Members,
  Schema.declare((value: unknown): value is MapFunction => typeof value === "function", aMapping),
]).pipe(Schema.annotate(aMapping))

const aPrivateUrl = { expected: "a URL that begins with https://, or http:// on this machine" }
const PrivateUrl = Schema.NullOr(Schema.String.check(Schema.makeFilter(isPrivateUrl, aPrivateUrl))).pipe(Schema.annotate(aPrivateUrl))

/**
 * Whether a text can be the target of a redirect. It is sent unchanged in a header field, so characters that a header field cannot contain are
 * refused.
 */
const isPage = (text: string) =>
  /^[\x21-\x7e]+$/.test(text) && (/^\/(?![/\\])/.test(text) || /^https?:$/.test(URL.parse(text)?.protocol ?? ""))
const aPage = { expected: "a URL that begins with https:// or http://, or a path" }
const Page = Schema.String.check(Schema.makeFilter(isPage, aPage))

/** `provider_id`s of other sign-in methods: a social provider with such a name could sign in to their accounts. */
const reserved = ["credential", "phone", "siwe", "passkey"]
const ProviderId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, { expected: "a name of at most 64 letters, digits and _ . -" }),
  Schema.makeFilter((id: string) => !reserved.includes(id), { expected: `another name than ${reserved.join(", ")}` }),
)

/** One scope (RFC 6749 section 3.3). */
const Scope = Schema.String.check(Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { expected: "a scope without blanks" }))
const Scopes = Schema.NullOr(Schema.NonEmptyArray(Scope)).pipe(Schema.annotate({ expected: "a list of scopes" }))

/**
 * When a profile proves the address. `always`: if `email_verified` is not `false`; `when_verified`: if it is `true`; `never`: it does not
 * count.
 */
const TrustEmail = Schema.Literals(["always", "when_verified", "never"])

/** Whether a text can be an issuer identifier (RFC 8414 section 2). */
const isIssuer = (text: string) => isPrivateUrl(text) && !/[?#]/.test(text)
const Issuer = Schema.String.check(
  Schema.makeFilter(isIssuer, { expected: "a URL that begins with https://, or http:// on this machine, without a query" }),
)

const aSecret = { expected: "a text that is not empty" }
const Secret = Schema.NullOr(Schema.RedactedFromValue(Schema.NonEmptyString)).pipe(Schema.annotate(aSecret))
const aKey = { expected: "a private key in PKCS #8, which begins with -----BEGIN PRIVATE KEY-----" }
const PrivateKey = Schema.NullOr(
  Schema.RedactedFromValue(
    Schema.String.check(Schema.isPattern(/^\s*-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----\s*$/, aKey)),
  ),
).pipe(Schema.annotate(aKey))

const KnownPreset = Schema.Literals(presetNames).pipe(Schema.annotate({ expected: "the name of a preset (docs/providers.md)" }))

export const ProviderFields = Schema.Struct({
  preset: Schema.optionalKey(KnownPreset).pipe(
    about("The [preset](docs/providers.md#presets) whose values are the defaults of this provider."),
  ),
  id: ProviderId.pipe(
    about("The value of `provider` in requests, and of `provider_id` in linked accounts. The `id` of a preset is its name."),
  ),
  client_id: Schema.NonEmptyString.pipe(about("The id of this service at the provider.")),
  client_secret: Secret.pipe(about("Its secret at the provider.")),
  redirect_uri: Schema.String.pipe(about("`public_url` + `base_path` + `/oauth/callback`; register the same URL with the provider.")),
  issuer: Schema.optionalKey(Issuer).pipe(
    about("The provider's issuer. It is enough without URLs, which are then read from its metadata (OpenID Connect Discovery)."),
  ),
  authorize_url: PrivateUrl.pipe(about("The provider's authorization endpoint. Null: that of the metadata.")),
  token_url: PrivateUrl.pipe(about("The provider's token endpoint. Null: that of the metadata.")),
  userinfo_url: PrivateUrl.pipe(about("Where the profile is read. Null: the profile is that of the ID token.")),
  jwks_url: PrivateUrl.pipe(orElse(null, "The keys of the provider. With `authorize_url`, ID tokens are read only if it is set.")),
  client_auth: nullable(
    ClientAuth,
    "How the service authenticates in token requests. Null: what the metadata offers, else `client_secret_post`.",
  ),
  private_key: PrivateKey.pipe(
    orElse(
      null,
      "The key of [signed authentication](docs/providers.md#signing-with-a-private-key): `private_key_jwt`, and Apple's client secret.",
    ),
  ),
  key_id: nullable(Schema.NonEmptyString, "The id of that key at the provider."),
  team_id: nullable(Schema.NonEmptyString, "The Apple team that the key belongs to."),
  assertion_audience: Schema.Literals(["issuer", "token_url"]).pipe(
    orElse("issuer", "The audience of `private_key_jwt` assertions; some providers expect their token endpoint."),
  ),
  scopes: Scopes.pipe(about("The requested scopes. Null: no scope is sent.")),
  authorize_parameters: Schema.Record(Schema.String, Schema.String).pipe(
    orElse({}, "Further parameters of the authorization request, such as `prompt`."),
  ),
  pkce: Schema.Boolean.pipe(orElse(true, "Whether flows use PKCE (RFC 7636) with S256.")),
  response_mode: Schema.Literals(["query", "form_post"]).pipe(orElse("query", "`form_post`: the provider sends its response as a form.")),
  userinfo_request: Schema.Literals(["get", "post", "form"]).pipe(
    orElse(
      "get",
      "The request for the profile: the access token in the header of a GET or of an empty POST, or in the form of a POST (RFC 6750 section 2).",
    ),
  ),
  id_token_algorithms: Schema.NonEmptyArray(IdTokenAlgorithm).pipe(
    orElse(
      ["RS256", "PS256", "ES256", "EdDSA"],
      "The accepted signature algorithms of ID tokens. `ES384` is possible too, and `HS256` with the client's secret as the key.",
    ),
  ),
  map_user: MapUser.pipe(about("The [members of the provider's profile](docs/configuration.md#social-providers).")),
  trust_email: Schema.optionalKey(TrustEmail).pipe(
    about(
      "Whether an address in the profile [counts as verified](docs/configuration.md#social-providers): if so, it signs in the user who has it. Default: `when_verified`, or that of the preset.",
    ),
  ),
  app_client_ids: Schema.Array(Schema.NonEmptyString).pipe(
    orElse(
      [],
      "Client ids of your apps, whose ID tokens sign in at `POST /sign-in/id-token` ([how](docs/providers.md#apps-with-an-id-token)).",
    ),
  ),
  keep_tokens: flag(
    "Whether the provider's tokens are kept, encrypted, for `GET /accounts/access-token` ([how](docs/providers.md#tokens-of-providers)).",
  ),
  success_redirect: Schema.NullOr(Page).pipe(
    Schema.annotate(aPage),
    orElse(
      null,
      "A URL or a path to which the callback redirects the browser, unless the request named `return_to`. Null: the callback answers with JSON.",
    ),
  ),
  error_redirect: Schema.NullOr(Page).pipe(
    Schema.annotate(aPage),
    orElse(
      null,
      "The same after a failure, with its code as `error` (`access_denied`, `oauth_token_error`, …), unless the request named `error_return_to`.",
    ),
  ),
})
export type Provider = typeof ProviderFields.Type

/** The defaults of a provider that has an issuer and no URLs of its own. */
const discovered = {
  authorize_url: null,
  token_url: null,
  userinfo_url: null,
  scopes: ["openid", "profile", "email"],
  map_user: { account_id: "sub", email: "email", email_verified: "email_verified", name: "name" },
}

const filled = (given: unknown): any => {
  if (typeof given !== "object" || given === null) return given
  const values = { ...presetNamed(Reflect.get(given, "preset"))?.settings, ...given }
  const { issuer, authorize_url, jwks_url, private_key, client_auth } = values as Readonly<Record<string, unknown>>
  const isDiscovered = authorize_url === null || (authorize_url === undefined && typeof issuer === "string")
  const hasKeys = typeof jwks_url === "string"
  const needsSecret = (private_key ?? null) === null && client_auth !== "none"
  return {
    ...(isDiscovered ? discovered : {}),
    ...(hasKeys ? { userinfo_url: null } : {}),
    ...(needsSecret ? {} : { client_secret: null }),
    ...values,
  }
}

/** Of a provider with an unknown preset only this is reported: what else is missing depends on the preset. */
const withKnownPreset = (given: unknown) => {
  const name: unknown = Reflect.get(Object(given), "preset")
  if (name === undefined) return Effect.succeed(filled(given))
  return Schema.decodeUnknownEffect(KnownPreset)(name).pipe(
    Effect.mapBoth({ onFailure: ({ issue }) => new SchemaIssue.Pointer(["preset"], issue), onSuccess: () => filled(given) }),
  )
}

type Written = typeof ProviderFields.Encoded

/** A provider as the configuration has it: its preset or its issuer gives what it lacks. */
export type ProviderSettings = Pick<Written, "client_id" | "redirect_uri"> &
  (({ readonly preset: PresetName } & Partial<Written>) | (Pick<Written, "id"> & Partial<Omit<Written, "preset">>))

export const Provider: Schema.Codec<Provider, ProviderSettings> = Schema.Unknown.pipe(
  Schema.decodeTo(
    ProviderFields,
    SchemaTransformation.transformEffect<typeof ProviderFields.Encoded, unknown>({ decode: withKnownPreset, encode: Effect.succeed }),
  ),
) as Schema.Codec<any, any>
