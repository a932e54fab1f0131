import { usePersistedOperations } from "@graphql-yoga/plugin-persisted-operations"
import { Result } from "effect"
import type { GraphQLParams, Plugin } from "graphql-yoga"
import { InvalidRequest } from "../../domain/errors.ts"
import { refusedResult, statusAs } from "./answers.ts"
import { refusedRequest, UnknownDocument } from "./errors.ts"
import type { Incoming } from "./incoming.ts"
import { parametersOf } from "./parameters.ts"

/** The members of the plugins' context besides those of yoga. */
export interface ServerContext {
  readonly incoming: Incoming
}
type OwnPlugin = Plugin<ServerContext, ServerContext>

/** The parameters of the body as yoga takes them; a trusted document has its id in place of its text. Throws a refusal of the request. */
export const yogaParameters = (body: object, isTrustedOnly: boolean): GraphQLParams => {
  const { query, documentId, operationName, variables } = Result.getOrThrowWith(parametersOf(body), refusedRequest)
  const params = operationName === undefined ? { variables } : { variables, operationName }
  if (isTrustedOnly) return documentId === undefined ? params : { ...params, extensions: persisted(documentId) }
  if (query === undefined) throw refusedRequest(new InvalidRequest({ message: "query: Missing key" }))
  return { ...params, query }
}

const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } })

/** Runs trusted documents only, by their ids. */
export const useTrustedDocuments = (documents: ReadonlyMap<string, string>): Plugin => {
  const unknown = () => refusedRequest(new UnknownDocument())
  return usePersistedOperations({
    getPersistedOperation: (id) => documents.get(id) ?? null,
    customErrors: { notFound: unknown, keyNotFound: unknown, persistedQueryOnly: unknown },
  })
}

/**
 * Prepares the document before yoga's phases, which parse and validate without a pause: a long document would stall all other requests. The
 * phases then take the prepared document, so that plugins that observe the phases still work.
 */
export const usePreparation = (): OwnPlugin => ({
  onParams: async ({ params: { query = "", operationName, variables = {} }, context: { incoming }, setResult }) => {
    const prepared = await incoming.prepare(query, { operationName, variables })
    if (Result.isSuccess(prepared)) return
    const { errors, status } = prepared.failure
    setResult(refusedResult(errors, statusAs(incoming.type, status)))
  },
  onParse: ({ context: { incoming }, setParsedDocument }) => setParsedDocument(incoming.execution().document),
  onValidate: ({ setResult }) => setResult([]),
  onExecute: ({ args, setExecuteFn }) => {
    const { incoming } = args.contextValue as ServerContext
    setExecuteFn(incoming.execute)
  },
  onSubscribe: ({ args, setSubscribeFn }) => {
    const { incoming } = args.contextValue as ServerContext
    setSubscribeFn(incoming.subscribe)
  },
})
