import { Context, Effect } from "effect"
import type { AuthError, CommonCode } from "../errors.ts"
import type { Versioned, Write } from "../ports/store.ts"
import { removeAll } from "../ports/store.ts"
import { authenticatorRemovals } from "../sign-in/credentials.ts"
import { removing } from "../storage/removals.ts"
import type { AnyTable } from "../storage/table.ts"
import { Accounts, MailedTokens, Users } from "../storage/tables.ts"
import type { StoredUser, User } from "./user.ts"

/** Lets modules add writes to the removal of a user, or refuse it. `Auth.call` provides it from the modules. */
export class BeforeUserRemoval extends Context.Service<
  BeforeUserRemoval,
  {
    /** The tables of all modules: a removal follows the references between them. */
    readonly tables: ReadonlyArray<AnyTable>
    /** The modules' writes for the commit that removes the user. Fails if a module refuses the removal. */
    writes(user: User): Effect.Effect<ReadonlyArray<Write>, AuthError<CommonCode>>
  }
>()("sallyport/Departures") {}

/**
 * The writes that remove a user in one commit. After it the address is free, and no session, credential or mailed token of the user is
 * accepted. If the user has many rows, the sweeper removes the rest later.
 */
export const userRemovalWrites = Effect.fnUntraced(function* userRemovalWrites(user: Versioned<StoredUser>) {
  const { tables, writes } = yield* BeforeUserRemoval
  const user_id = user.row.id
  // Accounts are unique across users: a remaining one would block the next sign-up with it.
  const credentials = [removeAll(Accounts, { user_id }), removeAll(MailedTokens, { user_id }), ...(yield* authenticatorRemovals(user_id))]
  const moduleWrites = yield* writes(user.row)
  return [...(yield* removing(tables, Users, user, credentials)), ...moduleWrites]
})
