import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { Store } from "../ports/store.ts"
import type { AnyTable } from "../ports/table.ts"
import { holdLease } from "./lease.ts"
import { newId } from "./new-id.ts"
import { finishRemovals } from "./removals.ts"

const every = Duration.minutes(1)
const batch = 1000
/** Between two batches, so that many rows that expire together do not fill the log of the database at once. */
const pause = Duration.millis(200)
/** Longer than a round and the wait for the next one. */
const turn = Duration.minutes(3)

/**
 * Removes expired rows and finishes removals in the background, in batches, so that no statement takes long. One process at a time does it
 * for all. Removals that a crash has interrupted continue at the next start.
 */
export const layer = (tables: ReadonlyArray<AnyTable>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* Store
      const removals = Effect.provideService(finishRemovals(tables), Store, store)

      const holder = yield* newId
      const isMine = Effect.provideService(holdLease("sweeper", holder, turn), Store, store)

      const sweep = Effect.gen(function* () {
        while (yield* isMine) {
          const removed = yield* store.sweep(DateTime.toDateUtc(yield* DateTime.now), batch)
          if (removed < batch) return yield* removals
          yield* Effect.sleep(pause)
        }
      })

      let reachable = true
      const round = Effect.fnUntraced(function* sweepRound(work: Effect.Effect<void>) {
        const fault = yield* work.pipe(Effect.as(undefined), Effect.catchDefect(Effect.succeed))
        if (fault !== undefined && reachable) yield* unreachable(fault)
        reachable = fault === undefined
      })
      const work = Effect.andThen(round(removals), Effect.forever(Effect.delay(round(sweep), every)))
      yield* Effect.forkScoped(work)
    }),
  )

const unreachable = (defect: unknown) =>
  Effect.logWarning("Expired rows could not be removed; trying again every minute.", Cause.die(defect))
