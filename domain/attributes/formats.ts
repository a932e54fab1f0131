import { uri as uriGrammar } from "../values/uri-grammar.ts"

// The formats of JSON Schema 2020-12, section 7.3. No repetition in the expressions is ambiguous, so matching takes linear time.

const date = /^(\d{4})-(\d{2})-(\d{2})$/
const time = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
const uri = new RegExp(`^${uriGrammar}$`)
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const email = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`)

/** RFC 3339, full-date. */
const isDate = (text: string): boolean => {
  const [, year, month, day] = date.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return day >= 1 && day <= days
}

/** RFC 3339, full-time. A leap second can only end a day in UTC. */
const isTime = (text: string): boolean => {
  const groups = time.exec(text)
  if (groups === null) return false
  const [hour = 0, minute = 0, second = 0] = groups.slice(1, 4).map(Number)
  const ahead = groups[4] === "-" ? -1 : 1
  const [hours, minutes] = [Number(groups[5] ?? 0), Number(groups[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || hours > 23 || minutes > 59) return false
  const inUtc = (hour - ahead * hours) * 60 + minute - ahead * minutes
  return second < 60 || (inUtc + 1440) % 1440 === 1439
}

const isDateTime = (text: string): boolean => /^.{10}[Tt]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11))

export const formats = {
  date: isDate,
  "date-time": isDateTime,
  uri: (text: string) => uri.test(text),
  email: (text: string) => email.test(text),
} as const
