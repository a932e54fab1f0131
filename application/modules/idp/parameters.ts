import { Effect, Schema } from "effect"
import { InvalidRequest } from "../../../domain/errors.ts"

/** The value of a parameter: a text, or a list if the parameter is repeated. */
const Parameter = Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))

/** The parameters of an endpoint. Unknown ones are ignored (RFC 6749 sections 3.1 and 3.2). */
export const parameters = <const Name extends string>(...names: ReadonlyArray<Name>) =>
  Schema.Struct(Object.fromEntries(names.map((name) => [name, Parameter])) as { readonly [N in Name]: typeof Parameter })

type Given<Name extends string> = { readonly [N in Name]?: string | ReadonlyArray<string> }

/** The parameters that may be repeated (RFC 8707 section 2, RFC 8693 section 2.1). None of their values contains a blank. */
const repeatable: ReadonlyArray<string> = ["resource", "audience"]

/** The longest value of a parameter, in bytes of UTF-8. The values of a repeatable parameter count together. */
export const maxParameterBytes = 8192
/** The most that the values of all parameters of a request have together, in bytes of UTF-8. */
export const maxRequestBytes = 65_536

const utf8 = new TextEncoder()
/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => utf8.encode(text).length

/** The text of a parameter; the values of a repeatable one are separated by blanks. Undefined for another one that is repeated. */
const textOf = (name: string, value: string | ReadonlyArray<string> = ""): string | undefined => {
  if (typeof value === "string") return value
  return repeatable.includes(name) ? value.join(" ") : undefined
}

/** Why a request must be refused for its parameters: one is repeated (RFC 6749 sections 3.1 and 3.2), or they are too long. */
export const faultIn = (input: Given<string>): string | undefined => {
  let long: string | undefined
  let total = 0
  for (const [name, value] of Object.entries(input)) {
    const text = textOf(name, value)
    if (text === undefined) return `${name} is given more than once.`
    const bytes = bytesOf(text)
    if (bytes > maxParameterBytes) long ??= name
    total += bytes
  }
  if (long !== undefined) return `${long} is longer than ${maxParameterBytes} bytes.`
  return total > maxRequestBytes ? `The parameters are longer than ${maxRequestBytes} bytes together.` : undefined
}

/**
 * The parameters that occur once, and the values of repeatable ones, separated by blanks. A parameter without a value counts as omitted
 * (RFC 6749 section 3.1), and so does one that is too long: no answer repeats it, and nothing reads or stores it.
 */
export const singles = <Name extends string>(input: Given<Name>): { readonly [N in Name]?: string } => {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries<string | ReadonlyArray<string> | undefined>(input)) {
    const text = textOf(name, value)
    if (text !== undefined && text !== "" && bytesOf(text) <= maxParameterBytes) found[name] = text
  }
  return found as { [N in Name]?: string }
}

/** The parameters of a request in which none is repeated or too long; fails with `invalid_request` otherwise. */
export const distinct = Effect.fnUntraced(function* distinct<Name extends string>(input: Given<Name>) {
  const message = faultIn(input)
  if (message !== undefined) return yield* new InvalidRequest({ message })
  return singles(input)
})

/** The error for a request without a required parameter. */
export const missing = (name: string) => new InvalidRequest({ message: `${name} is missing.` })
