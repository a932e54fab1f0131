import { Option } from "effect"
import { maxJsonValues, structureOf } from "./json.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON object from UTF-8 bytes. Rejects duplicate members: parsers disagree on which one wins. Callers limit the length of
 * untrusted input before they call this.
 */
export const strictJsonObject = Option.liftThrowable((bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  const text = utf8.decode(bytes)
  const { members, values } = structureOf(text)
  if (values > maxJsonValues) throw new TypeError("too many values")
  const value: unknown = JSON.parse(text)
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("not an object")
  if (membersOf(value) !== members) throw new TypeError("duplicate member")
  return value as Readonly<Record<string, unknown>>
})

/** The number of members of all objects in a value. */
const membersOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0
  const nested: ReadonlyArray<unknown> = Object.values(value)
  return nested.reduce((sum: number, each) => sum + membersOf(each), Array.isArray(value) ? 0 : nested.length)
}
