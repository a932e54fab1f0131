import { Option } from "effect"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * The JSON object that bytes of UTF-8 hold. Of a member that is there twice, readers take now the first and
 * now the last, so that two of them see two objects: such text is none.
 */
export const strictJsonObject = Option.liftThrowable((bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  const text = utf8.decode(bytes)
  let members = 0
  const value: unknown = JSON.parse(text, function (this: unknown, _, member) {
    if (!Array.isArray(this)) members++
    return member
  })
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("not an object")
  // The root counts as a member of nothing.
  if (members - 1 !== membersWritten(text)) throw new TypeError("a member is there twice")
  return value as Readonly<Record<string, unknown>>
})

const membersWritten = (json: string) =>
  Array.from(json.matchAll(/"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?/g)).filter(([, colon]) => colon !== undefined).length
