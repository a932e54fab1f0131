import { Schema } from "effect"

// The part of JSON Schema 2020-12 in which a configuration describes the values of an attribute.

const Scalar = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
const Length = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Note = Schema.String.check(Schema.isMaxLength(256, { expected: "a text of at most 256 characters" }))

const keywords = {
  enum: Schema.optionalKey(Schema.NonEmptyArray(Scalar)),
  const: Schema.optionalKey(Scalar),
  minLength: Schema.optionalKey(Length),
  maxLength: Schema.optionalKey(Length),
  pattern: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.Literals(["date", "date-time", "uri", "email"])),
  minimum: Schema.optionalKey(Schema.Finite),
  maximum: Schema.optionalKey(Schema.Finite),
  exclusiveMinimum: Schema.optionalKey(Schema.Finite),
  exclusiveMaximum: Schema.optionalKey(Schema.Finite),
  title: Schema.optionalKey(Note),
  description: Schema.optionalKey(Note),
}

const ScalarSchema = Schema.Struct({
  type: Schema.optionalKey(Schema.Literals(["string", "integer", "number", "boolean"])),
  ...keywords,
})
export type ScalarSchema = typeof ScalarSchema.Type

export const ValueSchema = Schema.Struct({
  type: Schema.optionalKey(Schema.Literals(["string", "integer", "number", "boolean", "array"])),
  ...keywords,
  items: Schema.optionalKey(ScalarSchema),
  minItems: Schema.optionalKey(Length),
  maxItems: Schema.optionalKey(Length),
})
export type ValueSchema = typeof ValueSchema.Type

/** A value of an attribute. */
export type Value = string | number | boolean | ReadonlyArray<string | number | boolean>

/** The values that a schema lists; undefined if it lists none. */
export const listed = ({ const: only, enum: values }: ValueSchema): ReadonlyArray<string | number | boolean> | undefined =>
  only === undefined ? values : [only]
