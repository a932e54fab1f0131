import { DateTime, Effect, Schema } from "effect"
import { put, Store } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { after, type StoredSession } from "../../../../domain/sessions/session.ts"
import * as Core from "../../../../domain/settings.ts"
import { liveAt } from "../../../../domain/storage/live.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import type { Client } from "../clients/client.ts"

const ClientSession = Schema.Struct({
  /** The claim `sid` of the ID tokens. */
  sid: Schema.String,
  session_id: Schema.String,
  user_id: Schema.String,
  client_id: Schema.String,
  /** The subject of the user at the client. */
  sub: Schema.String,
  expires_at: Schema.DateTimeUtc,
})
export type ClientSession = typeof ClientSession.Type

/**
 * The clients to notify when a session ends. A row references neither the session nor the user: it is needed until its client is
 * notified, even if both are removed.
 */
export const ClientSessions = Table.make("client_session", ClientSession, {
  key: "sid",
  indexed: ["session_id", "user_id"],
  expires: "expires_at",
})

/** The claim `sid` of a session. It differs for each client, so clients cannot compare their users' sessions. */
export const sidOf = (session_id: string, client_id: string) => tokenHash("sid", JSON.stringify([session_id, client_id]))

/** The write that stores a client of a session; none for a client without a logout URI. */
export const clientSessionWrites = Effect.fnUntraced(function* clientSessionWrites(client: Client, session: StoredSession, sub: string) {
  if (client.backchannel_logout_uri === null && client.frontchannel_logout_uri === null) return []
  const { max_lifetime } = (yield* Core.Settings).session
  const row: ClientSession = {
    sid: yield* sidOf(session.id, client.client_id),
    session_id: session.id,
    user_id: session.user_id,
    client_id: client.client_id,
    sub,
    expires_at: after(session.authenticated_at, max_lifetime),
  }
  return [put(ClientSessions, row)]
})

/** Limit on the clients of a session, or of a user, that are notified together. */
const limit = 1000

/** The clients to notify at the end of a session. */
export const clientsOf = Effect.fnUntraced(function* clientsOf(where: { readonly session_id: string } | { readonly user_id: string }) {
  const rows = yield* (yield* Store).list(ClientSessions, where, { limit })
  return rows.filter(liveAt(ClientSessions, yield* DateTime.now))
})
