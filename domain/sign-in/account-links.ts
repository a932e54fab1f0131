import { DateTime, Effect, Schema } from "effect"
import * as Emails from "../mail/emails.ts"
import { notices } from "../mail/notices.ts"
import { insert } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import { type Account, Accounts } from "../users/tables.ts"
import type { StoredUser } from "../users/user.ts"

/** Identifies an account: the provider, and the id of the account there. */
export const AccountName = Schema.Struct({ provider_id: Schema.String, account_id: Schema.String })
export type AccountName = typeof AccountName.Type

/** A new linked account without a password. */
export const newAccount = Effect.fnUntraced(function* newAccount(user_id: string, { provider_id, account_id }: AccountName) {
  const id = yield* newId
  const now = yield* DateTime.now
  const account: Account = { id, user_id, provider_id, account_id, password_hash: null, created_at: now, updated_at: now }
  return account
})

/** The writes that link an account to an existing user and send the notices. The commit fails with `Taken` if the account is linked already. */
export const linkAccount = Effect.fnUntraced(function* linkAccount(user: StoredUser, name: AccountName) {
  const account = yield* newAccount(user.id, name)
  return [insert(Accounts, account), ...(yield* notices(user, () => Emails.accountLinked(name.provider_id)))]
})
