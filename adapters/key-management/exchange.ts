import { Effect, Schedule, Schema, Stream } from "effect"
import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import { KeyManagementRefused, KeyManagementUnavailable } from "../../domain/ports/key-management.ts"
import { connectionFault } from "../../domain/values/connection-fault.ts"
import { parsedJson } from "../json-text.ts"

/** The time for one answer. */
const timeout = "5 seconds"

/** Four further attempts, after 0.25, 0.5, 1 and 2 seconds. */
const retries = { schedule: Schedule.exponential("250 millis"), times: 4 }

/** The maximum number of bytes that are read of an answer. Answers have less than 10 KB. */
const maxAnswerBytes = 65_536

/** An answer of a key management. `body` is undefined if it is not JSON. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/**
 * Why the key management refused; undefined if a later attempt can succeed. Does not repeat the text of the answer, which could quote the
 * request.
 */
export type Refusal = (answer: Answer) => string | undefined

/** Sends a request and decodes the body of the answer. An outage is retried for some seconds. */
export const exchange = <A>(
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  refusal: Refusal,
  body: Schema.ConstraintDecoder<A>,
) =>
  attempt(client, request).pipe(
    Effect.flatMap((answer) => {
      if (answer.status >= 200 && answer.status < 300) return Effect.succeed(answer)
      const reason = isOutage(answer) ? undefined : refusal(answer)
      return Effect.fail(
        reason === undefined
          ? new KeyManagementUnavailable({ reason: `it answered ${answer.status}` })
          : new KeyManagementRefused({ reason }),
      )
    }),
    Effect.retry({ ...retries, while: ({ _tag }) => _tag === "KeyManagementUnavailable" }),
    Effect.flatMap((answer) =>
      Effect.mapError(
        Schema.decodeUnknownEffect(body)(answer.body),
        () => new KeyManagementUnavailable({ reason: "its answer is malformed" }),
      ),
    ),
    // A trace would contain the name of the key, and the request would contain trace headers.
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
  )

const isOutage = ({ status }: Answer) => status === 408 || status === 429 || status >= 500

const attempt = (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) =>
  HttpClient.withScope(client)
    .execute(request)
    .pipe(
      Effect.catchTag("HttpClientError", (error) => new KeyManagementUnavailable({ reason: connectionFault(error) })),
      Effect.flatMap(answerOf),
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => new KeyManagementUnavailable({ reason: `no answer after ${timeout}` }),
      }),
    )

const answerOf = Effect.fnUntraced(function* answerOf({ status, stream }: HttpClientResponse.HttpClientResponse) {
  const text = yield* Stream.mapError(stream, () => new KeyManagementUnavailable({ reason: "its answer broke off" })).pipe(
    Stream.limitBytes(maxAnswerBytes, () => Stream.fail(new KeyManagementUnavailable({ reason: "its answer is too long" }))),
    Stream.decodeText,
    Stream.mkString,
  )
  const answer: Answer = { status, body: parsedJson(text) }
  return answer
})
