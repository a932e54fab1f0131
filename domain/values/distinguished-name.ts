import { Option } from "effect"

// Distinguished names as text (RFC 4514 section 2): relative names separated by commas, each with one or several attributes.

/** An attribute and the separator after it. An escaped separator is part of the attribute. */
const part = /((?:\\.|[^\\,+])*)([,+]|$)/gsy

/** The type and the value of an attribute (RFC 4514 section 3). */
const attribute = /^([a-z][a-z\d-]*|\d+(?:\.\d+)*)\s*=\s*((?:\\(?:[\da-f]{2}|[ "#+,;<=>\\])|[^"+,;<>\\])*)$/is

/** Removes the blanks around an attribute, which have no meaning. One that is escaped stays. */
const trimmed = (written: string) => {
  const text = written.trim()
  let end = text.length
  while (text[end - 1] === "\\") end--
  return (text.length - end) % 2 === 0 ? text : `${text} `
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** Replaces the escapes of a value. Pairs of hexadecimal digits are bytes of UTF-8. */
const unescaped = (value: string) =>
  value.replace(/((?:\\[\da-f]{2})+)|\\(.)/gi, (_, bytes: string | undefined, character: string) =>
    bytes === undefined ? character : decoder.decode(Uint8Array.from(bytes.split("\\").slice(1), (pair) => Number.parseInt(pair, 16))),
  )

/** The attributes of each relative name, sorted: their order has no meaning. Throws for a text that is not a distinguished name. */
const relativeNames = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const names: Array<Array<string>> = [[]]
  let length = 0
  for (const [whole, written = "", separator] of text.matchAll(part)) {
    const [, type, value] = attribute.exec(trimmed(written)) ?? []
    if (type === undefined || value === undefined) throw new TypeError("not a distinguished name")
    names.at(-1)?.push(JSON.stringify([type.toUpperCase(), unescaped(value)]))
    length += whole.length
    if (separator === "") break
    if (separator === ",") names.push([])
  }
  if (length !== text.length) throw new TypeError("not a distinguished name")
  return names.map((attributes) => attributes.sort())
}

const normalized = Option.liftThrowable((text: string) => JSON.stringify(relativeNames(text)))

/** Whether a text is a distinguished name. */
export const isDistinguishedName = (text: string): boolean => Option.isSome(normalized(text))

/** Whether two texts are the same distinguished name. Values are compared exactly, types without regard to case. */
export const isSameDistinguishedName = (one: string, other: string): boolean => {
  const [first, second] = [normalized(one), normalized(other)]
  return Option.isSome(first) && Option.isSome(second) && first.value === second.value
}
