import { randomUUID } from "node:crypto"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpServerResponse } from "effect/http"
import type { AnyEndpoint } from "../../application/Endpoint.ts"
import { consume } from "../../application/Limits.ts"
import { Settings } from "../../application/Settings.ts"
import type { AuthError } from "../../domain/Errors.ts"
import { UntrustedOrigin } from "../../domain/Errors.ts"
import { budgetOwner, clientAddress } from "./ClientAddress.ts"
import { corsHeaders, originJudge, preflightHeaders } from "./Origins.ts"
import { foreseen, refusal } from "./Refusals.ts"
import { limitHeaders, securityHeaders } from "./ResponseHeaders.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Answers a request from a client address, which is null where the peer has none. */
export type Handle<R> = (request: Request, address: string | null) => Effect.Effect<Response, AuthError, R>

/** Everything a request goes through whichever endpoint it is for: origin, client address, rate limit, envelope, headers. */
export const makeGuard = Effect.gen(function* () {
  const { public_url, rate_limit, trusted_origins, trusted_proxies } = yield* Settings
  const standingOf = originJudge(public_url, trusted_origins)
  const addressOf = clientAddress(trusted_proxies)
  const always = securityHeaders(public_url)
  const budget = rate_limit.enabled ? { "ratelimit-limit": String(rate_limit.requests.limit) } : {}

  return <R>(handle: Handle<R>, endpoint?: AnyEndpoint) =>
    (request: Request) =>
      Effect.suspend(() => {
        const { origin } = request.headers
        const standing = standingOf(origin)
        const id = randomUUID()
        const headers: Record<string, string> = { ...always, "x-request-id": id }
        if (standing === "trusted" && origin !== undefined) Object.assign(headers, corsHeaders(origin))

        const answer = Effect.suspend(() => {
          if (standing === "untrusted") return Effect.fail(new UntrustedOrigin())
          if (request.method === "OPTIONS" && standing === "trusted") return Effect.succeed(preflight)
          Object.assign(headers, budget)
          const address = addressOf(Option.getOrNull(request.remoteAddress), request.headers["x-forwarded-for"])
          return Effect.flatMap(consume("requests", budgetOwner(address)), (consumed) => {
            Object.assign(headers, limitHeaders(consumed))
            return handle(request, address)
          })
        })
        return answer.pipe(
          Effect.catchDefect((defect) => foreseen(defect, request, id)),
          Effect.match({
            onSuccess: (response) => HttpServerResponse.setHeaders(response, headers),
            onFailure: (error) => refusal(error, endpoint, headers),
          }),
        )
      })
})

const preflight = HttpServerResponse.empty({ headers: preflightHeaders })
