import { Effect, Option } from "effect"
import type { Membership } from "../../../../domain/organizations/membership.ts"
import { check, type Versioned, type Write } from "../../../../domain/ports/store.ts"
import { liveSessionWith } from "../../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { readLive, readLiveWithReferenced } from "../../../../domain/storage/live.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { boundMembership, membershipChecks } from "../claims/organization.ts"
import type { Client } from "../clients/client.ts"
import { findClient, type StoredClient } from "../clients/stored-clients.ts"
import type { Settings } from "../settings.ts"
import { type AccessToken, AccessTokens, accessKind, RefreshFamilies } from "../tables.ts"
import { holdingOf } from "./holding.ts"

interface Live {
  readonly client: Client
  /** None for a client of the configuration. */
  readonly storedClient: Option.Option<Versioned<StoredClient>>
  readonly token: AccessToken
  /** Null for a token of the client itself. */
  readonly user: StoredUser | null
  /** The membership in the organization that the user signed in for. */
  readonly membership: Membership | null
  /** Make a commit conflict if the token, or a row that it depends on, has changed or ended since it was read. */
  readonly checks: ReadonlyArray<Write>
}

/** Whether a client may read the state of a token: of its own ones, or of all tokens if it is a resource server. */
export const mayRead = (client: Client, token: Pick<AccessToken, "client_id">): boolean =>
  client.resource_server || token.client_id === client.client_id

/**
 * The row of an access token, its client, its user and their membership. None unless the token, its client, its session or its refresh
 * tokens, its membership, and the tokens that it was exchanged for are valid.
 */
export const liveAccessToken = Effect.fnUntraced(function* liveAccessToken(settings: Settings, access_token: string) {
  const live = yield* liveByHash(settings, yield* tokenHash(accessKind, access_token))
  if (Option.isNone(live)) return live
  const origins = yield* Effect.forEach(live.value.token.exchanged_from ?? [], (hash) => liveByHash(settings, hash))
  return Option.map(
    Option.all(origins),
    (origins): Live => ({
      ...live.value,
      checks: [...live.value.checks, ...origins.flatMap(({ checks }) => checks)],
    }),
  )
})

/** The token with this hash, without the tokens that it was exchanged for. */
const liveByHash = Effect.fnUntraced(function* liveByHash(settings: Settings, hash: string) {
  const stored = yield* readLive(AccessTokens, { hash })
  if (Option.isNone(stored)) return Option.none<Live>()
  const token = stored.value.row
  const found = yield* findClient(settings, token.client_id)
  if (Option.isNone(found)) return Option.none<Live>()
  const { client, stored: storedClient } = found.value
  const own = check(AccessTokens, stored.value)
  if (isOfClient(token)) return Option.some<Live>({ client, storedClient, token, user: null, membership: null, checks: [own] })
  const parts = Option.all({ holder: yield* holderOf(token), membership: yield* boundMembership(token.member_id) })
  return Option.map(parts, ({ holder: { user, held }, membership }): Live => {
    const checks = [own, ...held, ...membershipChecks(membership)]
    return { client, storedClient, token, user: user.row, membership, checks }
  })
})

/** Whether a token is the client's own (RFC 6749 section 4.4). */
export const isOfClient = ({ session_id, family_id, user_id }: AccessToken) => session_id === null && family_id === null && user_id === null

/** The user of a token, and the checks of both and of what it lives with; none if that has ended. */
interface Holder {
  readonly user: Versioned<StoredUser>
  readonly held: ReadonlyArray<Write>
}

const holderOf = Effect.fnUntraced(function* holderOf({ session_id, family_id }: AccessToken) {
  if (session_id !== null) {
    // The token's row may still exist after the session has ended: many rows are removed later.
    const found = yield* liveSessionWith(session_id)
    if (Option.isNone(found)) return Option.none()
    const [session, user] = found.value
    const holding = yield* holdingOf(session.row, [check(Sessions, session), check(Users, user)])
    return Option.map(holding, ({ checks }): Holder => ({ user, held: checks }))
  }
  const found = family_id === null ? Option.none() : yield* readLiveWithReferenced(RefreshFamilies, { id: family_id }, "user_id")
  return Option.map(found, ([family, user]): Holder => ({ user, held: [check(RefreshFamilies, family), check(Users, user)] }))
})
