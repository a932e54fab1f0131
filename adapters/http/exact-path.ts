import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { HttpServerError, type HttpServerRequest, type HttpServerResponse } from "effect/http"

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
