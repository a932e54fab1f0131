import { DateTime, Effect, Option } from "effect"
import { InvalidRequest } from "../../../domain/errors.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { after } from "../../../domain/sessions/session.ts"
import { readLive } from "../../../domain/storage/live.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { AuthorizationRequests } from "./tables.ts"

const prefix = "urn:ietf:params:oauth:request_uri:"
const hashOf = (request_uri: string) => tokenHash("request_uri", request_uri.slice(prefix.length))

/** Whether a `request_uri` names a request that this service stores (RFC 9126 section 2.2). */
export const isStored = (request_uri: string): boolean => request_uri.startsWith(prefix)

/** Stores the parameters of an authorization request for some seconds, and returns its `request_uri`. */
export const storeRequest = Effect.fnUntraced(function* storeRequest(
  client_id: string,
  parameters: Readonly<Record<string, string>>,
  seconds: number,
) {
  const request_uri = `${prefix}${yield* randomToken}`
  const requested_at = yield* DateTime.now
  const row = { hash: yield* hashOf(request_uri), client_id, parameters, requested_at, expires_at: after(requested_at, seconds) }
  yield* Effect.orDie((yield* Store).commit([insert(AuthorizationRequests, row)]))
  return request_uri
})

/** A stored request of a client. It stays valid until it is answered with a code, or expires. */
export const storedRequest = Effect.fnUntraced(function* storedRequest(client_id: string | undefined, request_uri: string) {
  const stored = yield* readLive(AuthorizationRequests, { hash: yield* hashOf(request_uri) })
  if (Option.isNone(stored) || stored.value.row.client_id !== client_id) {
    return yield* new InvalidRequest({ message: "request_uri is unknown, expired, already used or of another client." })
  }
  return stored.value
})
