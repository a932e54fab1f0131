import { DateTime, Duration, Effect, Layer } from "effect"
import { Store } from "./ports/Store.ts"
import { finishRemovals } from "./Removals.ts"
import type { AnyTable } from "./Table.ts"

const every = Duration.minutes(1)
const batch = 1000

/** Removes expired rows and finishes removals in the background: no statement takes long, and no table grows without bound. */
export const layer = (tables: ReadonlyArray<AnyTable>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* Store

      const sweep = Effect.gen(function* () {
        let removed = batch
        while (removed >= batch) removed = yield* store.sweep(DateTime.toDateUtc(yield* DateTime.now), batch)
      })

      const work = Effect.gen(function* () {
        let reachable = true
        while (true) {
          yield* Effect.sleep(every)
          const swept = yield* Effect.andThen(sweep, finishRemovals(tables)).pipe(
            Effect.provideService(Store, store),
            Effect.as(true),
            Effect.catchDefect((defect) => Effect.as(reachable ? unreachable(defect) : Effect.void, false)),
          )
          reachable = swept
        }
      })
      yield* Effect.forkScoped(work)
    }),
  )

const unreachable = (defect: unknown) => Effect.logWarning("Expired rows could not be removed; trying again every minute.", defect)
