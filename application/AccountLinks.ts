import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StoredUser } from "../domain/User.ts"
import * as Letters from "./letters.ts"
import { notices } from "./Notices.ts"
import { insert } from "./ports/Store.ts"
import type { Account } from "./Tables.ts"
import { Accounts } from "./Tables.ts"

/** What identifies an account: the provider that vouches for it, and its name there. */
export const AccountName = Schema.Struct({ provider_id: Schema.String, account_id: Schema.String })
export type AccountName = typeof AccountName.Type

/** A new way to sign in for a user, without a password. */
export const newAccount = Effect.fnUntraced(function* (user_id: string, { provider_id, account_id }: AccountName) {
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  const now = yield* DateTime.now
  const account: Account = { id, user_id, provider_id, account_id, password_hash: null, created_at: now, updated_at: now }
  return account
})

/** The writes that link an account to an existing user and announce it by mail. They fail with `Taken` when the account is linked already. */
export const linkAccount = Effect.fnUntraced(function* (user: StoredUser, name: AccountName) {
  const account = yield* newAccount(user.id, name)
  return [insert(Accounts, account), ...(yield* notices(user, () => Letters.accountLinked(name.provider_id)))]
})
