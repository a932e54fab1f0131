import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { AuthError } from "../../domain/errors.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import { clientCertificate } from "./client-certificate.ts"
import { anonymous, makeExchange, outcomeOf } from "./exchange.ts"
import { formBody, isForm } from "./form-body.ts"
import type { Handle } from "./guard.ts"
import { entityTag, isVersioned, withHeaderMembers } from "./header-members.ts"
import { jsonBody } from "./json-body.ts"
import { cacheHeaders } from "./response-headers.ts"
import { HttpSettings } from "./settings.ts"

/** The services by which an input is read. */
type Reading = HttpServerRequest.ParsedSearchParams | Effect.Services<ReturnType<ReturnType<typeof jsonBody>>>

/** Reads the input, calls the endpoint and writes the response. */
export const makeRunner = <R>(auth: Auth<R>) =>
  Effect.gen(function* () {
    const { max_body_bytes, trusted_proxies } = yield* HttpSettings
    const { callerOf, answer } = yield* makeExchange(auth)
    const json = jsonBody(max_body_bytes)
    const form = formBody(max_body_bytes)

    return (endpoint: AnyEndpoint<R>): Handle<Exclude<R, Caller> | Reading> => {
      const certificateOf = clientCertificate(trusted_proxies, endpoint)
      const headers = cacheHeaders(endpoint)
      const status = endpoint.protocol?.created === true ? 201 : 200
      const encode = Schema.encodeSync(Schema.toCodecJson(endpoint.output))
      const tagOf = isVersioned(endpoint) ? entityTag : undefined
      const withMembers = withHeaderMembers(endpoint)
      const read = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, AuthError, Reading> => {
        if (endpoint.method === "GET" || endpoint.method === "DELETE") return HttpServerRequest.ParsedSearchParams
        return endpoint.protocol?.form === true && isForm(request) ? form(request) : json(request)
      }
      const inputOf: typeof read =
        withMembers === undefined ? read : (request) => Effect.map(read(request), (input) => withMembers(input, request.headers))
      const restrictedCallerOf = (request: HttpServerRequest.HttpServerRequest, address: string | null) => {
        const certificate = certificateOf?.(request.headers, Option.getOrNull(request.remoteAddress))
        const caller = callerOf(request, address, certificate)
        return endpoint.protocol?.anyOrigin === true ? anonymous(caller) : caller
      }

      return (request, address) => {
        const caller = restrictedCallerOf(request, address)
        return Effect.flatMap(inputOf(request), (input) => auth.call(endpoint, input)).pipe(
          Effect.provideService(Caller, caller),
          Effect.map((reply) => {
            const { text, fields } = reply
            if (endpoint.method === "DELETE") return answer(HttpServerResponse.empty({ headers }), outcomeOf(endpoint, reply, caller))
            const body = text === undefined ? encode(reply.body) : undefined
            const response =
              text === undefined
                ? HttpServerResponse.jsonUnsafe(body, { status, headers: { ...headers, ...tagOf?.(body), ...fields } })
                : HttpServerResponse.text(text.content, { contentType: text.type, headers: { ...headers, ...text.headers } })
            return answer(response, outcomeOf(endpoint, reply, caller))
          }),
        )
      }
    }
  })
