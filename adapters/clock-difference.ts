import { Clock, Duration, Effect, Schedule } from "effect"
import { offer } from "./measures.ts"

/** Seconds. Time-outs of tokens and sessions then differ noticeably between instances. */
export const clockWarning = 2
/** Seconds. Codes of authenticator apps are valid for 30. */
export const clockError = 30

/** Seconds by which another clock is ahead of that of this process. The shortest of three requests is the most exact. */
export const clockDifference = <E, R>(read: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> => {
  const once = Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const theirs = yield* read
    const ended = yield* Clock.currentTimeMillis
    return { took: ended - begun, ahead: (theirs - (begun + ended) / 2) / 1000 }
  })
  return Effect.map(
    Effect.all([once, once, once]),
    ([first, ...others]) => others.reduce((best, each) => (each.took < best.took ? each : best), first).ahead,
  )
}

/** The difference in words. */
export const clockText = (ahead: number): string =>
  `the clock of the database is ${Math.abs(ahead).toFixed(1)} s ${ahead < 0 ? "behind" : "ahead of"} the clock of this machine`

/** Compares the clocks every minute until the scope ends: a metric, and a warning whenever they begin to differ. */
export const watchClock = Effect.fnUntraced(function* watchClock<E, R>(read: Effect.Effect<number, E, R>) {
  let ahead = Number.NaN
  let isWarned = false
  yield* offer([
    {
      name: "sallyport_database_clock_ahead_seconds",
      description: "Seconds by which the clock of the database is ahead of the clock of this process.",
      type: "gauge",
      read: () => ahead,
    },
  ])
  const compare = Effect.gen(function* () {
    ahead = yield* clockDifference(read)
    const differs = Math.abs(ahead) > clockWarning
    if (differs && !isWarned)
      yield* Effect.logWarning(`${clockText(ahead)}; synchronize both: sessions, tokens and codes expire at the wrong time.`)
    isWarned = differs
  })
  yield* Effect.forkScoped(Effect.repeat(Effect.ignoreCause(compare), Schedule.spaced(Duration.minutes(1))))
})
