import { type Context, Effect, type Exit, type Metric } from "effect"

/** Records how long an effect takes, seconds, in the metric for its result. */
export const timedBy = <A, E, R>(
  metricOf: (exit: Exit.Exit<A, E>, seconds: number) => Metric.Metric<number, unknown>,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.contextWith((services: Context.Context<R>) => {
    const begin = performance.now()
    return Effect.onExit(effect, (exit) => {
      const seconds = (performance.now() - begin) / 1000
      metricOf(exit, seconds).updateUnsafe(seconds, services)
      return Effect.void
    })
  })

/** Records how long an effect takes, seconds, however it ends. */
export const timed = <A, E, R>(metric: Metric.Metric<number, unknown>, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  timedBy(() => metric, effect)
