import { DateTime, Effect } from "effect"
import { insert, removeEach, Store } from "../../../../domain/ports/store.ts"
import { after } from "../../../../domain/sessions/session.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { isPublic, offlineAccess } from "../clients/client.ts"
import { newRefreshToken } from "../clients/refresh-token.ts"
import type { Settings } from "../settings.ts"
import { RefreshFamilies, type RefreshFamily } from "../tables.ts"
import type { Granted } from "./granted.ts"

/** The end of a family whose token is used now. */
export const idleEnd = ({ refresh_token_idle_ttl }: Settings, now: DateTime.Utc, absolute_until: DateTime.Utc) =>
  DateTime.min(after(now, refresh_token_idle_ttl), absolute_until)

/** Limit on the families of a user at one client, and at one agent. */
const maxFamilies = 100
const maxFamiliesOfAgent = 20

const surplusFamilies = Effect.fnUntraced(function* surplusFamilies({ client, user }: Granted) {
  const rows = yield* (yield* Store).list(RefreshFamilies, { user_id: user.id }, { limit: 1000, order: "id" })
  const own = rows.filter(({ client_id }) => client_id === client.client_id)
  const most = client.agent === undefined ? maxFamilies : maxFamiliesOfAgent
  return own.slice(0, Math.max(0, own.length - most + 1)).map(({ id }) => id)
})

/** The first refresh token for a code, the writes that make it valid, and the grant for the access token that is issued with it. */
export const beginFamily = Effect.fnUntraced(function* beginFamily(settings: Settings, exchanged: Granted, code_hash: string) {
  const isOffline = exchanged.scope.split(" ").includes(offlineAccess)
  const now = yield* DateTime.now
  const id = yield* newId
  const absolute_until = after(now, settings.refresh_token_ttl)
  const { token, hash } = yield* newRefreshToken(id)
  const { client, scope, resource, jkt, x5t, auth_time, amr, acr, sid, requested, consent_id } = exchanged
  const family: RefreshFamily = {
    id,
    user_id: exchanged.user.id,
    session_id: isOffline ? null : (exchanged.session?.id ?? null),
    client_id: client.client_id,
    code_hash,
    scope,
    resource,
    ...(isPublic(client) ? { jkt, x5t } : { jkt: null, x5t: null }),
    auth_time,
    amr,
    acr,
    sid,
    requested,
    consent_id,
    member_id: exchanged.membership?.member.row.id ?? null,
    generation: 1,
    hash,
    previous_hash: null,
    expires_at: idleEnd(settings, now, absolute_until),
    absolute_until,
  }
  const grant: Granted = { ...exchanged, session: isOffline ? null : exchanged.session, family_id: id }
  const writes = [removeEach(RefreshFamilies, yield* surplusFamilies(exchanged)), insert(RefreshFamilies, family)]
  return { grant, tokens: { refresh_token: token }, writes }
})
