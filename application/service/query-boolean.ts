import { Schema, SchemaTransformation } from "effect"

const FromText = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => text === "true", encode: (is) => (is ? "true" : "false") }),
  ),
)

/** A member of the input of a GET endpoint: `true` or `false` as text in a query string, a boolean in other shells. */
export const QueryBoolean = Schema.Union([Schema.Boolean, FromText])
