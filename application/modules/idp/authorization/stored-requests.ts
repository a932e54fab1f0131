import { DateTime, Effect, Equal } from "effect"
import { InvalidState } from "../../../../domain/errors.ts"
import { insert, orFail, retryOnConflict, Store, update, type Versioned } from "../../../../domain/ports/store.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { Settings } from "../../../../domain/settings.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import { randomToken, tokenHash } from "../../../../domain/tokens/keys.ts"
import { reply } from "../../../service/endpoint.ts"
import { singles } from "../parameters.ts"
import { type AuthorizationRequest, AuthorizationRequests } from "../tables.ts"
import type { Parameters } from "./authorization-request.ts"

const prefix = "urn:ietf:params:oauth:request_uri:"

/**
 * Seconds within which the user must finish a request, from the request on: enough to sign up and to wait for the mail that verifies the
 * address, and no more, because anonymous requests are stored too.
 */
export const lifetime = 1800

/** The key of a stored request. */
export const hashOf = (request_uri: string) => tokenHash("request_uri", request_uri.slice(prefix.length))

/** Whether a `request_uri` names a request that this service stores (RFC 9126 section 2.2). */
const isStored = (request_uri: string): boolean => request_uri.startsWith(prefix)

/** Stores the parameters of an authorization request for some seconds, and returns its `request_uri`. */
export const storeRequest = Effect.fnUntraced(function* storeRequest(
  client_id: string,
  parameters: Readonly<Record<string, string>>,
  seconds: number,
) {
  const request_uri = `${prefix}${yield* randomToken}`
  const requested_at = yield* DateTime.now
  const row: AuthorizationRequest = {
    hash: yield* hashOf(request_uri),
    client_id,
    parameters,
    requested_at,
    proved_in: null,
    selected_in: null,
    member_id: null,
    allowed_in: null,
    denied_in: null,
    expires_at: after(requested_at, seconds),
  }
  yield* Effect.orDie((yield* Store).commit([insert(AuthorizationRequests, row)]))
  return request_uri
})

/** Keeps a pushed request for the user who has begun it. Its end depends on the time of the request alone, so visits do not extend it. */
export const keepRequest = Effect.fnUntraced(function* keepRequest(request_uri: string) {
  const stored = yield* storedRequest(request_uri)
  const expires_at = after(stored.row.requested_at, lifetime)
  if (Equal.equals(stored.row.expires_at, expires_at)) return
  yield* (yield* Store).commit([update(AuthorizationRequests, stored, { expires_at })])
}, retryOnConflict)

/** A stored request; fails with `invalid_state` if there is none. It is valid until it is answered or expires. */
export const storedRequest = Effect.fnUntraced(function* storedRequest(request_uri: string) {
  if (!isStored(request_uri)) return yield* new InvalidState()
  return yield* orFail(readLive(AuthorizationRequests, { hash: yield* hashOf(request_uri) }), () => new InvalidState())
})

/** An authorization request, and the stored one that it refers to. */
export interface IncomingRequest {
  readonly parameters: typeof Parameters.Type
  readonly request_uri: string | null
  readonly stored: Versioned<AuthorizationRequest> | null
}

/** The parameters of the request, or those of the stored request that it names: other parameters of the URL are ignored (RFC 9126 section 4). */
export const incomingRequest = Effect.fnUntraced(function* incomingRequest(input: typeof Parameters.Type) {
  const { client_id, request_uri } = singles(input)
  const direct: IncomingRequest = { parameters: input, request_uri: null, stored: null }
  if (request_uri === undefined || !isStored(request_uri)) return direct
  const stored = yield* storedRequest(request_uri)
  if (stored.row.client_id !== client_id) return yield* new InvalidState()
  return { parameters: stored.row.parameters, request_uri, stored } satisfies IncomingRequest
})

/** Sends the browser back to a stored request. */
export const resumed = Effect.fnUntraced(function* resumed(client_id: string, request_uri: string) {
  return reply({ redirect: resumption((yield* Settings).base_path, client_id, request_uri) })
})

/** The address at which the browser resumes a stored request, from the root of the host. */
export const resumption = (base_path: string, client_id: string, request_uri: string): string =>
  `${base_path}/oauth2/authorize?${new URLSearchParams({ client_id, request_uri })}`
