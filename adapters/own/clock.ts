import { Clock, Effect, Layer } from "effect"
import { hasMethods } from "./answer.ts"

/** A clock of one's own, as `clock` of the configuration: tests move it. */
export interface OwnClock {
  /** Milliseconds since 1970, or a date. Expiries and budgets are decided by it; pauses between background work last their real time. */
  now(): number | Date
}

export const isClock = (value: unknown): value is OwnClock => hasMethods(value, ["now"])

export const layer = (own: OwnClock): Layer.Layer<never> => {
  const real = Clock.Clock.defaultValue()
  const millis = () => Number(own.now())
  const nanos = () => BigInt(Math.round(millis() * 1_000_000))
  return Layer.succeed(Clock.Clock, {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration),
  })
}
