import { DateTime, Effect, Option } from "effect"
import { find, Store } from "../../../domain/ports/store.ts"
import { isLive } from "../../../domain/sessions/session.ts"
import * as Core from "../../../domain/settings.ts"
import { readLive } from "../../../domain/storage/live.ts"
import { Sessions, Users } from "../../../domain/storage/tables.ts"
import { tokenHash } from "../../../domain/tokens/keys.ts"
import type { StoredUser } from "../../../domain/users/user.ts"
import type { Client } from "./client.ts"
import { clientOf } from "./clients.ts"
import type { Settings } from "./settings.ts"
import type { AccessToken } from "./tables.ts"
import { AccessTokens, accessKind, RefreshFamilies } from "./tables.ts"

interface Live {
  readonly client: Client
  readonly token: AccessToken
  /** Null for a token of the client itself. */
  readonly user: StoredUser | null
}

/**
 * The row of an access token, its client and its user. None unless the token, its client, and
 * its session or its refresh tokens are valid.
 */
export const liveAccessToken = Effect.fnUntraced(function* liveAccessToken(settings: Settings, access_token: string) {
  const stored = yield* readLive(AccessTokens, { hash: yield* tokenHash(accessKind, access_token) })
  if (Option.isNone(stored)) return Option.none<Live>()
  const token = stored.value.row
  const client = yield* clientOf(settings, token.client_id)
  if (Option.isNone(client)) return Option.none<Live>()
  if (isOfClient(token)) return Option.some<Live>({ client: client.value, token, user: null })
  const user_id = yield* holderOf(token)
  const user = Option.isNone(user_id) ? Option.none() : yield* find(Users, { id: user_id.value })
  return Option.map(user, (user): Live => ({ client: client.value, token, user }))
})

/** Whether a token is the client's own (RFC 6749 section 4.4). */
const isOfClient = ({ session_id, family_id, user_id }: AccessToken) => session_id === null && family_id === null && user_id === null

/** The user of a token; none if its session or family has ended. The token's row may still exist: many rows are removed after their session. */
const holderOf = Effect.fnUntraced(function* holderOf({ session_id, family_id, user_id }: AccessToken) {
  if (session_id === null) {
    const family = family_id === null ? Option.none() : yield* readLive(RefreshFamilies, { id: family_id })
    return Option.isNone(family) ? Option.none<string>() : Option.fromNullishOr(user_id)
  }
  const session = yield* (yield* Store).read(Sessions, { id: session_id })
  const now = yield* DateTime.now
  const { session: lifetimes } = yield* Core.Settings
  return session.pipe(
    Option.filter(({ row }) => isLive(row, now, lifetimes)),
    Option.map(({ row }) => row.user_id),
  )
})
