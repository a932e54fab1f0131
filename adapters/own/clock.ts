import { Clock, Effect, Layer } from "effect"
import { hasMethods } from "./answer.ts"
import type { OwnClock } from "./ports.ts"

export const isClock = (value: unknown): value is OwnClock => hasMethods(value, ["now"])

export const layer = (own: OwnClock): Layer.Layer<never> => {
  const real = Clock.Clock.defaultValue()
  const millis = () => Math.floor(Number(own.now()))
  const nanos = () => BigInt(millis()) * 1_000_000n
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
