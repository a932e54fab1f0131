import { Effect } from "effect"
import type { Membership } from "../../../../domain/organizations/membership.ts"
import { check, orFail, Store, type Versioned, type Write } from "../../../../domain/ports/store.ts"
import type { StoredSession } from "../../../../domain/sessions/session.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { membershipChecks } from "../claims/organization.ts"
import { subjectOf } from "../claims/subject.ts"
import type { Client } from "../clients/client.ts"
import type { Confirmation } from "../clients/confirmation.ts"
import { InvalidGrant } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { clientSessionWrites, sidOf } from "../tokens/client-sessions.ts"
import type { StoredGrant } from "../tokens/granted.ts"
import { holdingOf } from "../tokens/holding.ts"
import { issueTokens } from "../tokens/issued-tokens.ts"
import { beginFamily } from "../tokens/refresh-families.ts"
import { narrowedResource } from "../tokens/resources.ts"

/** A code or device code that its client may exchange. */
interface Redeemable {
  readonly hash: string
  readonly grant: StoredGrant & { readonly nonce: string | null }
  readonly user: Versioned<StoredUser>
  readonly session: StoredSession
  readonly membership: Membership | null
  /** The removal of its row, which conflicts if the row was redeemed, or its session or consent has ended. */
  readonly removal: Write
}

interface Presented extends Confirmation {
  readonly resource?: string
}

/** Issues the tokens of a code, with refresh tokens for clients that use them, in one commit with the removal of the code. */
export const redeemGrant = Effect.fnUntraced(function* redeemGrant(
  settings: Settings,
  client: Client,
  { jkt, x5t, resource: requested }: Presented,
  { hash, grant, user, session, membership, removal }: Redeemable,
) {
  const held = yield* orFail(holdingOf(session, [check(Users, user)]), () => new InvalidGrant())
  const sid = yield* sidOf(session.id, client.client_id)
  const granted = {
    ...grant,
    client,
    user: user.row,
    session,
    family_id: null,
    code_hash: hash,
    jkt,
    x5t,
    sid,
    membership,
    actors: held.actors,
  }
  // The refresh token is for all resource servers of the code, the access token for the requested ones.
  const resource = yield* narrowedResource(client, granted.resource, requested)
  const isRefreshed = client.refresh_tokens && held.actors === null
  const family = isRefreshed ? yield* beginFamily(settings, granted, hash) : { grant: granted, tokens: {}, writes: [] }
  const issued = yield* issueTokens(settings, { ...family.grant, resource })
  const known = yield* clientSessionWrites(client, session, yield* subjectOf(client, user.row.id))
  const unchanged = [...held.checks, ...membershipChecks(membership)]
  yield* (yield* Store).commit([...unchanged, removal, ...known, ...family.writes, ...issued.writes])
  return { ...issued.tokens, ...family.tokens }
})
