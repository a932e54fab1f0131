import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/Auth.ts"
import { Caller } from "../../application/Caller.ts"
import type { AnyEndpoint } from "../../application/Endpoint.ts"
import { Settings } from "../../application/Settings.ts"
import type { AuthError } from "../../domain/Errors.ts"
import type { Handle } from "./Guard.ts"
import { jsonBody } from "./JsonBody.ts"
import { sessionCookie } from "./SessionCookie.ts"

/** As much of a `User-Agent` as a session keeps. */
const maxUserAgent = 500

/** Reads the input, calls the endpoint and writes the answer. */
export const makeRunner = <R>(auth: Auth<R>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const cookie = sessionCookie(settings)
    const body = jsonBody(settings.max_body_bytes)

    return (endpoint: AnyEndpoint<R>): Handle<Exclude<R, Caller> | HttpServerRequest.ParsedSearchParams> => {
      const encode = Schema.encodeSync(Schema.toCodecJson(endpoint.output))
      const inputOf = (
        request: HttpServerRequest.HttpServerRequest,
      ): Effect.Effect<unknown, AuthError, HttpServerRequest.ParsedSearchParams> =>
        endpoint.method === "GET" ? HttpServerRequest.ParsedSearchParams : body(request)

      return (request, address) =>
        Effect.flatMap(inputOf(request), (input) => auth.call(endpoint, input)).pipe(
          Effect.provideService(Caller, {
            credential: request.cookies[cookie.name] ?? null,
            ip_address: address,
            user_agent: request.headers["user-agent"]?.slice(0, maxUserAgent) ?? null,
          }),
          Effect.map((reply) => cookie.apply(HttpServerResponse.jsonUnsafe(encode(reply.body)), reply.session)),
        )
    }
  })
