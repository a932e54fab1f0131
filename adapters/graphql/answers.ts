import { HttpServerResponse } from "effect/http"
import type { GraphQLFormattedError } from "graphql"

/** A response of GraphQL over HTTP. Without `data`, nothing was executed. */
export interface Answer {
  readonly data?: unknown
  readonly errors?: ReadonlyArray<GraphQLFormattedError>
}

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
export const written = (answer: Answer, type: string, isGraphql: boolean): HttpServerResponse.HttpServerResponse => {
  const [first] = answer.errors ?? []
  const status = "data" in answer ? 200 : Number(first?.extensions?.["status"] ?? 500)
  return HttpServerResponse.text(JSON.stringify(answer), {
    status: type === json && isGraphql ? 200 : status,
    contentType: `${type}; charset=utf-8`,
  })
}

/** A refusal by the guard, in the format of GraphQL. */
export const refusal = (error: GraphQLFormattedError, accept: string | undefined) =>
  written({ errors: [error] }, acceptedBy(accept) ?? graphql, false)
