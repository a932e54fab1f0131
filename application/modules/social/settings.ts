import { Schema, SchemaTransformation } from "effect"
import type { SettingsValue } from "../../../domain/settings.ts"
import { orElse, Seconds } from "../../../domain/settings.ts"
import { isPrivateUrl } from "../../../domain/values/url.ts"
import type { Fault, Finding } from "../../service/module.ts"

/** The result of a function that reads a profile: the account id, and what the provider states about the address. */
export interface MappedUser {
  readonly account_id: string | number
  readonly email?: string | null
  /** Defaults to the profile's member of this name. */
  readonly email_verified?: boolean | null
  readonly name?: string | null
}
type MapFunction = (profile: Readonly<Record<string, unknown>>) => MappedUser

/** The name of a member of the profile, or a list of names: then the first member with a value counts. */
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

const PrivateUrl = Schema.String.check(
  Schema.makeFilter(isPrivateUrl, { expected: "a URL that begins with https://, or http:// on this machine" }),
)

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

/**
 * When a profile proves the address. `always`: unless the profile says that it is not verified; `when_verified`: only if `email_verified`
 * is `true`; `never`: in no case.
 */
const TrustEmail = Schema.Literals(["always", "when_verified", "never"])
export type TrustEmail = typeof TrustEmail.Type

/** Whether a text can be an issuer identifier (RFC 8414 section 2). */
const isIssuer = (text: string) => isPrivateUrl(text) && !/[?#]/.test(text)
const Issuer = Schema.String.check(
  Schema.makeFilter(isIssuer, { expected: "a URL that begins with https://, or http:// on this machine, without a query" }),
)

const presets = {
  idp_one: {
    id: "idp_one",
    scopes: ["openid", "email", "profile"],
    map_user: { account_id: "sub", email: "email", email_verified: "email_verified", name: "name" },
    trust_email: "always",
  },
  idp_two: {
    id: "idp_two",
    scopes: ["read:user", "user:email"],
    map_user: { account_id: "id", email: "email", name: ["name", "login"] },
    trust_email: "always",
  },
} as const

const Provider = Schema.Struct({
  /** The preset whose values are the defaults of this provider. */
  preset: Schema.optionalKey(Schema.Literals(["idp_one", "idp_two"])),
  /** The value of `provider` in requests. */
  id: ProviderId,
  client_id: Schema.NonEmptyString,
  client_secret: Schema.RedactedFromValue(Schema.NonEmptyString),
  redirect_uri: Schema.String,
  authorize_url: PrivateUrl,
  token_url: PrivateUrl,
  userinfo_url: PrivateUrl,
  scopes: Schema.NonEmptyArray(Scope),
  map_user: MapUser,
  trust_email: TrustEmail.pipe(orElse("when_verified")),
  /** The issuer in the `iss` of callbacks (RFC 9207): callbacks from another issuer are refused. */
  issuer: Schema.optionalKey(Issuer),
  /** The target of the redirect after the callback. */
  success_redirect: Schema.NullOr(Page).pipe(Schema.annotate(aPage), orElse(null)),
})
export type Provider = typeof Provider.Type

const filled = (given: unknown): any => {
  if (typeof given !== "object" || given === null) return given
  const preset: unknown = Reflect.get(given, "preset")
  return preset === "idp_one" || preset === "idp_two" ? { ...presets[preset], ...given } : given
}

const WithPreset = Schema.Unknown.pipe(
  Schema.decodeTo(Provider, SchemaTransformation.transform<typeof Provider.Encoded, unknown>({ decode: filled, encode: (given) => given })),
)

export const SocialSettings = Schema.Struct({
  providers: Schema.Array(WithPreset).pipe(orElse([])),
  /** Whether the callback must come from the browser that began the flow. */
  browser_binding: Schema.Literals(["auto", "off"]).pipe(orElse("auto")),
  /** Time-out of one request to a provider, seconds. */
  timeout: Seconds.pipe(orElse(10)),
})
export type SocialSettings = typeof SocialSettings.Type

export const callbackPath = "/oauth/callback"

/** Rejects duplicate ids, and redirect URIs that do not lead to the callback. */
export const faults = ({ providers }: SocialSettings, { public_url, base_path }: SettingsValue): ReadonlyArray<Fault> => {
  const callback = `${public_url}${base_path}${callbackPath}`
  const ids = providers.map(({ id }) => id)
  return providers.flatMap(({ id, redirect_uri }, index) => [
    ...(ids.indexOf(id) < index ? [{ path: ["providers", index, "id"], wanted: "a name that no other provider has" }] : []),
    ...(URL.parse(redirect_uri)?.href === callback ? [] : [{ path: ["providers", index, "redirect_uri"], wanted: callback }]),
  ])
}

/** Names the providers whose users are matched by addresses that the provider may not have verified. */
export const findings = ({ providers }: SocialSettings): ReadonlyArray<Finding> => {
  const trusted = providers.filter(({ trust_email }) => trust_email === "always").map(({ id }) => id)
  if (trusted.length === 0) return []
  const text = `trust_email is "always" for ${trusted.join(", ")}: an account there signs in as the user with the same address, even if the provider did not verify it`
  return [{ severity: "note", text }]
}
