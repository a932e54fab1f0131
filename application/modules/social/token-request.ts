import { Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { credentialsFor } from "./client-authentication.ts"
import type { Endpoints } from "./metadata.ts"
import { quirksOf } from "./presets.ts"
import type { Provider } from "./provider-settings.ts"
import { type Answer, answer, errorIn, reported, Unusable } from "./requests.ts"

/** The tokens of a provider. */
export interface Tokens {
  readonly access_token: Redacted.Redacted<string>
  readonly refresh_token: Redacted.Redacted<string> | null
  readonly id_token: string | null
  /** The user of the valid ID token; null without one. */
  readonly subject: string | null
  /** Lifetime of the access token, seconds. */
  readonly expires_in: number | null
  /** The granted scopes, separated by blanks. */
  readonly scope: string | null
  readonly answer: Answer
}

/** Sends a request to the token endpoint (RFC 6749 section 3.2). */
export const requestTokens = Effect.fnUntraced(function* requestTokens(
  provider: Provider,
  endpoints: Endpoints,
  grant: Readonly<Record<string, string>>,
  timeout: number,
) {
  return yield* credentialsFor(provider, endpoints).pipe(
    Effect.flatMap(({ headers, parameters }) => {
      const request = requestOf(provider, endpoints.token_url, { ...grant, ...parameters })
      return answer(HttpClientRequest.setHeaders(request, headers), timeout)
    }),
    Effect.flatMap(tokensIn),
    reported(provider.id, "token_url"),
  )
})

/** Exchanges a code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export const exchangeCode = (provider: Provider, endpoints: Endpoints, code: string, code_verifier: string, timeout: number) =>
  requestTokens(
    provider,
    endpoints,
    {
      grant_type: "authorization_code",
      code,
      redirect_uri: provider.redirect_uri,
      ...(provider.pkce ? { code_verifier } : {}),
    },
    timeout,
  )

const requestOf = ({ preset }: Provider, url: string, parameters: Readonly<Record<string, string>>) => {
  const { token_request } = quirksOf(preset)
  if (token_request === "get") return HttpClientRequest.get(url).pipe(HttpClientRequest.setUrlParams(parameters))
  const request = HttpClientRequest.post(url)
  return token_request === "json"
    ? HttpClientRequest.bodyJsonUnsafe(request, parameters)
    : HttpClientRequest.bodyUrlParams(request, parameters)
}

/** A client must not use a token of an unknown type (RFC 6749 section 7.1); some providers omit the type of bearer tokens. */
const tokensIn = (answer: Answer): Effect.Effect<Tokens, Unusable> => {
  const { access_token, token_type, refresh_token, id_token, expires_in, scope } = answer
  const isBearer = token_type === undefined || String(token_type).toLowerCase() === "bearer"
  if (!isBearer || !isToken(access_token))
    return Effect.fail(new Unusable({ reason: `there is no bearer token in the answer${errorIn(answer)}`, error: answer["error"] }))
  const seconds = Number(expires_in)
  return Effect.succeed({
    access_token: Redacted.make(access_token),
    refresh_token: isToken(refresh_token) ? Redacted.make(refresh_token) : null,
    id_token: typeof id_token === "string" ? id_token : null,
    subject: null,
    expires_in: Number.isFinite(seconds) && seconds > 0 && seconds < 1e9 ? Math.floor(seconds) : null,
    scope: scopeOf(scope),
    answer,
  })
}

const isToken = (value: unknown): value is string => typeof value === "string" && /^[\x21-\x7e]+$/.test(value)

/** Some providers answer with a list of scopes, or separate them by commas. */
const scopeOf = (scope: unknown): string | null => {
  const text = Array.isArray(scope) ? scope.join(" ") : scope
  return typeof text === "string" && text.length <= 4096 ? text.replaceAll(",", " ") : null
}
