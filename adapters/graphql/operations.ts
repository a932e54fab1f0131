import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from "graphql"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"

const mark = "sallyport/endpoint"

/** The extension of a field that calls an endpoint. */
export const endpointExtension = (endpoint: AnyEndpoint) => ({ [mark]: endpoint })

/** An input that no schema accepts: a call with it checks the session and the guard, and never runs the handler. */
export const unreadable = Symbol("invalid input")

const endpointOf = (field: GraphQLField<unknown, unknown> | undefined) => field?.extensions[mark] as AnyEndpoint | undefined

/** The first endpoint with an input that the operation calls; undefined when it calls none, or when the operation is ambiguous. */
export const firstEndpointCalled = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): AnyEndpoint | undefined => {
  const operation = getOperationAST(document, operationName)
  const root = operation && schema.getRootType(operation.operation)
  if (!operation || !root) return undefined

  /** The fragments that were not visited yet. Each is visited once: nested fragments would otherwise double the work with each level. */
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of document.definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each)

  const calledIn = (set: SelectionSetNode | undefined): AnyEndpoint | undefined => {
    for (const selection of set?.selections ?? []) {
      const endpoint = selection.kind === Kind.FIELD ? endpointOf(root.getFields()[selection.name.value]) : calledIn(setOf(selection))
      if (endpoint !== undefined) return endpoint
    }
    return undefined
  }
  const setOf = (selection: Exclude<SelectionSetNode["selections"][number], { readonly kind: Kind.FIELD }>) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet
    const fragment = fragments.get(selection.name.value)
    fragments.delete(selection.name.value)
    return fragment?.selectionSet
  }
  return calledIn(operation.selectionSet)
}
