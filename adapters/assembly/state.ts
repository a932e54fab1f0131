import { DateTime, Effect, Layer } from "effect"
import { optional } from "../../application/modules/index.ts"
import { ServiceState, type ShownFinding, type ShownSetting } from "../../domain/ports/service-state.ts"
import { entriesOf } from "../config/entries.ts"
import type { Configuration } from "../config/load.ts"
import { Drain } from "../http/drain.ts"
import { manifest } from "../manifest.ts"
import { onReload } from "./reloadable.ts"

/** Findings name the addresses of administrators, and accounts of tests. */
const withoutAddresses = (text: string) => text.replaceAll(/[^\s@]+@[^\s@]+/g, "…@…")

const findingsOf = ({ modules, settings }: Configuration): ReadonlyArray<ShownFinding> =>
  modules.flatMap(({ name, findings }) =>
    findings(settings).map(({ severity, text }) => ({ module: name, severity, text: withoutAddresses(text) })),
  )

/** What this process knows about the service, for administrators. The settings are read at the first question, not at the start. */
export const layer = (configuration: Configuration) =>
  Layer.effect(
    ServiceState,
    Effect.gen(function* () {
      const drain = yield* Drain
      const started_at = yield* DateTime.now
      let running = configuration
      let entries: ReadonlyArray<ShownSetting> | undefined
      yield* onReload((next) =>
        Effect.succeed(
          Effect.sync(() => {
            running = next
            entries = undefined
          }),
        ),
      )
      const settings = Effect.sync(() => {
        entries ??= entriesOf(running, optional)
        return entries
      })
      return {
        version: manifest.version,
        started_at,
        isDraining: () => drain.isDraining,
        settings,
        findings: Effect.sync(() => findingsOf(running)),
      }
    }),
  )
