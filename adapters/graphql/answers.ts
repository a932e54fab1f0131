import { HttpServerResponse } from "effect/http"
import type { ExecutionResult, GraphQLFormattedError } from "graphql"

const graphql = "application/graphql-response+json"
const json = "application/json"

/** Further media ranges of an `Accept` field are ignored. */
const maxRanges = 50

/** The media type of the response; undefined when `Accept` allows neither of the two. */
export const acceptedBy = (accept: string | undefined): string | undefined => {
  const types = (accept ?? "*/*").split(",", maxRanges).map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? "" : type
  })
  if (types.includes(graphql)) return graphql
  return types.some((type) => [json, "application/*", "*/*"].includes(type)) ? json : undefined
}

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
export const withErrors = (errors: ReadonlyArray<GraphQLFormattedError>): ExecutionResult => ({ errors: errors as ReadonlyArray<any> })

/** A refusal by the guard, which runs before yoga. */
export const refusal = (error: GraphQLFormattedError, accept: string | undefined) =>
  HttpServerResponse.text(JSON.stringify({ errors: [error] }), {
    status: Number(error.extensions?.["status"] ?? 500),
    contentType: `${acceptedBy(accept) ?? graphql}; charset=utf-8`,
  })
