import { Effect } from "effect"
import { InvalidState } from "../../../domain/errors.ts"
import type { Metadata } from "./metadata.ts"
import { quirksOf } from "./presets.ts"
import type { Provider } from "./provider-settings.ts"
import type { SocialSettings } from "./settings.ts"

/**
 * Refuses callbacks from another issuer than the one where the flow started (RFC 9207, mix-up attacks). Otherwise an attacker who controls
 * one provider could redirect the user to another provider, and would receive the code of that provider.
 */
export const issuerCheck = ({ providers }: SocialSettings, { declaresIssuer }: Metadata) =>
  Effect.fnUntraced(function* checkIssuer(provider: Provider, authorize_url: string, iss: string | undefined) {
    const isForeign = iss === undefined ? yield* declaresIssuer(provider) : isForeignIssuer(iss, provider, authorize_url, providers)
    if (!isForeign) return
    yield* Effect.annotateLogs(Effect.logWarning("a callback did not come from the provider's issuer"), {
      provider: provider.id,
      setting: "issuer",
    })
    return yield* new InvalidState()
  })

/**
 * Without a configured `issuer`, `iss` must have the origin of `authorize_url`, and must not be the issuer of another provider with a
 * different `token_url`.
 */
const isForeignIssuer = (iss: string, provider: Provider, authorize_url: string, providers: SocialSettings["providers"]): boolean => {
  const { issuer, token_url, preset } = provider
  const { issuer_aliases = [], issuer_template } = quirksOf(preset)
  if (issuer_template !== undefined) return !isOfTemplate(iss, issuer_template)
  if (issuer !== undefined) return iss !== issuer && !issuer_aliases.includes(iss)
  const isAnothers = providers.some((other) => other.issuer === iss && other.token_url !== token_url)
  return isAnothers || URL.parse(iss)?.origin !== new URL(authorize_url).origin
}

/** Whether a text is the issuer of a tenant. The tenant is compared with the ID token's later. */
const isOfTemplate = (iss: string, template: string) => {
  const [before = "", after = ""] = template.split("{tenantid}")
  return (
    iss === template ||
    (iss.startsWith(before) && iss.endsWith(after) && /^[\w-]+$/.test(iss.slice(before.length, iss.length - after.length)))
  )
}
