import { Cause, DateTime, Duration, Effect, Layer, Metric } from "effect"
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

const removedRows = Metric.counter("sallyport_sweeper_rows_total", { description: "Expired rows that were removed.", incremental: true })
const lastSweep = Metric.gauge("sallyport_sweeper_last_timestamp_seconds", {
  description: "When this process last removed expired rows, seconds since 1970; one process does it for all.",
})

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
          const now = yield* DateTime.now
          const removed = yield* store.sweep(DateTime.toDateUtc(now), batch)
          yield* Metric.update(removedRows, removed)
          yield* Metric.update(lastSweep, DateTime.toEpochMillis(now) / 1000)
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
