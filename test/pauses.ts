import type { Clock, Duration, Effect } from "effect"

/** A clock whose sleeps are replaced. */
export const pausing = (clock: Clock.Clock, sleep: (duration: Duration.Duration) => Effect.Effect<void>): Clock.Clock =>
  Object.assign(Object.create(clock), { sleep })
