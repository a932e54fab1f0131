import { Effect } from "effect"
import type { Versioned, Write } from "../../../../domain/ports/store.ts"
import { check, Store } from "../../../../domain/ports/store.ts"
import type { StoredSession } from "../../../../domain/sessions/session.ts"
import { Users } from "../../../../domain/storage/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { membershipChecks } from "../claims/organization.ts"
import { subjectOf } from "../claims/subject.ts"
import type { Settings } from "../settings.ts"
import { clientSessionWrites } from "../tokens/client-sessions.ts"
import type { Grant } from "../tokens/grant.ts"
import { issueTokens } from "../tokens/issued-tokens.ts"
import { beginFamily } from "../tokens/refresh-families.ts"
import { narrowedResource } from "../tokens/resources.ts"

/** A grant by a code. */
interface CodeGrant extends Grant {
  readonly session: StoredSession
  readonly code_hash: string
}

/** Issues the tokens of a code, with refresh tokens for clients that use them, in one commit with the removal of the code. */
export const redeemGrant = Effect.fnUntraced(function* redeemGrant(
  settings: Settings,
  granted: CodeGrant,
  user: Versioned<StoredUser>,
  requested: string | undefined,
  removal: Write,
) {
  const { client, session } = granted
  // The refresh token is for all resource servers of the code, the access token for the requested ones.
  const resource = yield* narrowedResource(client, granted.resource, requested)
  const family = client.refresh_tokens
    ? yield* beginFamily(settings, granted, granted.code_hash)
    : { grant: granted, tokens: {}, writes: [] }
  const issued = yield* issueTokens(settings, { ...family.grant, resource })
  const known = yield* clientSessionWrites(client, session, yield* subjectOf(client, user.row.id))
  const unchanged = [check(Users, user), ...membershipChecks(granted.membership)]
  yield* (yield* Store).commit([...unchanged, removal, ...known, ...family.writes, ...issued.writes])
  return { ...issued.tokens, ...family.tokens }
})
