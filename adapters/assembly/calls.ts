import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { type AnyEndpoint, type Reply, statusOf } from "../../application/service/endpoint.ts"
import { CallingApplication } from "../../domain/administration/principal.ts"
import { type AuthError, InvalidRequest, Unauthorized } from "../../domain/errors.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import { Settings } from "../../domain/settings.ts"
import { clientAddress } from "../http/client-address.ts"
import { clientCertificate } from "../http/client-certificate.ts"
import { makeExchange, type Outcome, outcomeOf, refusalOutcome } from "../http/exchange.ts"
import { boundedFields } from "../http/fields.ts"
import { refuseDefect } from "../http/refusals.ts"
import { HttpSettings } from "../http/settings.ts"
import type { CallOptions, CallResult, RequestHeaders } from "./call.ts"

/** The operations by endpoint name, called without HTTP. The checks of the endpoint apply; the checks of REST (origin, request budgets) do not. */
export const makeCalls = Effect.fnUntraced(function* makeCalls<R>(auth: Auth<R>) {
  const { public_url, base_path } = yield* Settings
  const http = yield* HttpSettings
  const exchange = yield* makeExchange(auth)
  const addressOf = clientAddress(http)

  const callOf = (endpoint: AnyEndpoint<R>) => {
    const encode = Schema.encodeSync(Schema.toCodecJson(endpoint.output))
    const bounded = boundedFields(endpoint.protocol?.certificateField)
    const certificateOf = clientCertificate(http.trusted_proxies, endpoint)

    const headersOf = (outcome: Outcome) => HttpServerResponse.toWeb(exchange.answer(HttpServerResponse.empty(), outcome)).headers

    const success = (reply: Reply<unknown>, caller: Caller["Service"]): CallResult<unknown> => {
      const headers = headersOf(outcomeOf(endpoint, reply, caller))
      const body: unknown = encode(reply.body)
      if (reply.isChallenge !== true) return { data: body, error: null, challenge: null, headers }
      return { data: null, error: null, challenge: body as Readonly<Record<string, unknown>>, headers }
    }
    const failure = (error: AuthError): CallResult<unknown> => {
      const { _tag: code, message, retryAfter } = error
      const shown = { code, message, status: statusOf(endpoint, error), ...(retryAfter === undefined ? {} : { retryAfter }) }
      return { data: null, error: shown, challenge: null, headers: headersOf(refusalOutcome(error)) }
    }

    return ({ headers, address = null, input = {}, actor }: CallOptions & { readonly input?: object }) => {
      const { request } = bounded(
        HttpServerRequest.fromWeb(
          new Request(`${public_url}${base_path}${endpoint.path}`, {
            method: endpoint.method,
            headers: webHeaders(headers),
          }),
        ),
      )
      const certificate = certificateOf?.(request.headers, address)
      const caller = exchange.callerOf(request, addressOf(address, request.headers), certificate)
      const called = Effect.suspend(() => {
        const fault = actor === undefined ? undefined : actorFault(endpoint, actor)
        if (fault !== undefined) return Effect.fail(fault)
        const sent = jsonOf(input)
        return auth.call(endpoint, endpoint.method === "GET" ? asText(sent) : sent)
      })
      return called.pipe(
        Effect.provideService(Caller, caller),
        Effect.provideService(CallingApplication, actor ?? null),
        Effect.catchDefect((defect) => refuseDefect(defect, request, randomUUID())),
        Effect.match({ onSuccess: (reply) => success(reply, caller), onFailure: failure }),
      )
    }
  }
  return Object.entries(auth.endpoints).map(([name, endpoint]) => [name, callOf(endpoint)] as const)
})

/** An actor that would have no effect is refused: the call would run as a visitor. */
const actorFault = ({ access }: AnyEndpoint, actor: string) => {
  if (typeof access !== "object") return new Unauthorized({ message: "Only operations of administrators can have an actor." })
  if (/^[a-z0-9_.:-]{1,64}$/.test(actor)) return undefined
  return new InvalidRequest({ message: "actor: expected 1 to 64 small letters, digits and _.:-" })
}

const webHeaders = (headers: RequestHeaders = {}): Headers => {
  if (headers instanceof Headers || Symbol.iterator in headers) return new Headers(headers as HeadersInit)
  return new Headers(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const])))
}

/** The input without members that are undefined, as a client sends it in JSON. */
const jsonOf = (input: object): object => JSON.parse(JSON.stringify(input))

/** Converts the values of an input to strings: GET endpoints read their input from the query, which contains only strings. */
const asText = (input: object): object =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, typeof value === "object" ? value : String(value)]))
