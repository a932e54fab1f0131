import type { Schema } from "effect"
import type { Attributes } from "../../../domain/attributes/attributes.ts"
import type { AnyEndpoint } from "../endpoint.ts"
import type { AnyGraphField } from "../graph-field.ts"
import { makeMemberSchemas } from "./schemas.ts"

/**
 * Adds the configured attributes of members to the schemas of endpoints and graph fields, which read the values themselves: some show
 * members without their ids, and a version of a member covers its attributes. Without attributes, these stay as they are declared.
 */
export const withMemberAttributes = (attributes: Attributes) => {
  if (attributes.length === 0) return { endpoint: (endpoint: AnyEndpoint) => endpoint, field: (field: AnyGraphField) => field }
  const { extended, withChanges } = makeMemberSchemas(attributes)
  const endpointWith = (endpoint: AnyEndpoint): AnyEndpoint => {
    const { attributes: takes } = endpoint
    const input = takes?.of === "member" ? withChanges(endpoint.input, takes) : endpoint.input
    return { ...endpoint, input, output: extended<Schema.Codec<any, any>>(endpoint.output) }
  }
  const fieldWith = (field: AnyGraphField): AnyGraphField => ({ ...field, output: extended<Schema.Codec<any, any>>(field.output) })
  return { endpoint: endpointWith, field: fieldWith }
}
