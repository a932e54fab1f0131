import { Duration, Effect, Layer, Schedule } from "effect"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { outage } from "./stop.ts"

/** A store is given this long to appear: databases and services are often started together. */
const patience = Duration.seconds(30)

/** Builds a layer again and again until its store can be reached. */
export const waitForStore = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.effectContext(
    Effect.suspend(() => {
      let told = false
      const tell = (fault: StoreUnavailable) => {
        if (told) return Effect.void
        told = true
        return Effect.logWarning(`The store ${outage(fault, " yet")}; trying again for ${Duration.format(patience)}.`)
      }
      const isAway = (fault: unknown): fault is StoreUnavailable => fault instanceof StoreUnavailable
      return Layer.build(Layer.fresh(layer)).pipe(
        Effect.tapError((fault) => (isAway(fault) ? tell(fault) : Effect.void)),
        Effect.retry({ while: isAway, schedule: Schedule.upTo(Schedule.spaced("1 second"), { duration: patience }) }),
      )
    }),
  )
