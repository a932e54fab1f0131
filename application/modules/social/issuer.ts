import { Clock, Effect } from "effect"
import { InvalidState } from "../../../domain/errors.ts"
import { declaresIssuer } from "./provider.ts"
import type { Provider, SocialSettings } from "./settings.ts"

/** How long a provider's metadata is cached, milliseconds. */
const remembered = 3_600_000

/**
 * Refuses callbacks from another issuer than the one where the flow began (RFC 9207, mix-up attacks). Otherwise an attacker who controls
 * one provider could redirect the user to another provider, and would receive the code of that provider.
 */
export const issuerCheck = ({ providers, timeout }: SocialSettings) => {
  const known = new Map<string, { readonly isDeclared: boolean; readonly until: number }>()

  const mustCome = Effect.fnUntraced(function* mustNameIssuer(provider: Provider) {
    if (provider.issuer === undefined) return false
    const now = yield* Clock.currentTimeMillis
    const last = known.get(provider.id)
    if (last !== undefined && now < last.until) return last.isDeclared
    const isDeclared = yield* declaresIssuer(provider, provider.issuer, timeout)
    known.set(provider.id, { isDeclared, until: now + remembered })
    return isDeclared
  })

  return Effect.fnUntraced(function* checkIssuer(provider: Provider, iss: string | undefined) {
    const isForeign = iss === undefined ? yield* mustCome(provider) : isForeignIssuer(iss, provider, providers)
    if (!isForeign) return
    yield* Effect.logWarning("a callback did not come from the provider's issuer", { provider: provider.id, setting: "issuer" })
    return yield* new InvalidState()
  })
}

/**
 * Without a configured `issuer`, `iss` must have the origin of `authorize_url`, and must not be the issuer of another provider with a
 * different `token_url`.
 */
const isForeignIssuer = (iss: string, provider: Provider, providers: SocialSettings["providers"]): boolean => {
  const { issuer, authorize_url, token_url } = provider
  if (issuer !== undefined) return iss !== issuer
  const isAnothers = providers.some((other) => other.issuer === iss && other.token_url !== token_url)
  return isAnothers || URL.parse(iss)?.origin !== new URL(authorize_url).origin
}
