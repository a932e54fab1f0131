/** The members of a JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object, and not a list or null. */
export const isJsonObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value)

/** For `JSON.stringify`: objects with their members in order, so that equal values have the same text. */
export const inOrder = (_: string, value: unknown): unknown =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))) : value

/** Limit on the values, nested ones included, of a JSON text from an untrusted source. Requests to this service have far fewer. */
export const maxJsonValues = 10_000

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openingBracket = 0x5b
const backslash = 0x5c
const openingBrace = 0x7b

/**
 * Counts the members and values of a JSON text in one pass, without allocations, so that callers can reject it before `JSON.parse`. A
 * megabyte of brackets blocks the process twenty times as long as a megabyte of text. Counting stops once it exceeds `maxJsonValues`. The
 * counts are meaningless for a text that is not JSON.
 */
export const structureOf = (json: string): { readonly members: number; readonly values: number } => {
  let members = 0
  let values = 1
  for (let at = 0; at < json.length && values <= maxJsonValues; at++) {
    const character = json.charCodeAt(at)
    if (character === quote) at = endOfString(json, at + 1)
    else if (character === colon) members++
    else if (character === comma || character === openingBracket || character === openingBrace) values++
  }
  return { members, values }
}

/**
 * The index of the quote that ends a string. Uses the native search: a loop over the characters takes ten times as long for a megabyte of
 * text.
 */
const endOfString = (json: string, start: number): number => {
  let at = json.indexOf('"', start)
  while (at !== -1 && isEscaped(json, at, start)) at = json.indexOf('"', at + 1)
  return at === -1 ? json.length : at
}

/** Whether an odd number of backslashes precedes the quote. */
const isEscaped = (json: string, at: number, start: number): boolean => {
  let first = at
  while (first > start && json.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}
