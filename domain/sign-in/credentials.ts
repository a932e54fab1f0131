import { Effect } from "effect"
import { Policies } from "../policies.ts"
import { remove, removeAll, Store } from "../ports/store.ts"
import type { Account } from "../storage/tables.ts"
import { Accounts } from "../storage/tables.ts"
import { accountsOf } from "./linked-accounts.ts"
import { isPassword } from "./passwords.ts"

// A user's credentials: linked accounts, and the rows of the modules' authenticator tables.

/** Labels for a user's credentials in mails: their kinds, nothing secret. */
export const credentialLabels = Effect.fnUntraced(function* credentialLabels(userId: string) {
  return [...(yield* labelsOf(yield* accountsOf(userId))), ...(yield* authenticatorLabels(userId))]
})

/** The same without the password. */
export const otherCredentialLabels = Effect.fnUntraced(function* otherCredentialLabels(userId: string) {
  const others = (yield* accountsOf(userId)).filter((account) => !isPassword(account))
  return [...(yield* labelsOf(others)), ...(yield* authenticatorLabels(userId))]
})

/** The writes that remove every row of the modules' authenticator tables. */
export const authenticatorRemovals = Effect.fnUntraced(function* authenticatorRemovals(user_id: string) {
  return (yield* Policies).authenticators.map(({ table }) => removeAll(table, { user_id }))
})

/** The writes that remove a user's linked accounts except the password and second factors, and their labels. */
export const otherAccountRemovals = Effect.fnUntraced(function* otherAccountRemovals(userId: string) {
  const { isFactorAccount } = yield* Policies
  const others = (yield* accountsOf(userId)).filter((account) => !isPassword(account) && !isFactorAccount(account.provider_id))
  return { writes: others.map(({ id }) => remove(Accounts, id)), removed: yield* labelsOf(others) }
})

const labelsOf = Effect.fnUntraced(function* labelsOf(accounts: ReadonlyArray<Account>) {
  const { accountLabel } = yield* Policies
  const counts = new Map<string, number>()
  for (const account of accounts) {
    const label = isPassword(account) ? "password" : accountLabel(account.provider_id)
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return Array.from(counts, ([label, count]) => (count === 1 ? label : `${label} (${count})`))
})

const authenticatorLabels = Effect.fnUntraced(function* authenticatorLabels(user_id: string) {
  const { list } = yield* Store
  const { authenticators } = yield* Policies
  const rows = yield* Effect.forEach(authenticators, ({ table }) => list(table, { user_id }, { limit: 1 }))
  return authenticators.flatMap(({ label }, index) => (rows[index]?.length === 0 ? [] : [label]))
})
