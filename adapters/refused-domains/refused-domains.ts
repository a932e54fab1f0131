import { Effect, Layer } from "effect"
import { layerNone, RefusedDomains } from "../../domain/ports/refused-domains.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import { domainsIn } from "./lists.ts"

/** The domains of disposable mailboxes, 9,000. Loaded only where they are refused. */
const disposable = async () => (await import("./disposable-domains.json", { with: { type: "json" } })).default.domains

/** The domains that the settings refuse by lists. */
export const layer = ({ registration }: Pick<SettingsValue, "registration">) => {
  if (registration === undefined) return layerNone
  const { block_disposable, lists } = registration.email
  return Layer.effect(
    RefusedDomains,
    Effect.gen(function* () {
      const own = lists.flatMap(domainsIn)
      return new Set(block_disposable ? [...(yield* Effect.promise(disposable)), ...own] : own)
    }),
  )
}
