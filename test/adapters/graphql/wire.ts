import { SchemaAST } from "effect"
import type { GraphQLInputType, GraphQLOutputType, GraphQLSchema } from "graphql"
import {
  type GraphQLField,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from "graphql"
import { memberName } from "../../../adapters/graphql/names.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { modules } from "../../everything.ts"

// Converts inputs of REST to GraphQL, and answers of GraphQL to REST, so that one input can be sent to both and the answers compared.

/** The operation that calls an endpoint and selects every field of its answer. */
export const operationOf = (schema: GraphQLSchema, name: string, { method }: AnyEndpoint): string => {
  const field = fieldOf(schema, name, method)
  const [input] = field.args
  const [declared, given] = input === undefined ? ["", ""] : [`($input: ${input.type})`, "(input: $input)"]
  return `${method === "GET" ? "query" : "mutation"} ${declared} { ${name}${given} ${selectionOf(field.type)} }`
}

export const fieldOf = (schema: GraphQLSchema, name: string, method: string): GraphQLField<unknown, unknown> => {
  const field = (method === "GET" ? schema.getQueryType() : schema.getMutationType())?.getFields()[name]
  if (field === undefined) throw new Error(`no field ${name}`)
  return field
}

/** The graph fields, which the answers of REST do not contain. */
const graphFields = new Set(
  modules.flatMap((module) =>
    module.graphFields.map(({ on, name }) => `${on === "viewer" ? on : SchemaAST.resolveIdentifier(on.ast)}.${name}`),
  ),
)

const selectionOf = (type: GraphQLOutputType): string => {
  const named = getNamedType(type)
  if (isLeafType(named)) return ""
  if (isUnionType(named))
    return `{ __typename ${named
      .getTypes()
      .map((member) => `... on ${member.name} ${selectionOf(member)}`)
      .join(" ")} }`
  if (!isObjectType(named)) throw new Error(`${named} is of no kind that operations answer`)
  const fields = Object.values(named.getFields()).filter(({ name }) => !graphFields.has(`${named.name}.${name}`))
  return `{ ${fields.map((field) => `${field.name} ${selectionOf(field.type)}`).join(" ")} }`
}

/** Converts an input of REST to one of GraphQL. */
export const asInput = (type: GraphQLInputType, value: any): any => {
  const present = getNullableType(type)
  if (value === null || value === undefined) return value
  if (isListType(present)) return value.map((each: unknown) => asInput(present.ofType, each))
  if (isEnumType(present)) return present.getValues().find((each) => each.value === value)?.name ?? value
  if (!isInputObjectType(present)) return value
  const fields = present.getFields()
  return Object.fromEntries(
    Object.entries(value).map(([wire, held]) => {
      const name = memberName(wire)
      return [name, fields[name] === undefined ? held : asInput(fields[name].type, held)]
    }),
  )
}

/** Values with the right type and no meaning, in the form of REST. */
export const madeUp = (type: GraphQLInputType): any => {
  const present = getNullableType(type)
  if (isListType(present)) return [madeUp(present.ofType)]
  if (isEnumType(present)) return present.getValues()[0]?.value
  if (isInputObjectType(present)) {
    const required = Object.values(present.getFields()).filter((field) => isNonNullType(field.type))
    return Object.fromEntries(required.map((field) => [wireName(field.name), madeUp(field.type)]))
  }
  return { Int: 1, Float: 1.5, Boolean: true, DateTime: "2026-01-31T12:00:00.000Z" }[present.name] ?? "made up"
}

/** Members that are in camelCase in REST too, because another specification names them so (WebAuthn). */
const ownNames = ["rawId", "clientDataJSON", "attestationObject", "authenticatorData", "userHandle", "clientExtensionResults"]

const wireName = (name: string) => (ownNames.includes(name) ? name : name.replace(/[A-Z]/g, (message) => `_${message.toLowerCase()}`))

/** An answer of GraphQL in the form of REST, without members that are null: REST omits some of them. */
export const asWire = (schema: GraphQLSchema, type: GraphQLOutputType, value: any): any => {
  const present = getNullableType(type)
  if (value === null || value === undefined) return undefined
  if (isListType(present)) return value.map((each: unknown) => asWire(schema, present.ofType, each))
  if (isEnumType(present)) return present.getValue(value)?.value
  const object = isUnionType(present) ? schema.getType(value.__typename) : present
  if (!isObjectType(object)) return value
  const entries = Object.entries(value).filter(([name]) => name !== "__typename")
  return Object.fromEntries(
    entries
      .map(([name, held]) => [wireName(name), asWire(schema, object.getFields()[name]!.type, held)])
      .filter(([, held]) => held !== undefined),
  )
}

/** An answer of REST without members that are null. */
export const withoutNulls = (value: any): any => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== null)
      .map(([name, held]) => [name, withoutNulls(held)]),
  )
}
