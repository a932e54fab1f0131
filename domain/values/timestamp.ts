import { DateTime, Option } from "effect"

const toTwentyThree = "[01]\\d|2[0-3]"
const toFiftyNine = "[0-5]\\d"

const shape = new RegExp(
  `^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])-(?<day>0[1-9]|[12]\\d|3[01])` +
    `[Tt](?<hour>${toTwentyThree}):(?<minute>${toFiftyNine}):(?<second>${toFiftyNine}|60)(?:\\.(?<fraction>\\d+))?` +
    `(?:[Zz]|(?<sign>[+-])(?<offset_hours>${toTwentyThree}):(?<offset_minutes>${toFiftyNine}))$`,
)

/** Parses an RFC 3339 date-time, to the millisecond. None for a day that does not exist in its month. */
export const instant = (text: string): Option.Option<DateTime.Utc> => {
  const groups = shape.exec(text)?.groups
  if (groups === undefined) return Option.none()

  const number = (name: string) => Number(groups[name] ?? 0)
  const [day, second] = [number("day"), number("second")]
  const midnight = DateTime.makeUnsafe({ year: number("year"), month: number("month"), day })
  if (DateTime.getPartUtc(midnight, "day") !== day) return Option.none()

  const ahead = groups["sign"] === "-" ? -1 : 1
  const hours = number("hour") - ahead * number("offset_hours")
  const minutes = number("minute") - ahead * number("offset_minutes")
  const minute = DateTime.add(midnight, { hours, minutes })
  if (second === 60 && !isLastOfMonth(minute)) return Option.none()

  const milliseconds = Number((groups["fraction"] ?? "").slice(0, 3).padEnd(3, "0"))
  return Option.some(DateTime.add(minute, { seconds: second, milliseconds }))
}

/** Leap seconds occur only in the last minute of a month, in UTC (RFC 3339 §5.7). */
const isLastOfMonth = (minute: DateTime.Utc) => {
  const { day, hour, minute: next } = DateTime.toPartsUtc(DateTime.add(minute, { minutes: 1 }))
  return day === 1 && hour === 0 && next === 0
}
