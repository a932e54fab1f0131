import { DateTime, Effect, Option, Schema } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import type { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import { randomToken, tokenHash } from "../../../../domain/tokens/keys.ts"
import { redirection } from "../../../../domain/values/redirect-uri.ts"
import { subjectOf } from "../claims/subject.ts"
import { clientOf } from "../clients/stored-clients.ts"
import { InvalidRedirectUri } from "../errors.ts"
import { distinct, parameters } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import { sidOf } from "../tokens/client-sessions.ts"
import { hintOf } from "../tokens/id-token.ts"

/** The parameters of OpenID Connect RP-Initiated Logout section 2. `logout_hint` is accepted and not used. */
export const LogoutParameters = parameters(
  ...["id_token_hint", "logout_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales", "logout_request"],
)

/** A valid logout request. */
const LogoutRequest = Schema.Struct({
  /** The client, user and session in the ID token. All null without an ID token: the user then has to confirm. */
  client_id: Schema.NullOr(Schema.String),
  sub: Schema.NullOr(Schema.String),
  sid: Schema.NullOr(Schema.String),
  /** The URL to which the browser is redirected afterwards. */
  redirect: Schema.NullOr(Schema.String),
  ui_locales: Schema.NullOr(Schema.String),
})
export type LogoutRequest = typeof LogoutRequest.Type

/** Logout requests that wait for the user's confirmation, or for the browser's next request. */
export const LogoutRequests = Table.make(
  "logout_request",
  Schema.Struct({ hash: Schema.String, ...LogoutRequest.fields, expires_at: Schema.DateTimeUtc }),
  { key: "hash", expires: "expires_at" },
)

/** Validates a logout request. The browser returns to a client only with a valid ID token: otherwise this would be an open redirector. */
export const validLogout = Effect.fnUntraced(function* validLogout(settings: Settings, input: typeof LogoutParameters.Type) {
  const { id_token_hint, client_id, post_logout_redirect_uri, state, ui_locales = null } = yield* distinct(input)
  const hint = id_token_hint === undefined ? Option.none() : yield* hintOf(settings, id_token_hint)
  if (id_token_hint !== undefined && Option.isNone(hint)) {
    return yield* new InvalidRequest({ message: "id_token_hint is not an id_token of this issuer." })
  }
  const { aud, sub, sid } = Option.getOrElse(hint, () => ({ aud: null, sub: null, sid: undefined }))
  if (aud !== null && client_id !== undefined && client_id !== aud) {
    return yield* new InvalidRequest({ message: "id_token_hint was issued to another client than client_id." })
  }
  const client = Option.getOrUndefined(yield* clientOf(settings, aud ?? client_id))
  if (post_logout_redirect_uri !== undefined && client?.post_logout_redirect_uris.includes(post_logout_redirect_uri) !== true) {
    return yield* new InvalidRedirectUri()
  }
  const isOfClient = aud !== null && client !== undefined && post_logout_redirect_uri !== undefined
  const redirect = isOfClient ? redirection(post_logout_redirect_uri, { state }) : null
  return { client_id: aud, sub, sid: sid ?? null, redirect, ui_locales } satisfies LogoutRequest
})

/** Whether the ID token of the request belongs to this session. ID tokens of earlier versions have no `sid`: for them, the user must match. */
export const isOfSession = Effect.fnUntraced(function* isOfSession(
  settings: Settings,
  { client_id, sub, sid }: LogoutRequest,
  { session, user }: CurrentSession["Service"],
) {
  if (client_id === null) return false
  const client = yield* clientOf(settings, client_id)
  if (sid === null) return Option.isSome(client) && sub === (yield* subjectOf(client.value, user.id))
  return sid === (yield* sidOf(session.id, client_id))
})

const hashOf = (reference: string) => tokenHash("logout_request", reference)

/** Time for the user to confirm, seconds. */
const patience = 600

/** Stores a valid request, and returns its reference. */
export const storeLogout = Effect.fnUntraced(function* storeLogout(request: LogoutRequest) {
  const reference = yield* randomToken
  const row = { hash: yield* hashOf(reference), ...request, expires_at: after(yield* DateTime.now, patience) }
  yield* Effect.orDie((yield* Store).commit([insert(LogoutRequests, row)]))
  return reference
})

/** The stored request with this reference, while it is valid. */
export const storedLogout = Effect.fnUntraced(function* storedLogout(reference: string) {
  return Option.map(yield* readLive(LogoutRequests, { hash: yield* hashOf(reference) }), ({ row }): LogoutRequest => row)
})
