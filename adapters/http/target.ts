import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { InvalidRequest } from "../../domain/errors.ts"
import { fieldsOf } from "./form-body.ts"

// The target of a request (RFC 9112 section 3.2): its path, and its query, which is hidden from the router.

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * Restricts a route to the exact spelling of its path; other targets fail as if the route did not exist. The router decodes percent
 * escapes, ends a path at `;` and normalises absolute targets; a proxy's rule for a path does not, so another spelling would bypass
 * that rule.
 */
export const exactly =
  <E, R>(path: string, handle: (request: Request) => Effect.Effect<Response, E, R>) =>
  (request: Request): Effect.Effect<Response, E | HttpServerError.HttpServerError, R> =>
    pathOf(request) === path ? handle(request) : Effect.fail(noRoute(request))

/** The undecoded path of a request's target. */
export const pathOf = (request: Request): string => targetOf(request).split("?", 1)[0] ?? ""

/** The path and query of a request's target, undecoded. The target is in origin or absolute form (RFC 9112 section 3.2). */
export const targetOf = (request: Request): string =>
  (NodeHttpServerRequest.toIncomingMessage(request).url ?? "").replace(/^https?:\/\/[^/?]*/i, "")

const noRoute = (request: Request) => new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })

/** The maximum length of a query, in UTF-16 code units: `node:http` accepts no more, other servers may. */
const maxQueryLength = 16_384
/** The maximum length of a parameter of a query, in UTF-16 code units. */
const maxParameterLength = 8192

/** Runs the router without the query, which it would parse before the request is counted. */
export const hidingQuery = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) => {
    const [path = ""] = request.url.split("?", 1)
    return path === request.url ? request : request.modify({ url: path })
  })

/** The request with its query. */
export const withQuery = (request: Request): Request => {
  const target = targetOf(request)
  return target.includes("?") ? request.modify({ url: target }) : request
}

/** Reads the parameters of a query; a repeated parameter becomes the list of its values. */
export const queryOf = ({ url }: Request) => {
  const begin = url.indexOf("?")
  if (begin < 0) return Effect.succeed({})
  if (url.length - begin > maxQueryLength)
    return Effect.fail(new InvalidRequest({ message: `The query has more than ${maxQueryLength} characters.` }))
  return fieldsOf(url.slice(begin + 1), maxParameterLength)
}
