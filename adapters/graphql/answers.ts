import type { ExecutionResult, GraphQLErrorExtensions, GraphQLFormattedError } from "graphql"
import { GraphQLError } from "graphql"
import { json } from "./refusals.ts"

/**
 * As application/json, every response to a well-formed GraphQL request has status 200 (GraphQL over HTTP): with another status, a
 * client cannot distinguish the response from that of a proxy.
 */
export const statusAs = (type: string, status: number): number => (type === json ? 200 : status)

/** The result of a request that is not executed. */
export const refusedResult = (errors: ReadonlyArray<GraphQLFormattedError>, status: number): ExecutionResult => ({
  ...withErrors(errors),
  extensions: { http: { status } },
})

/** A result with formatted errors, which yoga writes as they are. */
export const withErrors = (errors: ReadonlyArray<GraphQLFormattedError>) => ({ errors: errors as ReadonlyArray<any> })

/** Writes a result. The member `http` of extensions, yoga's convention for the status of the response, stays inside. */
export const written = ({ errors, data, extensions = {} }: ExecutionResult) => {
  const statuses = [extensions, ...(errors ?? []).map((error) => error.extensions ?? {})].map((each) => httpOf(each)?.status)
  const shown = errors?.map((error) => ({ ...formattedOf(error), extensions: withoutHttp(error.extensions ?? {}) }))
  return { status: statuses.find((status) => status !== undefined) ?? 200, text: JSON.stringify({ errors: shown, data }) }
}

const httpOf = (extensions: GraphQLErrorExtensions) => extensions["http"] as { readonly status: number } | undefined
const withoutHttp = ({ http: _, ...extensions }: GraphQLErrorExtensions) => extensions
const formattedOf = (error: GraphQLError): GraphQLFormattedError => (error instanceof GraphQLError ? error.toJSON() : error)
