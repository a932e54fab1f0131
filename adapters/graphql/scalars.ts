import { DateTime as Moment, Option } from "effect"
import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  valueFromASTUntyped,
} from "graphql"

const invalidDateTime = () => new GraphQLError("DateTime must be a text such as 2026-01-31T12:00:00.000Z")

const momentOf = (value: unknown): string => {
  if (typeof value !== "string" || Option.isNone(Moment.make(value))) throw invalidDateTime()
  return value
}

const DateTime = new GraphQLScalarType<string, string>({
  name: "DateTime",
  description: "A time in UTC with milliseconds, such as 2026-01-31T12:00:00.000Z.",
  specifiedByURL: "https://scalars.graphql.org/andimarek/date-time",
  coerceOutputValue: (value) => (Moment.isDateTime(value) ? Moment.formatIso(value) : momentOf(value)),
  coerceInputValue: momentOf,
  coerceInputLiteral: (node) => {
    if (node.kind !== Kind.STRING) throw invalidDateTime()
    return momentOf(node.value)
  },
})

export const Json = new GraphQLScalarType<unknown, unknown>({
  name: "JSON",
  description: "Any JSON value.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc8259",
  coerceOutputValue: (value) => value,
  coerceInputValue: (value) => value,
  coerceInputLiteral: (node) => valueFromASTUntyped(node),
})

export const scalars = { String: GraphQLString, Int: GraphQLInt, Float: GraphQLFloat, Boolean: GraphQLBoolean, DateTime }
