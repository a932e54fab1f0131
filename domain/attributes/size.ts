import { listed, type ValueSchema } from "./value-schema.ts"

const utf8 = new TextEncoder()

/** The length of a value as JSON, in bytes. */
export const bytesOf = (value: unknown): number => utf8.encode(JSON.stringify(value)).length

/** A code point takes at most this many bytes in JSON: that of a control character is written as `\u001f`. */
const perCodePoint = 6

const longest = { boolean: "false", integer: "-9007199254740991", number: "-1.2345678901234567e-300", date: "0000-00-00" }

/** The length of the longest valid value as JSON, in bytes; infinite without a limit. */
export const longestOf = (schema: ValueSchema): number => {
  const values = listed(schema)
  if (values !== undefined) return Math.max(...values.map(bytesOf))
  const { type, items, maxItems = Number.POSITIVE_INFINITY, maxLength = Number.POSITIVE_INFINITY, format } = schema
  if (type === "array") return maxItems === 0 ? 2 : 2 + maxItems * (longestOf(items ?? {}) + 1)
  if (type === "boolean" || type === "integer" || type === "number") return longest[type].length
  return 2 + (format === "date" ? longest.date.length : perCodePoint * maxLength)
}
