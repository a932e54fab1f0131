import { initGraphQLTada } from "gql.tada"
import type { introspection } from "./schema.d.ts"

/** Parses an operation and infers its types from the schema. Scalars have the types of their JSON values. */
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string; JSON: unknown } }>()
