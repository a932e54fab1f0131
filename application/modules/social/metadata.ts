import { Clock, Effect, Option, Semaphore } from "effect"
import { HttpClientRequest } from "effect/http"
import { isLocal, isPrivateUrl } from "../../../domain/values/url.ts"
import type { ClientAuth } from "./client-methods.ts"
import { OauthTokenError } from "./errors.ts"
import { quirksOf } from "./presets.ts"
import type { Provider } from "./provider-settings.ts"
import { type Answer, answer, reported, Unusable } from "./requests.ts"

/** How long a provider's metadata is cached, milliseconds. */
const cached = 3_600_000

/** The values of a provider that a flow needs, from the settings or from the provider's metadata. */
export interface Endpoints {
  readonly authorize_url: string
  readonly token_url: string
  /** Null: the profile is in the ID token, or in the response of the token endpoint. */
  readonly userinfo_url: string | null
  /** Null: the provider's ID tokens are not read. */
  readonly jwks_url: string | null
  readonly client_auth: ClientAuth
}

/** The user was not asked yet, so the text of the error does not speak of a confirmation. */
const unusable = () => new OauthTokenError({ message: "The provider cannot be reached, or its metadata is not valid. Try again later." })

interface Kept {
  readonly metadata: Option.Option<Answer>
  readonly until: number
}

/** Reads and caches the metadata of providers (OpenID Connect Discovery section 4, RFC 8414). */
export const makeMetadata = (timeout: number) => {
  const kept = new Map<string, Kept>()
  const locks = new Map<string, Semaphore.Semaphore>()

  const current = Effect.fnUntraced(function* currentMetadata(provider: Provider, issuer: string) {
    const now = yield* Clock.currentTimeMillis
    const last = kept.get(provider.id)
    if (last !== undefined && now < last.until) return last.metadata
    const metadata = yield* fetched(provider, issuer, timeout)
    kept.set(provider.id, { metadata, until: now + cached })
    return metadata
  })

  /** One request at a time for each provider: the others wait for its result. */
  const metadataOf = (provider: Provider, issuer: string) => {
    const lock = locks.get(provider.id) ?? Semaphore.makeUnsafe(1)
    locks.set(provider.id, lock)
    return lock.withPermits(1)(current(provider, issuer))
  }

  return {
    /** Whether every callback of the provider must have an `iss` (RFC 9207 section 3). A provider without metadata declares none. */
    declaresIssuer: Effect.fnUntraced(function* declaresIssuer(provider: Provider) {
      if (provider.issuer === undefined) return false
      const metadata = yield* metadataOf(provider, provider.issuer)
      return Option.exists(metadata, (found) => found["authorization_response_iss_parameter_supported"] === true)
    }),
    /** The endpoints of a provider: those of its settings, and from its metadata those that the settings leave out. */
    endpointsOf: Effect.fnUntraced(function* endpointsOf(provider: Provider) {
      const { authorize_url, token_url, issuer } = provider
      if (authorize_url !== null && token_url !== null) return byHand(provider, authorize_url, token_url)
      if (issuer === undefined) return yield* unusable()
      const metadata = yield* metadataOf(provider, issuer)
      const endpoints = Option.flatMap(metadata, (found) => discovered(provider, issuer, found))
      if (Option.isSome(endpoints)) return endpoints.value
      return yield* Effect.fail(new Unusable({ reason: "the metadata lacks an endpoint, or names one that must not be called" })).pipe(
        reported(provider.id, "issuer"),
        Effect.mapError(unusable),
      )
    }),
  }
}
export type Metadata = ReturnType<typeof makeMetadata>

/**
 * The metadata of an issuer; none if the issuer has none. If it cannot be read, the sign-in fails: the metadata could require
 * an `iss`.
 */
const fetched = Effect.fnUntraced(function* fetchedMetadata(provider: Provider, issuer: string, timeout: number) {
  const request = HttpClientRequest.get(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)
  return yield* Effect.retry(answer(request, timeout), { times: 1, while: ({ isMissing }) => isMissing !== true }).pipe(
    Effect.flatMap((metadata) =>
      isOf(provider, issuer, metadata["issuer"])
        ? Effect.succeedSome(metadata)
        : Effect.fail(new Unusable({ reason: "the metadata is of another issuer" })),
    ),
    Effect.catchIf(
      ({ isMissing }) => isMissing === true,
      () => Effect.succeedNone,
    ),
    reported(provider.id, "issuer"),
    Effect.mapError(unusable),
  )
})

const isOf = ({ preset }: Provider, issuer: string, found: unknown) => {
  const { issuer_template = issuer, issuer_aliases = [] } = quirksOf(preset)
  return found === issuer_template || issuer_aliases.some((alias) => alias === found)
}

const byHand = (provider: Provider, authorize_url: string, token_url: string): Endpoints => ({
  authorize_url,
  token_url,
  userinfo_url: provider.userinfo_url,
  jwks_url: provider.jwks_url,
  client_auth: provider.client_auth ?? (provider.private_key === null ? "client_secret_post" : "private_key_jwt"),
})

const discovered = (provider: Provider, issuer: string, metadata: Answer): Option.Option<Endpoints> => {
  const urlOf = (member: string) => {
    const url = metadata[member]
    return typeof url === "string" && isCallable(url, issuer) ? url : null
  }
  const userinfo_url = provider.userinfo_url ?? urlOf("userinfo_endpoint")
  const jwks_url = provider.jwks_url ?? urlOf("jwks_uri")
  const authorize_url = urlOf("authorization_endpoint")
  const token_url = provider.token_url ?? urlOf("token_endpoint")
  const isUsable = userinfo_url !== null || (metadata["userinfo_endpoint"] ?? null) === null
  if (authorize_url === null || token_url === null || jwks_url === null || !isUsable) return Option.none()
  return Option.some({ authorize_url, token_url, userinfo_url, jwks_url, client_auth: offered(provider, metadata) })
}

/**
 * Whether requests may go to a URL of an issuer's metadata. A provider must not make the service send requests to this machine or to an
 * address inside its network. IP addresses and names of this machine are accepted only if the configured issuer has the same host.
 */
const isCallable = (text: string, issuer: string): boolean => {
  if (!isPrivateUrl(text)) return false
  const url = new URL(text)
  const isAddress = /^[\d.]+$|^\[/.test(url.hostname) || isLocal(url)
  return !isAddress || url.hostname === new URL(issuer).hostname
}

/** The method of client authentication: the configured one, else one that the metadata offers (`client_secret_basic` by default). */
const offered = ({ client_auth, client_secret, private_key }: Provider, metadata: Answer): ClientAuth => {
  if (client_auth !== null) return client_auth
  if (private_key !== null && client_secret === null) return "private_key_jwt"
  const methods = metadata["token_endpoint_auth_methods_supported"]
  const isPostOnly = Array.isArray(methods) && !methods.includes("client_secret_basic") && methods.includes("client_secret_post")
  return isPostOnly ? "client_secret_post" : "client_secret_basic"
}
