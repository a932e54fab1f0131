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

/** The name of a repeated parameter, if any. A request with one must be rejected (RFC 6749 sections 3.1 and 3.2). */
export const repeated = (input: Given<string>): string | undefined =>
  Object.keys(input).find((name) => Array.isArray(input[name]) && !repeatable.includes(name))

/**
 * The parameters that occur once, and the values of repeatable ones, separated by blanks. A parameter without a value counts as omitted
 * (RFC 6749 section 3.1).
 */
export const singles = <Name extends string>(input: Given<Name>): { readonly [N in Name]?: string } => {
  const given: ReadonlyArray<readonly [string, string | ReadonlyArray<string>]> = Object.entries(input)
  const texts = given.map(([name, value]) => [name, repeatable.includes(name) && typeof value !== "string" ? value.join(" ") : value])
  return Object.fromEntries(texts.filter(([, value]) => typeof value === "string" && value !== "")) as { [N in Name]?: string }
}

/** The parameters of a request in which none is repeated; fails with `invalid_request` otherwise. */
export const distinct = Effect.fnUntraced(function* distinct<Name extends string>(input: Given<Name>) {
  const duplicate = repeated(input)
  if (duplicate !== undefined) return yield* new InvalidRequest({ message: `${duplicate} is given more than once.` })
  return singles(input)
})

/** The error for a request without a required parameter. */
export const missing = (name: string) => new InvalidRequest({ message: `${name} is missing.` })
