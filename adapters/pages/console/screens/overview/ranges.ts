import type { Input } from "../../../page.ts"

type Step = Input<"adminFigures">["step"]

/** The times that the overview can show: so many hours or days, the last of which is not over. */
export const ranges = {
  "24h": { step: "hour", count: 24, label: "console.overview.range.24h" },
  "7d": { step: "hour", count: 168, label: "console.overview.range.7d" },
  "90d": { step: "day", count: 90, label: "console.overview.range.90d" },
} as const
export type RangeName = keyof typeof ranges

const lengths: Readonly<Record<Step, number>> = { hour: 3_600_000, day: 86_400_000 }

/** The range of this name; the shortest for another name. */
export const rangeNamed = (name: string | null): RangeName => (name !== null && Object.hasOwn(ranges, name) ? (name as RangeName) : "24h")

/** The requests for a range that ends now, and for the one of equal length before it. */
export const requestsOf = (name: RangeName, now: number) => {
  const { step, count } = ranges[name]
  const length = lengths[step]
  const from = Math.floor(now / length) * length - (count - 1) * length
  const iso = (millis: number) => new Date(millis).toISOString()
  return {
    current: { from: iso(from), to: iso(now + 1), step },
    earlier: { from: iso(from - count * length), to: iso(from), step },
  } as const
}

/** The names of hours or days in the language of the reader, in UTC. */
export const namesOfTimes = (tag: string, step: Step, times: ReadonlyArray<string>) => {
  const time = step === "hour" ? ({ hour: "numeric", minute: "2-digit" } as const) : {}
  const format = new Intl.DateTimeFormat(tag, { day: "numeric", month: "short", ...time, timeZone: "UTC" })
  return times.map((at) => format.format(new Date(at)))
}
