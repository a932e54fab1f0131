import { initGraphQLTada } from "gql.tada"
import type { introspection } from "./schema.d.ts"

/** Types operations by the schema; scalars have their JSON types. */
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string; JSON: unknown } }>()
