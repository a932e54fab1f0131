import { Schema } from "effect"

/** Any value. The OpenAPI document shows the type that callers are to send; the endpoint reads every other value by a rule of its own. */
export const anyValueShownAs = (toJsonSchema: () => Readonly<Record<string, unknown>>) =>
  Schema.Unknown.pipe(Schema.check(Schema.makeFilter(() => true, { toJsonSchema })))
