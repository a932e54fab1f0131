import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { HttpServerError, type HttpServerRequest, type HttpServerResponse } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * A handler that answers requests whose target spells the route's path character by character, and fails as if there were no route for
 * all others. The router decodes percent escapes, ends a path at `;` and normalises absolute targets; a proxy's rule for a path does not,
 * so that every further spelling would be a way around that rule.
 */
export const exactly =
  <E, R>(path: string, handle: (request: Request) => Effect.Effect<Response, E, R>) =>
  (request: Request): Effect.Effect<Response, E | HttpServerError.HttpServerError, R> =>
    pathOf(NodeHttpServerRequest.toIncomingMessage(request).url ?? "") === path ? handle(request) : Effect.fail(noRoute(request))

/** The path of a request target as it was sent, whether the target is a path or a whole URL (RFC 9112 section 3.2). */
const pathOf = (target: string): string => {
  const [path = ""] = target.split("?", 1)
  return path.replace(/^https?:\/\/[^/]*/i, "")
}

const noRoute = (request: Request) => new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
