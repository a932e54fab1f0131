import { Data, Effect, Option, Stream } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { connectionFault } from "../../../domain/values/connection-fault.ts"
import { strictJsonObject } from "../../../domain/values/strict-json.ts"

// Requests to providers.

/** Limit on the size of a response, bytes. */
const maxAnswer = 1_048_576

/** Why a response cannot be used, without secrets. `isMissing`: the provider has nothing at this URL. `error`: its OAuth error code. */
export class Unusable extends Data.TaggedError("Unusable")<{
  readonly reason: string
  readonly isMissing?: boolean
  readonly error?: unknown
}> {}

export type Answer = Readonly<Record<string, unknown>>

/** The JSON object in a provider's response. Redirects are not followed: they would send a code or a token elsewhere. */
export const answer = (request: HttpClientRequest.HttpClientRequest, timeout: number) =>
  sent(request, timeout, (bytes) => strictJsonObject(bytes).pipe(orUnusable("the answer is not a JSON object")))

/** The JSON list in a provider's response. */
export const listAnswer = (request: HttpClientRequest.HttpClientRequest, timeout: number) =>
  sent(request, timeout, (bytes) =>
    strictJsonObject(wrapped(bytes)).pipe(
      Option.flatMap(({ list }) => (Array.isArray(list) ? Option.some<ReadonlyArray<unknown>>(list) : Option.none())),
      orUnusable("the answer is not a JSON list"),
    ),
  )

const utf8 = new TextEncoder()
/** A JSON text as the only member of an object, which `strictJsonObject` parses. */
const wrapped = (bytes: Uint8Array) => Uint8Array.from([...utf8.encode('{"list":'), ...bytes, ...utf8.encode("}")])

const orUnusable =
  (reason: string) =>
  <A>(parsed: Option.Option<A>): Effect.Effect<A, Unusable> =>
    Option.match(parsed, { onNone: () => Effect.fail(new Unusable({ reason })), onSome: Effect.succeed })

const sent = Effect.fnUntraced(
  function* providerAnswer<A>(
    request: HttpClientRequest.HttpClientRequest,
    timeout: number,
    parse: (bytes: Uint8Array) => Effect.Effect<A, Unusable>,
  ) {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    // Without `Accept` some providers answer with a form; some refuse requests without `User-Agent`.
    const complete = HttpClientRequest.setHeaders(request, { accept: "application/json", "user-agent": "sallyport" })
    return yield* client.execute(complete).pipe(
      Effect.mapError((error) => new Unusable({ reason: connectionFault(error) })),
      Effect.flatMap((response) => read(response, parse)),
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: `${timeout} seconds`,
        orElse: () => Effect.fail(new Unusable({ reason: `there is no answer after ${timeout} s` })),
      }),
    )
  },
  // A trace would contain URLs, and its headers would be sent to the provider.
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
)

const read = Effect.fnUntraced(function* readAnswer<A>(
  { status, stream }: HttpClientResponse.HttpClientResponse,
  parse: (bytes: Uint8Array) => Effect.Effect<A, Unusable>,
): Effect.fn.Return<A, Unusable> {
  const body = Stream.mapError(stream, (error) => new Unusable({ reason: connectionFault(error) })).pipe(
    Stream.limitBytes(maxAnswer, () => Stream.fail(new Unusable({ reason: `the answer has more than ${maxAnswer} bytes` }))),
    Stream.mkUint8Array,
  )
  if (status >= 200 && status < 300) return yield* parse(yield* body)
  const refusal = yield* body.pipe(
    Effect.map((bytes) => Option.getOrElse(strictJsonObject(bytes), (): Answer => ({}))),
    Effect.orElseSucceed((): Answer => ({})),
  )
  const { error } = refusal
  return yield* new Unusable({ reason: `the answer is ${status}${errorIn(refusal)}`, isMissing: status === 404 || status === 410, error })
})

/** Whether this is an OAuth error code. Other texts are not repeated, since an attacker could have written them. */
export const isErrorCode = (text: unknown): text is string => typeof text === "string" && /^[a-z_]{1,40}$/.test(text)

/** The code of an OAuth error, such as `invalid_client`, for operators. */
export const errorIn = ({ error }: Answer) => (isErrorCode(error) ? `, ${error}` : "")

/** Logs why a response cannot be used, and the setting that it belongs to. */
export const reported =
  (provider: string, setting: "token_url" | "userinfo_url" | "issuer" | "jwks_url" | "id_token") =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.tapError(self, (error) =>
      error instanceof Unusable
        ? Effect.annotateLogs(Effect.logWarning("a social provider's answer cannot be used"), { provider, setting, reason: error.reason })
        : Effect.void,
    )
