import { SchemaAST } from "effect"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { isJsonObject } from "../../domain/values/json.ts"
import { headerMembersOf } from "../http/header-members.ts"
import { type Json, listOf } from "./json.ts"

/** Whether an endpoint reads anything from the query or the body. */
export const takesInput = ({ input }: AnyEndpoint): boolean => {
  const { ast } = input
  return !SchemaAST.isObjects(ast) || ast.propertySignatures.length > 0 || ast.indexSignatures.length > 0
}

/** The query parameters of a GET endpoint, one for each member of its input. */
export const parametersOf = ({ properties, required }: Json): ReadonlyArray<Json> =>
  Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => {
    const { description, ...schema } = isJsonObject(property) ? property : {}
    return {
      name,
      in: "query",
      ...(description === undefined ? {} : { description }),
      required: Array.isArray(required) && required.includes(name),
      schema: withoutText(schema),
    }
  })

const headerParameters = {
  expected_version: { name: "If-Match", description: "The same as `expected_version`, as an entity tag." },
  idempotency_key: { name: "Idempotency-Key", description: "The same as `idempotency_key`." },
} as const

/** The header fields that clients may send in place of members of the body. */
export const headerParametersOf = (endpoint: AnyEndpoint): ReadonlyArray<Json> =>
  headerMembersOf(endpoint).map((member) => ({ ...headerParameters[member], in: "header", required: false, schema: { type: "string" } }))

/** Query parameters are always text, so a union of an integer or a boolean with text is described without the text. */
const withoutText = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  const branches = listOf(anyOf)
  const [value, ...others] = branches.filter(({ type }) => type !== "string")
  const isReadable = value?.["type"] === "integer" || value?.["type"] === "boolean"
  return branches.length > 1 && isReadable && others.length === 0 ? { ...rest, ...value } : schema
}
