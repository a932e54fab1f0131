import { Data, Effect, Option, Redacted, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { HttpClient, HttpClientRequest } from "effect/http"
import { OauthTokenError, OauthUserinfoError } from "../../../domain/errors.ts"
import { connectionFault } from "../../../domain/values/connection-fault.ts"
import { strictJsonObject } from "../../../domain/values/strict-json.ts"
import { profileOf } from "./profile.ts"
import type { Provider } from "./settings.ts"

// Requests to providers.

/** Limit on the size of a response, bytes. */
const maxAnswer = 1_048_576

/** Why a response cannot be used, without secrets. `isMissing`: the provider has nothing at this URL. */
class Unusable extends Data.TaggedError("Unusable")<{ readonly reason: string; readonly isMissing?: boolean }> {}

type Answer = Readonly<Record<string, unknown>>

/** Exchanges a code for an access token (RFC 6749 section 4.1.3). */
export const tokenFrom = Effect.fnUntraced(function* tokenFrom(provider: Provider, code: string, code_verifier: string, timeout: number) {
  const request = HttpClientRequest.post(provider.token_url).pipe(
    HttpClientRequest.bodyUrlParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: provider.redirect_uri,
      client_id: provider.client_id,
      client_secret: Redacted.value(provider.client_secret),
      code_verifier,
    }),
  )
  return yield* answer(request, timeout).pipe(
    Effect.flatMap(accessTokenIn),
    reported(provider, "token_url"),
    Effect.mapError(() => new OauthTokenError()),
  )
})

/** A client must not use a token of an unknown type (RFC 6749 section 7.1); some providers omit the type of bearer tokens. */
const accessTokenIn = (answer: Answer) => {
  const { access_token, token_type } = answer
  const isBearer = token_type === undefined || String(token_type).toLowerCase() === "bearer"
  return isBearer && typeof access_token === "string" && /^[\x21-\x7e]+$/.test(access_token)
    ? Effect.succeed(Redacted.make(access_token))
    : Effect.fail(new Unusable({ reason: `there is no bearer token in the answer${errorIn(answer)}` }))
}

/** The profile of the user, for an access token. */
export const profileFrom = Effect.fnUntraced(function* profileFrom(provider: Provider, token: Redacted.Redacted<string>, timeout: number) {
  const request = HttpClientRequest.get(provider.userinfo_url).pipe(HttpClientRequest.bearerToken(token))
  return yield* Effect.retry(answer(request, timeout), { times: 1 }).pipe(
    Effect.flatMap((raw) => profileIn(raw, provider)),
    reported(provider, "userinfo_url"),
    Effect.mapError(() => new OauthUserinfoError()),
  )
})

const profileIn = (raw: Answer, { map_user }: Provider) =>
  Effect.try({ try: () => profileOf(raw, map_user), catch: () => new Unusable({ reason: "map_user threw" }) }).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.fail(new Unusable({ reason: "there is no account_id in the profile" })),
        onSome: Effect.succeed,
      }),
    ),
  )

/**
 * Whether a provider's metadata declares that every callback has an `iss` (RFC 9207 section 3). A provider without metadata does not
 * declare it. If the metadata cannot be read, the sign-in fails, since it could contain the declaration.
 */
export const declaresIssuer = Effect.fnUntraced(function* declaresIssuer(provider: Provider, issuer: string, timeout: number) {
  const request = HttpClientRequest.get(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)
  return yield* Effect.retry(answer(request, timeout), { times: 1, while: ({ isMissing }) => isMissing !== true }).pipe(
    Effect.flatMap((metadata) =>
      metadata["issuer"] === issuer
        ? Effect.succeed(metadata["authorization_response_iss_parameter_supported"] === true)
        : Effect.fail(new Unusable({ reason: "the metadata is of another issuer" })),
    ),
    Effect.catchIf(
      ({ isMissing }) => isMissing === true,
      () => Effect.succeed(false),
    ),
    reported(provider, "issuer"),
    Effect.mapError(() => new OauthTokenError()),
  )
})

/** The JSON object in a provider's response. Redirects are not followed: they would send a code or a token elsewhere. */
const answer = Effect.fnUntraced(
  function* providerAnswer(request: HttpClientRequest.HttpClientRequest, timeout: number) {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    // Without `Accept` some providers answer with a form; some refuse requests without `User-Agent`.
    const asked = HttpClientRequest.setHeaders(request, { accept: "application/json", "user-agent": "sallyport" })
    return yield* client.execute(asked).pipe(
      Effect.mapError((error) => new Unusable({ reason: connectionFault(error) })),
      Effect.flatMap(read),
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

const read = Effect.fnUntraced(function* readAnswer({
  status,
  stream,
}: HttpClientResponse.HttpClientResponse): Effect.fn.Return<Answer, Unusable> {
  const body = Stream.mapError(stream, (error) => new Unusable({ reason: connectionFault(error) })).pipe(
    Stream.limitBytes(maxAnswer, () => Stream.fail(new Unusable({ reason: `the answer has more than ${maxAnswer} bytes` }))),
    Stream.mkUint8Array,
    Effect.map(strictJsonObject),
  )
  if (status >= 200 && status < 300) {
    const json = yield* body
    return Option.isSome(json) ? json.value : yield* new Unusable({ reason: "the answer is not a JSON object" })
  }
  const refusal = Option.getOrElse(yield* Effect.orElseSucceed(body, () => Option.none()), (): Answer => ({}))
  return yield* new Unusable({ reason: `the answer is ${status}${errorIn(refusal)}`, isMissing: status === 404 || status === 410 })
})

/** Whether this is an OAuth error code. Other texts are not repeated, since an attacker could have written them. */
export const isErrorCode = (text: unknown): text is string => typeof text === "string" && /^[a-z_]{1,40}$/.test(text)

/** The code of an OAuth error, such as `invalid_client`, for operators. */
const errorIn = ({ error }: Answer) => (isErrorCode(error) ? `, ${error}` : "")

const reported =
  ({ id }: Provider, setting: "token_url" | "userinfo_url" | "issuer") =>
  <A, R>(self: Effect.Effect<A, Unusable, R>) =>
    Effect.tapError(self, ({ reason }) => Effect.logWarning("a social provider's answer cannot be used", { provider: id, setting, reason }))
