import { Schema } from "effect"
import { orElse, Seconds, type SettingsValue } from "../../../domain/settings.ts"
import type { Fault, Finding } from "../../service/module.ts"
import { quirksOf } from "./presets.ts"
import { Provider } from "./provider-settings.ts"

export const SocialSettings = Schema.Struct({
  providers: Schema.Array(Provider).pipe(
    orElse([], "The services ([their members](docs/configuration.md#social-providers), [their presets](docs/providers.md))."),
  ),
  browser_binding: Schema.Literals(["auto", "off"]).pipe(
    orElse("auto", "Whether the callback must come from the browser that began the flow."),
  ),
  timeout: Seconds.pipe(orElse(10, "Seconds to wait for each response of a provider.")),
})
export type SocialSettings = typeof SocialSettings.Type

export const callbackPath = "/oauth/callback"

/** Rejects duplicate ids, redirect URIs that do not lead to the callback, and providers that no flow can use. */
export const faults = ({ providers }: SocialSettings, { public_url, base_path }: SettingsValue): ReadonlyArray<Fault> => {
  const callback = `${public_url}${base_path}${callbackPath}`
  const ids = providers.map(({ id }) => id)
  return providers.flatMap((provider, index) => {
    const { id, redirect_uri } = provider
    const wanted = incomplete(provider)
    return [
      ...(ids.indexOf(id) < index ? [{ path: ["providers", index, "id"], wanted: "a name that no other provider has" }] : []),
      ...(URL.parse(redirect_uri)?.href === callback ? [] : [{ path: ["providers", index, "redirect_uri"], wanted: callback }]),
      ...Object.entries(wanted).map(([key, text]) => ({ path: ["providers", index, key], wanted: text })),
    ]
  })
}

/** The missing settings of a provider. */
const incomplete = (provider: Provider): Readonly<Record<string, string>> => {
  const { issuer, authorize_url, token_url, userinfo_url, jwks_url, client_auth, client_secret, private_key } = provider
  const byHand = authorize_url !== null
  const signs = client_auth === "private_key_jwt" || client_auth === "apple_client_secret"
  const hasNoSecret = client_secret === null && private_key === null && client_auth !== "none"
  const usesSecret = client_auth === "client_secret_basic" || client_auth === "client_secret_post"
  return {
    ...(!byHand && issuer === undefined ? { issuer: "the provider's issuer" } : {}),
    ...(byHand && token_url === null ? { token_url: "the URL of the provider's token endpoint" } : {}),
    ...(byHand && jwks_url !== null && issuer === undefined ? { issuer: "the provider's issuer, since jwks_url is set" } : {}),
    ...(signs && private_key === null ? { private_key: `a private key, since client_auth is ${client_auth}` } : {}),
    ...(client_auth === "apple_client_secret" && provider.team_id === null ? { team_id: "the id of the Apple team" } : {}),
    ...(client_auth === "apple_client_secret" && provider.key_id === null ? { key_id: "the id of the key at Apple" } : {}),
    ...(hasNoSecret || (usesSecret && client_secret === null) ? { client_secret: "a text that is not empty" } : {}),
    ...(readsNoProfile(provider) && userinfo_url === null ? { userinfo_url: "the URL of the provider's profile, or jwks_url" } : {}),
    ...(provider.id_token_algorithms.includes("HS256") && client_secret === null ? { client_secret: "a secret, which HS256 needs" } : {}),
  }
}

/** Whether neither an ID token nor the response of the token endpoint contains the profile. */
const readsNoProfile = ({ authorize_url, jwks_url, preset }: Provider) =>
  authorize_url !== null && jwks_url === null && quirksOf(preset).profile_in_token_answer !== true

/**
 * Names the providers whose users are matched by addresses that the provider may not have verified, and those whose addresses count only
 * with a member that their mapping does not read.
 */
export const findings = ({ providers }: SocialSettings): ReadonlyArray<Finding> => [
  ...matchedByAddress(providers),
  ...providers.filter(leavesTrustOpen).map(untrusted),
]

/** Whether a provider without a preset or an issuer maps an address, and neither the mapping nor `trust_email` says what it proves. */
const leavesTrustOpen = ({ preset, issuer, map_user, trust_email }: Provider) =>
  preset === undefined &&
  issuer === undefined &&
  trust_email === undefined &&
  (typeof map_user === "function" || (map_user.email !== undefined && map_user.email_verified === undefined))

const untrusted = ({ id }: Provider): Finding => ({
  severity: "warning",
  text: `the addresses of ${id} are not trusted unless its profiles have email_verified: true; users with another profile get no address. Add trust_email: "always" to this provider if it verifies every address itself, otherwise trust_email: "when_verified"`,
})

const matchedByAddress = (providers: ReadonlyArray<Provider>): ReadonlyArray<Finding> => {
  const trusted = providers.filter(({ trust_email }) => trust_email === "always").map(({ id }) => id)
  if (trusted.length === 0) return []
  const text = `trust_email is "always" for ${trusted.join(", ")}: an account there signs in as the user with the same address, even if the provider did not verify it`
  return [{ severity: "note", text }]
}
