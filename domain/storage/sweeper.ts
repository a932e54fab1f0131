import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { Store } from "../ports/store.ts"
import type { AnyTable } from "../ports/table.ts"
import { finishRemovals } from "./removals.ts"

const every = Duration.minutes(1)
const batch = 1000

/**
 * Removes expired rows and finishes removals in the background, in batches, so that no statement takes long.
 * Removals that a crash has interrupted continue at the next start.
 */
export const layer = (tables: ReadonlyArray<AnyTable>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* Store
      const removals = Effect.provideService(finishRemovals(tables), Store, store)

      const sweep = Effect.gen(function* () {
        let removed = batch
        while (removed >= batch) removed = yield* store.sweep(DateTime.toDateUtc(yield* DateTime.now), batch)
      })

      let reachable = true
      const round = Effect.fnUntraced(function* sweepRound(work: Effect.Effect<void>) {
        const fault = yield* work.pipe(Effect.as(undefined), Effect.catchDefect(Effect.succeed))
        if (fault !== undefined && reachable) yield* unreachable(fault)
        reachable = fault === undefined
      })
      const work = Effect.andThen(round(removals), Effect.forever(Effect.delay(round(Effect.andThen(sweep, removals)), every)))
      yield* Effect.forkScoped(work)
    }),
  )

const unreachable = (defect: unknown) =>
  Effect.logWarning("Expired rows could not be removed; trying again every minute.", Cause.die(defect))
