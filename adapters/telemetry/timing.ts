import { Effect, Metric } from "effect"

/** Records how long an effect takes, seconds, however it ends. */
export const timed = <A, E, R>(metric: Metric.Metric<number, unknown>, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const begin = performance.now()
    return Effect.onExit(effect, () => Metric.update(metric, (performance.now() - begin) / 1000))
  })
