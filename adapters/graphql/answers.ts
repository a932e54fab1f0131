import { HttpServerResponse } from "effect/http"
import type { GraphQLFormattedError } from "graphql"

/** What is sent back (GraphQL over HTTP). Without `data`, nothing was executed. */
export interface Answer {
  readonly data?: unknown
  readonly errors?: ReadonlyArray<GraphQLFormattedError>
}

const graphql = "application/graphql-response+json"
const json = "application/json"

/** The most media ranges of an `Accept` field that are read. */
const maxRanges = 50

/** The kind of answer that a request takes; undefined where it takes none of ours. */
export const acceptedBy = (accept: string | undefined): string | undefined => {
  const types = (accept ?? "*/*").split(",", maxRanges).map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? "" : type
  })
  if (types.includes(graphql)) return graphql
  return types.some((type) => [json, "application/*", "*/*"].includes(type)) ? json : undefined
}

/**
 * Whoever takes application/json alone is answered as servers did before there was a type for GraphQL: 200 to everything that is a
 * request of GraphQL, since they cannot tell whose JSON another status brings.
 */
export const written = (answer: Answer, type: string, isGraphql: boolean): HttpServerResponse.HttpServerResponse => {
  const [first] = answer.errors ?? []
  const refused = "data" in answer ? 200 : Number(first?.extensions?.["status"] ?? 500)
  return HttpServerResponse.text(JSON.stringify(answer), {
    status: type === json && isGraphql ? 200 : refused,
    contentType: `${type}; charset=utf-8`,
  })
}

/** A refusal by whatever stands before GraphQL, in its words. */
export const refusal = (error: GraphQLFormattedError, accept: string | undefined) =>
  written({ errors: [error] }, acceptedBy(accept) ?? graphql, false)
