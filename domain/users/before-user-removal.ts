import { Context, Effect } from "effect"
import type { AuthError, CommonCode } from "../errors.ts"
import type { Versioned, Write } from "../ports/store.ts"
import { removeAll } from "../ports/store.ts"
import { authenticatorRemovals } from "../sign-in/credentials.ts"
import { removing } from "../storage/removals.ts"
import type { AnyTable } from "../storage/table.ts"
import { Accounts, MailedTokens, Users } from "../storage/tables.ts"
import type { StoredUser, User } from "./user.ts"

/** What the removal of a user means to the modules, in their order. `Auth.call` provides it. */
export class BeforeUserRemoval extends Context.Service<
  BeforeUserRemoval,
  {
    /** The tables of all modules: removals follow the references between them. */
    readonly tables: ReadonlyArray<AnyTable>
    /** Belongs into the commit that removes the user. Fails with a code of the module that cannot let them go. */
    writes(user: User): Effect.Effect<ReadonlyArray<Write>, AuthError<CommonCode>>
  }
>()("sallyport/Departures") {}

/**
 * The writes of one commit that removes a user who was read. After it the address is free, and no session, credential or
 * mailed token of the user is accepted; of a user with many rows the rest is removed later.
 */
export const userRemovalWrites = Effect.fnUntraced(function* userRemovalWrites(user: Versioned<StoredUser>) {
  const { tables, writes } = yield* BeforeUserRemoval
  const user_id = user.row.id
  // Accounts are unique beyond their user: one that stayed would refuse the next sign-up with it.
  const credentials = [removeAll(Accounts, { user_id }), removeAll(MailedTokens, { user_id }), ...(yield* authenticatorRemovals(user_id))]
  const farewell = yield* writes(user.row)
  return [...(yield* removing(tables, Users, user, credentials)), ...farewell]
})
