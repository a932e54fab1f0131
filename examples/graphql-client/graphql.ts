import { initGraphQLTada } from "gql.tada"
import type { introspection } from "./schema.d.ts"

/** Types operations by the schema; scalars as JSON has them. */
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string; JSON: unknown } }>()
