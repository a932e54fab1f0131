import { Effect } from "effect"
import { Policies } from "../policies.ts"
import type { Versioned } from "../ports/store.ts"
import { removeAll } from "../ports/store.ts"
import { authenticatorRemovals } from "../sign-in/credentials.ts"
import { removing } from "../storage/removals.ts"
import { Accounts, MailedTokens, Users } from "../storage/tables.ts"
import type { StoredUser } from "./user.ts"

/**
 * The writes of one commit that removes a user who was read. After it the address is free, and no session, credential or
 * mailed token of the user is accepted; of a user with many rows the rest is removed later.
 */
export const userRemovalWrites = Effect.fnUntraced(function* (user: Versioned<StoredUser>) {
  const { tables, beforeUserRemoval } = yield* Policies
  const user_id = user.row.id
  // Accounts are unique beyond their user: one that stayed would refuse the next sign-up with it.
  const credentials = [removeAll(Accounts, { user_id }), removeAll(MailedTokens, { user_id }), ...(yield* authenticatorRemovals(user_id))]
  const farewell = yield* beforeUserRemoval(user.row)
  return [...(yield* removing(tables, Users, user, credentials)), ...farewell]
})
