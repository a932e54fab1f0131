import type { ConsoleView } from "../screen.ts"

/** The first moment of a day, UTC. A text that is no day stays no moment, which the endpoint refuses. */
export const dayStart = (day: string) => `${day}T00:00:00Z`

/** The first moment after a day, in the same way. */
export const dayEnd = (day: string) => {
  const start = Date.parse(dayStart(day))
  return Number.isNaN(start) ? dayStart(day) : new Date(start + 86_400_000).toISOString()
}

/** A day in words. A text that is no day stays as it is. */
export const dayName = ({ texts }: ConsoleView, day: string) => {
  const start = Date.parse(dayStart(day))
  if (Number.isNaN(start)) return day
  return new Intl.DateTimeFormat(texts.tag, { dateStyle: "medium", timeZone: "UTC" }).format(start)
}
