import { Schema } from "effect"

/**
 * A schema that accepts any value. The OpenAPI document shows the type that callers should send; the endpoint decides what other values
 * mean.
 */
export const anyValueShownAs = (toJsonSchema: () => Readonly<Record<string, unknown>>) =>
  Schema.Unknown.pipe(Schema.check(Schema.makeFilter(() => true, { toJsonSchema })))
