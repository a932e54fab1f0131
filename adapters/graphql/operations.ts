import type { DocumentNode, FragmentDefinitionNode, GraphQLField, GraphQLSchema, SelectionSetNode } from "graphql"
import { getOperationAST, Kind } from "graphql"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"

const mark = "sallyport/endpoint"

/** Marks a field with the endpoint that it calls. */
export const calling = (endpoint: AnyEndpoint) => ({ [mark]: endpoint })

const endpointOf = (field: GraphQLField<unknown, unknown> | undefined) => field?.extensions[mark] as AnyEndpoint | undefined

/** The first endpoint with an input that a document calls; undefined where it calls none, or does not say which operation is meant. */
export const calledFirst = (schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined): AnyEndpoint | undefined => {
  const operation = getOperationAST(document, operationName)
  const root = operation && schema.getRootType(operation.operation)
  if (!operation || !root) return undefined

  /** Each fragment is looked into once: fragments that spread others twice double with each level. */
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of document.definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each)

  const calledIn = (set: SelectionSetNode | undefined): AnyEndpoint | undefined => {
    for (const selection of set?.selections ?? []) {
      const found = selection.kind === Kind.FIELD ? endpointOf(root.getFields()[selection.name.value]) : calledIn(setOf(selection))
      if (found !== undefined) return found
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
