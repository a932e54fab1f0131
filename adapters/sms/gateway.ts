import { Effect, Stream } from "effect"
import type { HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpClient, type HttpClientError } from "effect/http"
import { DeliveryRefused } from "../../domain/ports/delivery.ts"

/** As much of an answer as is read, bytes. */
const maxAnswer = 8192

/** What a gateway said beside the status, in words that repeat neither the message nor its receiver. */
export type Explain = (answer: string) => string

/**
 * Hands a message to a gateway. The status alone decides: the rest of a good answer is not waited for, since a message that
 * was taken must not be sent again because its answer broke off.
 */
export const handOver = (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest, explain: Explain = () => "") =>
  HttpClient.withScope(client)
    .execute(request)
    .pipe(
      Effect.flatMap((response) => (response.status >= 200 && response.status < 300 ? Effect.void : refusedBy(response, explain))),
      Effect.scoped,
      Effect.catchTag("HttpClientError", (error) => new DeliveryRefused({ permanent: false, reason: faultOf(error) })),
      // Traces would carry the gateway's URL, which may be a secret, and gateways would be told of traces.
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    )

const refusedBy = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse, explain: Explain) {
  const { status } = response
  const text = yield* Stream.limitBytes(response.stream, maxAnswer, () => Stream.empty).pipe(
    Stream.decodeText,
    Stream.mkString,
    Effect.orElseSucceed(() => ""),
  )
  const reason = [`the gateway answered ${status}`, explain(text)].filter(Boolean).join(", ")
  return yield* new DeliveryRefused({ permanent: isPermanent(status), reason })
})

/** A gateway that does not take our password, or has moved, is a matter of settings: as with mail, messages wait until they are mended. */
const waits = new Set([401, 408, 429])
const isPermanent = (status: number) => status >= 400 && status < 500 && !waits.has(status)

/** The code of a connection's fault, such as `ECONNREFUSED`; its message could name hosts and paths that are secret. */
const faultOf = ({ reason }: HttpClientError.HttpClientError): string => {
  const code: unknown = Reflect.get(Object(reason.cause), "code")
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : reason._tag
}
