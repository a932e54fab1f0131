import { Effect, Option } from "effect"
import { OauthTokenError } from "./errors.ts"
import { nonceOf } from "./flows.ts"
import { claimsOf } from "./id-token.ts"
import { type KeySets, makeKeySets } from "./key-sets.ts"
import { type Endpoints, makeMetadata } from "./metadata.ts"
import { quirksOf } from "./presets.ts"
import { profileFrom } from "./profile-request.ts"
import type { Provider } from "./provider-settings.ts"
import { type Answer, reported, Unusable } from "./requests.ts"
import { exchangeCode, requestTokens, type Tokens } from "./token-request.ts"

/** The cached metadata and keys of providers. */
export const makeDirectory = (timeout: number) => ({ metadata: makeMetadata(timeout), keySets: makeKeySets(timeout), timeout })
export type Directory = ReturnType<typeof makeDirectory>

/** The parts of a callback that belong to the provider's user. */
interface Response {
  readonly code: string
  readonly verifier: string
  /** The further data that the provider sent with the code. */
  readonly sent: Answer
}

/** Exchanges the code of a callback for the provider's tokens and the user's profile. The profile is requested only with a valid ID token. */
export const exchange = Effect.fnUntraced(function* exchangeResponse(
  { keySets, timeout }: Directory,
  provider: Provider,
  endpoints: Endpoints,
  { code, verifier, sent }: Response,
) {
  const { tokens, claims } = yield* exchangeCode(provider, endpoints, code, verifier, timeout).pipe(
    Effect.flatMap((tokens) => Effect.map(claimsIn(keySets, provider, endpoints, tokens, verifier), (claims) => ({ tokens, claims }))),
    Effect.mapError(() => new OauthTokenError()),
  )
  const profile = yield* profileFrom(provider, endpoints, tokens, claims, sent, timeout)
  return { tokens: { ...tokens, subject: Option.getOrNull(Option.map(claims, subjectOf)) }, profile }
})

const subjectOf = ({ sub }: Answer) => String(sub)

/** Refreshes tokens (RFC 6749 section 6). An ID token in the response must be of the same user (OpenID Connect Core section 12.2). */
export const refreshTokens = Effect.fnUntraced(function* refreshTokens(
  { metadata, keySets, timeout }: Directory,
  provider: Provider,
  refresh_token: string,
  subject: string | null,
) {
  const endpoints = yield* metadata.endpointsOf(provider)
  const tokens = yield* requestTokens(provider, endpoints, { grant_type: "refresh_token", refresh_token }, timeout)
  const { access_token, id_token } = tokens
  if (endpoints.jwks_url === null || id_token === null) return tokens
  // A refresh has no nonce.
  const expected = { clients: [provider.client_id], algorithms: provider.id_token_algorithms, nonces: null, access_token }
  const claims = yield* claimsOf(keySets, provider, endpoints.jwks_url, id_token, expected)
  if (subject === null || subject === subjectOf(claims)) return tokens
  return yield* Effect.fail(new Unusable({ reason: "the ID token is of another user" })).pipe(reported(provider.id, "id_token"))
})

/** The claims of the ID token; none for a provider whose ID tokens are not read. */
const claimsIn = Effect.fnUntraced(function* claimsIn(
  keySets: KeySets,
  provider: Provider,
  { jwks_url }: Endpoints,
  { access_token, id_token }: Tokens,
  verifier: string,
) {
  if (jwks_url === null) return Option.none<Answer>()
  if (id_token === null)
    return yield* Effect.fail(new Unusable({ reason: "there is no ID token in the answer" })).pipe(reported(provider.id, "id_token"))
  const { client_id, id_token_algorithms, preset } = provider
  const expected = {
    clients: [client_id],
    algorithms: id_token_algorithms,
    nonces: [yield* nonceOf(verifier)],
    mayOmitNonce: quirksOf(preset).may_omit_nonce === true,
    access_token,
  }
  return Option.some(yield* claimsOf(keySets, provider, jwks_url, id_token, expected))
})
