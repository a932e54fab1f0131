import { HttpServerResponse } from "effect/http"
import type { GraphQLFormattedError } from "graphql"
import { type AuthError, define } from "../../domain/errors.ts"

// Refusals before yoga, without graphql-js: it is loaded with the first request that is executed.

export const MethodNotAllowed = define("method_not_allowed", 405, "GraphQL requests must use POST.")
export const NotAcceptable = define(
  "not_acceptable",
  406,
  "The response is application/graphql-response+json or application/json, and text/event-stream for a subscription; Accept must allow it.",
)
export const UnsupportedMediaType = define("unsupported_media_type", 415, "The body must be application/json.")

export const graphql = "application/graphql-response+json"
export const json = "application/json"

/** Further media ranges of an `Accept` field are ignored. */
const maxRanges = 50

const rangesOf = (accept: string | undefined) =>
  (accept ?? "*/*").split(",", maxRanges).map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? "" : type
  })

/** Whether `Accept` names the media type of server-sent events. */
export const acceptsStream = (accept: string | undefined): boolean => rangesOf(accept).includes("text/event-stream")

/** The media type of the response; undefined when `Accept` allows neither of the two. */
export const acceptedBy = (accept: string | undefined): string | undefined => {
  const types = rangesOf(accept)
  if (types.includes(graphql)) return graphql
  return types.some((type) => [json, "application/*", "*/*"].includes(type)) ? json : undefined
}

/** The extensions of an error: its wire code and its status in REST. */
export const extensionsOf = ({ _tag, retryAfter }: AuthError, status: number) => ({
  code: _tag,
  status,
  ...(retryAfter === undefined ? {} : { retryAfter }),
})

/** A refusal of the whole request. */
export const envelope = (error: AuthError, status: number = error.status): GraphQLFormattedError => ({
  message: error.message,
  extensions: extensionsOf(error, status),
})

/** A refusal by the guard, which runs before yoga. */
export const refusal = (error: GraphQLFormattedError, accept: string | undefined) =>
  HttpServerResponse.text(JSON.stringify({ errors: [error] }), {
    status: Number(error.extensions?.["status"] ?? 500),
    contentType: `${acceptedBy(accept) ?? graphql}; charset=utf-8`,
  })
