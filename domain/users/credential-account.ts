import { Effect, Option } from "effect"
import { Store } from "../ports/store.ts"
import { type Account, Accounts } from "./tables.ts"

/** `provider_id` of the account with a user's password; its `account_id` is the user's id. */
export const credentialProvider = "credential"

/** `provider_id` of the account that links a verified phone number to a user; its `account_id` is the number. A user has one. */
export const phoneProvider = "phone"

/** Whether an account is the one with the password. */
export const isPassword = ({ provider_id }: Account) => provider_id === credentialProvider

/** The account with a user's password. */
export const credentialOf = Effect.fnUntraced(function* credentialOf(userId: string) {
  return yield* (yield* Store).read(Accounts, { provider_id: credentialProvider, account_id: userId })
})

/**
 * The time when the password was last written; none for a user without one. A new hash of the same password changes this time too;
 * `passwordChanged` of a module runs for new passwords only.
 */
export const passwordSetAt = (userId: string) => credentialOf(userId).pipe(Effect.map(Option.map(({ row }) => row.updated_at)))
