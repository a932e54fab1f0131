import { Schema } from "effect"

/** One that is given several times is a list. */
const Parameter = Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))

/** The parameters of an endpoint. Others are ignored (RFC 6749 sections 3.1 and 3.2). */
export const parameters = <const Name extends string>(...names: ReadonlyArray<Name>) =>
  Schema.Struct(Object.fromEntries(names.map((name) => [name, Parameter])) as { readonly [N in Name]: typeof Parameter })

type Given<Name extends string> = { readonly [N in Name]?: string | ReadonlyArray<string> }

/** The name of a parameter that is given more than once, which none may be. */
export const repeated = (given: Given<string>): string | undefined => Object.keys(given).find((name) => Array.isArray(given[name]))

/** What is given once; a parameter without a value counts as left out (RFC 6749 section 3.1). */
export const singles = <Name extends string>(given: Given<Name>): { readonly [N in Name]?: string } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === "string" && value !== "")) as { [N in Name]?: string }
