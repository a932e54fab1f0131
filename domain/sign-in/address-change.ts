import { Effect } from "effect"
import * as Emails from "../mail/emails.ts"
import { mail } from "../mail/writing.ts"
import { removeAll, update, type Versioned } from "../ports/store.ts"
import { MailedTokens, Users } from "../users/tables.ts"
import type { StoredUser, User } from "../users/user.ts"

/** The writes that change the address of a user, invalidate every link that was mailed to them, and send notices to `told`. */
export const addressChangeWrites = Effect.fnUntraced(function* addressChangeWrites(
  user: Versioned<StoredUser>,
  changes: Partial<StoredUser> & Pick<User, "email">,
  told: ReadonlyArray<string>,
) {
  const { id, locale } = user.row
  const notices = yield* Effect.forEach(told, (to) => mail({ to, locale }, Emails.emailChanged({ email: to, newEmail: changes.email })))
  return [update(Users, user, changes), removeAll(MailedTokens, { user_id: id }), ...notices]
})
