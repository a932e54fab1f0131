import { DateTime } from "effect"

// How often one may guess at what has few values, whatever it was guessed in before. Whoever guesses goes on for years; so
// the pauses grow, and only a right answer ends them.

/** Wrong answers since the last right one, and the moment from which the next is looked at. */
export interface GuessBudget {
  readonly failures: number
  readonly locked_until: DateTime.Utc | null
}

/** Nobody has guessed. */
export const untouched: GuessBudget = { failures: 0, locked_until: null }

/** The wrong answer after which there is a pause. */
export const allowed = 10

/** Seconds of the first pause, which each further wrong answer doubles, and of the longest. */
const first = 900
const longest = 86_400

/** What is left after a wrong answer. */
export const missed = ({ failures }: GuessBudget, now: DateTime.Utc): GuessBudget => {
  const count = failures + 1
  if (count < allowed) return { failures: count, locked_until: null }
  const seconds = Math.min(first * 2 ** (count - allowed), longest)
  return { failures: count, locked_until: DateTime.add(now, { seconds }) }
}

/** Seconds until the next answer is looked at; 0 where it is at once. */
export const pauseOf = ({ locked_until }: GuessBudget, now: DateTime.Utc): number =>
  locked_until === null ? 0 : Math.max(0, Math.ceil((DateTime.toEpochMillis(locked_until) - DateTime.toEpochMillis(now)) / 1000))
