import { Effect, Stream } from "effect"
import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import { DeliveryRefused } from "../../domain/ports/delivery.ts"
import { connectionFault } from "../../domain/values/connection-fault.ts"

/** The maximum number of bytes that are read of an answer. */
const maxAnswerBytes = 8192

/** Extracts a reason from the body of an error; must not repeat the message or its recipient. */
export type Explain = (answer: string) => string

/** Sends a message to a gateway. Only the status decides: a retry after a success whose body broke off would deliver the message twice. */
export const deliver = (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest, explain: Explain = () => "") =>
  HttpClient.withScope(client)
    .execute(request)
    .pipe(
      Effect.flatMap((response) => (response.status >= 200 && response.status < 300 ? Effect.void : refusedBy(response, explain))),
      Effect.scoped,
      Effect.catchTag("HttpClientError", (error) => new DeliveryRefused({ permanent: false, reason: connectionFault(error) })),
      // A trace would contain the URL of the gateway, which may be secret, and the request would contain trace headers.
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    )

const refusedBy = Effect.fnUntraced(function* refusedBy(response: HttpClientResponse.HttpClientResponse, explain: Explain) {
  const { status } = response
  const text = yield* Stream.limitBytes(response.stream, maxAnswerBytes, () => Stream.empty).pipe(
    Stream.decodeText,
    Stream.mkString,
    Effect.orElseSucceed(() => ""),
  )
  const reason = [`the gateway answered ${status}`, explain(text)].filter(Boolean).join(", ")
  return yield* new DeliveryRefused({ permanent: isPermanent(status), reason })
})

/**
 * Client errors that are not permanent. Wrong credentials (401) are wrong settings, like redirects: as with mail, messages wait until these
 * are corrected. The others are temporary.
 */
const waits = new Set([401, 408, 429])
const isPermanent = (status: number) => status >= 400 && status < 500 && !waits.has(status)
