import { Duration, Effect, Layer, Schedule } from "effect"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { storeFaultText } from "./stop.ts"

/** The time to wait for the store: databases and services are often started together. */
const maxWait = Duration.seconds(30)

/** Retries to build a layer until its store can be reached. */
export const waitForStore = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.effectContext(
    Effect.suspend(() => {
      let isLogged = false
      const logOnce = (fault: StoreUnavailable) => {
        if (isLogged) return Effect.void
        isLogged = true
        return Effect.logWarning(`The store ${storeFaultText(fault, " yet")}; retrying for ${Duration.format(maxWait)}.`)
      }
      const isUnavailable = (fault: unknown): fault is StoreUnavailable => fault instanceof StoreUnavailable
      return Layer.build(Layer.fresh(layer)).pipe(
        Effect.tapError((fault) => (isUnavailable(fault) ? logOnce(fault) : Effect.void)),
        Effect.retry({ while: isUnavailable, schedule: Schedule.upTo(Schedule.spaced("1 second"), { duration: maxWait }) }),
      )
    }),
  )
