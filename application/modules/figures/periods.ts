import { DateTime, Schema } from "effect"

export const Step = Schema.Literals(["hour", "day"]).annotate({ identifier: "FigureStep" })
export type Step = typeof Step.Type

interface Period {
  /** Milliseconds. */
  readonly length: number
  /** How long its row is kept, milliseconds. */
  readonly kept: number
  readonly idOf: (iso: string) => string
}

const day = 86_400_000

export const periods: Readonly<Record<Step, Period>> = {
  hour: { length: 3_600_000, kept: 35 * day, idOf: (iso) => `h:${iso.slice(0, 13)}` },
  day: { length: day, kept: 400 * day, idOf: (iso) => `d:${iso.slice(0, 10)}` },
}
export const steps = ["hour", "day"] as const satisfies ReadonlyArray<Step>

/** The start of the hour or day, UTC, that contains a moment. */
export const startOf = (step: Step, at: DateTime.Utc) => DateTime.startOf(at, step)

/** The id of the row for the hour or day that contains a moment. */
export const idAt = (step: Step, at: DateTime.Utc) => periods[step].idOf(DateTime.formatIso(at))

/** The end of the row for the hour or day that contains a moment. */
export const expiryOf = (step: Step, at: DateTime.Utc) => DateTime.add(startOf(step, at), { milliseconds: periods[step].kept })

/** The number of hours or days from the one that contains `from` until before `to`. */
export const countBetween = (step: Step, from: DateTime.Utc, to: DateTime.Utc) =>
  Math.max(0, Math.ceil((DateTime.toEpochMillis(to) - DateTime.toEpochMillis(startOf(step, from))) / periods[step].length))

/** The first moments of so many hours or days, from the one that contains `from`. */
export const startsFrom = (step: Step, from: DateTime.Utc, count: number): ReadonlyArray<DateTime.Utc> => {
  const first = DateTime.toEpochMillis(startOf(step, from))
  return Array.from({ length: count }, (_, at) => DateTime.makeUnsafe(first + at * periods[step].length))
}
