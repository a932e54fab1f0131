import { DateTime } from "effect"

// Limits guesses at values with few possibilities, across all sign-ins. An attacker can continue for years, so the pauses grow, and only a
// right answer resets them.

/** Wrong answers since the last right one, and the end of the current pause. */
export interface GuessBudget {
  readonly failures: number
  readonly locked_until: DateTime.Utc | null
}

/** The state before the first wrong answer. */
export const noFailures: GuessBudget = { failures: 0, locked_until: null }

/** The number of wrong answers that starts the first pause. */
export const allowed = 10

/** The lengths of the first and of the longest pause, seconds. Each further wrong answer doubles the pause. */
const first = 900
const longest = 86_400

/** The state after a wrong answer. */
export const missed = ({ failures }: GuessBudget, now: DateTime.Utc): GuessBudget => {
  const count = failures + 1
  if (count < allowed) return { failures: count, locked_until: null }
  const seconds = Math.min(first * 2 ** (count - allowed), longest)
  return { failures: count, locked_until: DateTime.add(now, { seconds }) }
}

/** Seconds until the next answer is accepted; 0 without a pause. */
export const pauseOf = ({ locked_until }: GuessBudget, now: DateTime.Utc): number =>
  locked_until === null ? 0 : Math.max(0, Math.ceil((DateTime.toEpochMillis(locked_until) - DateTime.toEpochMillis(now)) / 1000))
