import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { RedisUnavailable } from "../redis/redis-unavailable.ts"
import { redisFaultText, storeFaultText } from "./start-faults.ts"

/** The seconds to wait for another service: databases and services are often started together. */
export const WaitFor = Context.Reference<number>("sallyport/WaitFor", { defaultValue: () => 30 })

/** Retries to build a layer while it fails with this error, which `textOf` describes for the log. */
const waiting =
  (isUnavailable: (fault: unknown) => boolean, textOf: (fault: unknown) => string) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>) =>
    Layer.effectContext(
      Effect.flatMap(WaitFor, (seconds) => {
        const duration = Duration.seconds(seconds)
        let isLogged = seconds === 0
        const logOnce = (fault: unknown) => {
          if (isLogged) return Effect.void
          isLogged = true
          return Effect.logWarning(`${textOf(fault)}; retrying for ${Duration.format(duration)}.`)
        }
        return Layer.build(Layer.fresh(layer)).pipe(
          Effect.tapError((fault) => (isUnavailable(fault) ? logOnce(fault) : Effect.void)),
          Effect.retry({
            while: (fault) => seconds > 0 && isUnavailable(fault),
            schedule: Schedule.upTo(Schedule.spaced("1 second"), { duration }),
          }),
        )
      }),
    )

/** Retries to build a layer until its store can be reached. */
export const waitForStore = waiting(
  (fault) => fault instanceof StoreUnavailable && fault.isFinal !== true,
  (fault) => `The store ${storeFaultText(fault, " yet")}`,
)

/** Retries to build a layer until Redis can be reached. */
export const waitForRedis = waiting(
  (fault) => fault instanceof RedisUnavailable && !fault.isFinal,
  (fault) => `Redis ${redisFaultText(fault, " yet")}`,
)
