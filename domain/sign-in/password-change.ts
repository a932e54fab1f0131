import { DateTime, Effect, Option } from "effect"
import * as Emails from "../mail/emails.ts"
import { notices } from "../mail/notices.ts"
import { Policies } from "../policies.ts"
import { PasswordHasher } from "../ports/password-hasher.ts"
import { insert, removeAll, update, type Versioned } from "../ports/store.ts"
import { type Account, Accounts, MailedTokens } from "../users/tables.ts"
import type { StoredUser } from "../users/user.ts"
import { newCredential } from "./passwords.ts"

/**
 * The writes that make a password unusable until a mailed link replaces it, and invalidate the links mailed before. Its row stays: the time
 * of the change also invalidates the cookies of known browsers.
 */
export const disabledPasswordWrites = Effect.fnUntraced(function* disabledPasswordWrites(user: StoredUser, account: Versioned<Account>) {
  const disabled = update(Accounts, account, { password_hash: null, updated_at: yield* DateTime.now })
  return [disabled, removeAll(MailedTokens, { user_id: user.id }), ...(yield* (yield* Policies).passwordChanged(user))]
})

/** The writes that set or replace a password, invalidate all links mailed to the user, and send the notices. */
export const passwordWrites = Effect.fnUntraced(function* passwordWrites(
  user: StoredUser,
  account: Option.Option<Versioned<Account>>,
  password: string,
  removed: Emails.Labels = [],
) {
  const password_hash = yield* (yield* PasswordHasher).hash(password)
  const write = Option.isSome(account)
    ? update(Accounts, account.value, { password_hash, updated_at: yield* DateTime.now })
    : insert(Accounts, yield* newCredential(user.id, password_hash))
  const mails = yield* notices(user, (email) => Emails.passwordChanged({ email, removed }))
  const added = yield* (yield* Policies).passwordChanged(user)
  return [write, removeAll(MailedTokens, { user_id: user.id }), ...mails, ...added]
})
