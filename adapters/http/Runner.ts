import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/Auth.ts"
import { Caller } from "../../application/Caller.ts"
import type { AnyEndpoint } from "../../application/Endpoint.ts"
import { Settings } from "../../application/Settings.ts"
import type { AuthError } from "../../domain/Errors.ts"
import { anonymous, makeExchange } from "./Exchange.ts"
import { formBody, isForm } from "./FormBody.ts"
import type { Handle } from "./Guard.ts"
import { jsonBody } from "./JsonBody.ts"

/** Reads the input, calls the endpoint and writes the answer. */
export const makeRunner = <R>(auth: Auth<R>) =>
  Effect.gen(function* () {
    const { max_body_bytes } = yield* Settings
    const { callerOf, answer } = yield* makeExchange(auth)
    const json = jsonBody(max_body_bytes)
    const form = formBody(max_body_bytes)

    return (endpoint: AnyEndpoint<R>): Handle<Exclude<R, Caller> | HttpServerRequest.ParsedSearchParams> => {
      const encode = Schema.encodeSync(Schema.toCodecJson(endpoint.output))
      const inputOf = (
        request: HttpServerRequest.HttpServerRequest,
      ): Effect.Effect<unknown, AuthError, HttpServerRequest.ParsedSearchParams> => {
        if (endpoint.method === "GET") return HttpServerRequest.ParsedSearchParams
        return endpoint.protocol?.form === true && isForm(request) ? form(request) : json(request)
      }
      const who = (request: HttpServerRequest.HttpServerRequest, address: string | null) =>
        endpoint.protocol?.anyOrigin === true ? anonymous(callerOf(request, address)) : callerOf(request, address)

      return (request, address) =>
        Effect.flatMap(inputOf(request), (input) => auth.call(endpoint, input)).pipe(
          Effect.provideService(Caller, who(request, address)),
          Effect.map((reply) => answer(HttpServerResponse.jsonUnsafe(encode(reply.body)), reply)),
        )
    }
  })
