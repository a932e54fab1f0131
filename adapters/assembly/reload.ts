import { Cause, Context, Effect, Exit, Layer, Semaphore } from "effect"
import { replaceWebhooks } from "../../application/modules/events/settings.ts"
import { optional } from "../../application/modules/index.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { demandSecrets } from "../../domain/secrets/sealing.ts"
import { Keys } from "../../domain/tokens/keys.ts"
import { differences, reloaded } from "../config/comparison.ts"
import { type Configuration, configurationOf } from "../config/load.ts"
import { type Measure, Measures } from "../measures.ts"
import { endingOf } from "../process/start-faults.ts"
import { keysOf } from "./keys.ts"
import { onReload, Parts } from "./reloadable.ts"
import type { Reloaded } from "./reloaded.ts"

/** Replaces what it can of the running configuration. A failure changes nothing. */
export type Apply = <E>(load: Effect.Effect<Configuration, E>) => Effect.Effect<Reloaded, unknown>

/** Reloads the configuration of a running service. */
export class Reload extends Context.Service<Reload, { readonly apply: Apply }>()("sallyport/Reload") {}

/** The reload of a service with these tables. As at a start, the next secrets have to decrypt what is stored. */
export const layer = (tables: ReadonlyArray<AnyTable>, configuration: Configuration) =>
  Layer.effect(
    Reload,
    Effect.gen(function* () {
      const services = yield* Effect.context<Store | Effect.Services<ReturnType<typeof keysOf>>>()
      const checked = (next: Configuration) => Effect.provideServiceEffect(demandSecrets(tables), Keys, keysOf(next.secrets))
      yield* onReload((next) => Effect.as(Effect.provide(checked(next), services), Effect.void))
      yield* onReload((next) => Effect.succeed(Effect.sync(() => takeWebhooks(configuration, next))))
      return { apply: yield* makeApply(configuration) }
    }),
  )

const takeWebhooks = ({ events }: Configuration, next: Configuration) => {
  if (events !== null && next.events !== null) replaceWebhooks(events, next.events)
}

/** The reload of the parts that were added. Offers measures of the configuration and its reloads. */
export const makeApply = Effect.fnUntraced(function* makeApply(configuration: Configuration) {
  const parts = yield* Parts
  const measured = report(configuration.hash, yield* Measures)
  const one = Semaphore.makeUnsafe(1)
  let running = configuration

  const apply: Apply = (load) =>
    Effect.gen(function* () {
      const loaded = yield* load
      // What cannot be replaced stays, so the settings that can be are checked with it.
      const next = { ...(yield* configurationOf(reloaded(running.raw, loaded.raw), optional)), sources: loaded.sources }
      const changes = yield* Effect.forEach([...parts], (part) => part(next))
      yield* Effect.uninterruptible(Effect.all(changes, { discard: true }))
      const outcome = { changed: differences(running.raw, next.raw), needsRestart: differences(next.raw, loaded.raw) }
      running = next
      return outcome
    }).pipe(
      Effect.onExit((exit) =>
        Effect.andThen(
          Effect.sync(() => measured(exit, running.hash)),
          written(exit, running.hash),
        ),
      ),
      one.withPermit,
    )
  return apply
})

const written = (exit: Exit.Exit<Reloaded, unknown>, hash: string) => {
  // The service stops.
  if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return Effect.void
  if (Exit.isSuccess(exit)) {
    const { changed, needsRestart } = exit.value
    const lines = Effect.annotateLogs(Effect.logInfo("the configuration was reloaded"), { hash, changed })
    if (needsRestart.length === 0) return lines
    return Effect.andThen(lines, Effect.annotateLogs(Effect.logWarning("changed settings need a restart"), { settings: needsRestart }))
  }
  const message = "the configuration was not reloaded, the previous one applies"
  const { cause } = exit
  const ending = endingOf(Cause.squash(cause))
  return ending === undefined ? Effect.logError(message, cause) : Effect.annotateLogs(Effect.logError(message), { faults: ending.lines })
}

/** Offers the measures; returns what records a reload. */
const report = (first: string, measures: Set<Measure>) => {
  const counts = { succeeded: 0, failed: 0 }
  let last = Date.now()
  let isCurrent = true
  const infoOf = (hash: string): Measure => ({
    name: "sallyport_configuration_info",
    description: "Always 1.",
    type: "gauge",
    attributes: { hash },
    read: () => 1,
  })
  const reloads = (outcome: keyof typeof counts): Measure => ({
    name: "sallyport_configuration_reloads_total",
    description: "Reloads of the configuration.",
    type: "counter",
    attributes: { outcome },
    read: () => counts[outcome],
  })
  const lastOutcome: Measure = {
    name: "sallyport_configuration_last_reload_successful",
    description: "1 if the last reload succeeded or there was none, else 0.",
    type: "gauge",
    read: () => Number(isCurrent),
  }
  const lastTime: Measure = {
    name: "sallyport_configuration_last_success_timestamp_seconds",
    description: "When the configuration was last loaded, seconds since 1970.",
    type: "gauge",
    read: () => last / 1000,
  }
  let info = infoOf(first)
  for (const measure of [info, reloads("succeeded"), reloads("failed"), lastOutcome, lastTime]) measures.add(measure)
  return ({ _tag }: Exit.Exit<unknown, unknown>, hash: string) => {
    isCurrent = _tag === "Success"
    counts[isCurrent ? "succeeded" : "failed"] += 1
    if (isCurrent) last = Date.now()
    measures.delete(info)
    info = infoOf(hash)
    measures.add(info)
  }
}
