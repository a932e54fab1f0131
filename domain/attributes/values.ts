import { Schema } from "effect"
import { isStorable } from "../ports/store.ts"
import { formats } from "./formats.ts"
import { listed, type ScalarSchema, type Value, type ValueSchema } from "./value-schema.ts"

type Test = (value: unknown) => boolean

/**
 * Whether a value is valid, as JSON Schema defines it, with two limits: text has to be storable, and integers have to be exact in JSON, up
 * to 2^53.
 */
export const acceptorOf = (schema: ValueSchema): Test => {
  const tests = [typeTest(schema), ...listTests(schema), ...textTests(schema), ...numberTests(schema), ...arrayTests(schema)]
  return (value) => tests.every((test) => test(value))
}

const isScalar: Test = (value) =>
  typeof value === "string" ? isStorable(value) : typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))

const typeTest = ({ type }: ValueSchema): Test => {
  switch (type) {
    case "array":
      return Array.isArray
    case "integer":
      return Number.isSafeInteger
    case undefined:
      return isScalar
    default:
      return (value) => typeof value === type && isScalar(value)
  }
}

const listTests = ({ enum: values, const: only }: ValueSchema): ReadonlyArray<Test> => [
  ...(values === undefined ? [] : [(value: unknown) => values.some((each) => each === value)]),
  ...(only === undefined ? [] : [(value: unknown) => value === only]),
]

/** Tests of texts, shortest first: a pattern only sees text within the limit of its length. */
const textTests = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern }: ValueSchema): ReadonlyArray<Test> => {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, "u")
  const isText = (text: string) =>
    isBetween(lengthOf(text, maxLength), minLength, maxLength) &&
    (format === undefined || formats[format](text)) &&
    (expression === undefined || expression.test(text))
  return [(value) => typeof value !== "string" || isText(value)]
}

/** The length in code points; of a text that is far too long, in code units. */
const lengthOf = (text: string, limit: number) => (text.length > 2 * limit ? text.length : Array.from(text).length)

const isBetween = (value: number, minimum: number, maximum: number) => value >= minimum && value <= maximum

const numberTests = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ValueSchema): ReadonlyArray<Test> => {
  const isInRange = (value: number) =>
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum)
  return [(value) => typeof value !== "number" || isInRange(value)]
}

const arrayTests = ({ items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: ValueSchema): ReadonlyArray<Test> => {
  const isItem = items === undefined ? isScalar : acceptorOf(items)
  return [(value) => !Array.isArray(value) || (isBetween(value.length, minItems, maxItems) && value.every(isItem))]
}

/** The Effect Schema of the values. API descriptions and types are derived from it. */
export const codecOf = (schema: ValueSchema): Schema.Codec<Value> => {
  const { title: _title, description: _description, type: _type, items: _items, ...constraints } = schema
  const isValid = acceptorOf(schema)
  const expected = Object.keys(constraints).length === 0 ? "a valid value" : `a value that matches ${JSON.stringify(constraints)}`
  const checked = Schema.makeFilter((value: unknown) => isValid(value), { expected, toJsonSchema: () => constraints })
  return baseOf(schema).check(checked) as Schema.Codec<Value>
}

const baseOf = (schema: ValueSchema): Schema.Codec<any> => {
  switch (schema.type) {
    case "array":
      return Schema.Array(codecOf(schema.items ?? {}) as Schema.Codec<any>)
    case "integer":
      return Schema.Int
    case "string":
      return Schema.String
    case "number":
      return Schema.Finite
    case "boolean":
      return Schema.Boolean
    default:
      return ofListed(listed(schema) ?? [])
  }
}

/** Without a type, the types of the values that the schema lists. */
const ofListed = (values: ReadonlyArray<ScalarSchema["const"]>): Schema.Codec<any> => {
  const types = new Set(values.map((value) => typeof value))
  const schemas = [
    ...(types.has("string") ? [Schema.String] : []),
    ...(types.has("number") ? [Schema.Finite] : []),
    ...(types.has("boolean") ? [Schema.Boolean] : []),
  ]
  const [only = Schema.String, ...others] = schemas
  return others.length === 0 ? only : Schema.Union(schemas)
}
