import { Effect } from "effect"
import { Policies } from "../policies.ts"
import { removeAll, type Versioned } from "../ports/store.ts"
import { removalWrites } from "../storage/removals.ts"
import { Accounts, MailedTokens, Users } from "./tables.ts"
import type { StoredUser } from "./user.ts"

/**
 * The writes that remove a user in one commit. Afterwards the address is free, and no session, credential or mailed token of the user is
 * accepted. If the user has many rows, the sweeper removes the rest later.
 */
export const userRemovalWrites = Effect.fnUntraced(function* userRemovalWrites(user: Versioned<StoredUser>) {
  const { tables, reclaimedTables, beforeUserRemoval } = yield* Policies
  const user_id = user.row.id
  // Accounts are unique across users: a remaining one would block the next sign-up with it.
  const credentials = [Accounts, MailedTokens, ...reclaimedTables.map(({ table }) => table)].map((table) => removeAll(table, { user_id }))
  const moduleWrites = yield* beforeUserRemoval(user.row)
  return [...(yield* removalWrites(tables, Users, user, credentials)), ...moduleWrites]
})
