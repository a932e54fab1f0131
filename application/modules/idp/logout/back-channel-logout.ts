import { Effect, Option } from "effect"
import { Outbox } from "../../../../domain/mail/outbox.ts"
import { DeliveryRefused } from "../../../../domain/ports/delivery.ts"
import { PublicFetch } from "../../../../domain/ports/public-fetch.ts"
import { remove, Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import * as Jwt from "../../../../domain/tokens/jwt.ts"
import type { Channel } from "../../../service/module.ts"
import type { Client } from "../clients/client.ts"
import { clientOf, StoredClients } from "../clients/stored-clients.ts"
import { issuer } from "../issuer.ts"
import { signJwt } from "../keys/signed-jwt.ts"
import type { Settings } from "../settings.ts"
import { type ClientSession, ClientSessions, clientsOf } from "../tokens/client-sessions.ts"

// OpenID Connect Back-Channel Logout 1.0: requests of this service notify clients that a session has ended.

const channel = "idp_logout"

/**
 * The write that notifies the clients of the user's ended sessions. It is committed with the end of a session. The clients are looked up
 * after the commit: a code that was exchanged just before the end would be missed otherwise.
 */
export const logoutNotice = (settings: Settings) =>
  Effect.fnUntraced(function* logoutNotice(user_id: string) {
    const isConfigured = settings.clients.some(({ backchannel_logout_uri }) => backchannel_logout_uri !== null)
    if (!isConfigured && (yield* (yield* Store).list(StoredClients, {}, { limit: 1 })).length === 0) return []
    return [yield* (yield* Outbox).post(channel, user_id)]
  })

/** The lifetime of a logout token in seconds (section 4). Each attempt gets a new one. */
const tokenLifetime = 120

/** Milliseconds to wait for a client's answer. */
const patience = 5000

/** Bytes of an answer that are read; it is dropped. */
const limit = 16_384

const eventType = "http://schemas.openid.net/event/backchannel-logout"

/** A logout token (section 2.4). It never has a nonce, so that it cannot pass as an ID token. */
const logoutToken = Effect.fnUntraced(function* logoutToken(settings: Settings, client: Client, { sid, sub }: ClientSession) {
  const iat = yield* Jwt.seconds
  return yield* signJwt(settings, client.id_token_signed_response_alg, "logout+jwt", {
    iss: yield* issuer,
    aud: client.client_id,
    sub,
    sid,
    iat,
    exp: iat + tokenLifetime,
    jti: yield* newId,
    events: { [eventType]: {} },
  })
})

/** Whether a repetition can succeed: after no answer at all, and after answers that say so. */
const isTemporary = (status: number) => status >= 500 || status === 408 || status === 429

/** Sends a logout token (section 2.5). */
const notify = Effect.fnUntraced(function* notify(settings: Settings, client: Client, url: string, row: ClientSession) {
  const body = `${new URLSearchParams({ logout_token: yield* logoutToken(settings, client, row) })}`
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const { fetch } = yield* PublicFetch
  const allow_private = client.public_only !== true
  const { status } = yield* Effect.mapError(
    fetch({ method: "POST", url, headers, body, limit, patience, allow_private }),
    ({ refused, reason }) => new DeliveryRefused({ permanent: refused, reason: `a client cannot be reached: ${reason}` }),
  )
  if (status >= 200 && status < 300) return
  return yield* new DeliveryRefused({ permanent: !isTemporary(status), reason: `a client answered ${status}` })
})

/** The rows of a user whose session has ended. Sessions can remain for a while after their user was removed: they count as ended. */
const endedOf = Effect.fnUntraced(function* endedOf(user_id: string) {
  const store = yield* Store
  return yield* Effect.filter(yield* clientsOf({ user_id }), ({ session_id }) =>
    Effect.map(store.readWithReferenced(Sessions, { id: session_id }, "user_id"), Option.isNone),
  )
})

/** Notifies a client of the end of a session, and removes its row unless another attempt can succeed. */
const settle = Effect.fnUntraced(function* settle(settings: Settings, row: ClientSession) {
  const client = Option.getOrUndefined(yield* clientOf(settings, row.client_id))
  const uri = client?.backchannel_logout_uri ?? null
  if (client !== undefined && uri !== null)
    yield* Effect.catchIf(
      notify(settings, client, uri, row),
      ({ permanent }) => permanent,
      ({ reason }) =>
        Effect.annotateLogs(Effect.logWarning("A client cannot be notified of a logout."), { client_id: row.client_id, reason }),
    )
  yield* Effect.orDie((yield* Store).commit([remove(ClientSessions, row.sid)]))
})

/** The clients of the ended sessions of a user, each of which is a part; as a part, it is notified of each of these sessions. */
const deliver = (settings: Settings): Channel =>
  Effect.fnUntraced(function* deliverLogout(user_id, client_id) {
    const ended = yield* endedOf(user_id)
    if (client_id === null) return [...new Set(ended.map((row) => row.client_id))]
    const own = ended.filter((row) => row.client_id === client_id)
    yield* Effect.forEach(own, (row) => settle(settings, row), { discard: true })
    return []
  })

/** The channel of the outbox that notifies clients. */
export const logoutChannels = (settings: Settings) => ({ [channel]: deliver(settings) })
