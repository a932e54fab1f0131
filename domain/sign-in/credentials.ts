import { Effect } from "effect"
import { Policies } from "../policies.ts"
import { remove, removeAll, Store } from "../ports/store.ts"
import { phrase } from "../ports/texts.ts"
import { credentialProvider } from "../users/credential-account.ts"
import { type Account, Accounts } from "../users/tables.ts"
import type { User } from "../users/user.ts"
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

/** The writes that remove every row of the modules' authenticator tables, and with them the second factor. */
export const authenticatorRemovals = Effect.fnUntraced(function* authenticatorRemovals(user: User) {
  const { reclaimedTables } = yield* Policies
  return [...reclaimedTables.map(({ table }) => removeAll(table, { user_id: user.id })), ...(yield* secondFactorRemovals(user))]
})

/**
 * The writes that modules add to the commit that removes a user's second factor (`secondFactorRemoved`); none if the user has no second
 * factor. That commit must also write the user: a concurrent sign-in may have read the rows that these writes remove.
 */
export const secondFactorRemovals = Effect.fnUntraced(function* secondFactorRemovals(user: User) {
  const { factorsHeldBy, secondFactorRemoved } = yield* Policies
  return (yield* factorsHeldBy(user.id)).second ? yield* secondFactorRemoved(user) : []
})

/** The same for a commit that removes rows of these tables. */
export const secondFactorRemovalsOf = Effect.fnUntraced(function* secondFactorRemovalsOf(user: User, tables: ReadonlyArray<string>) {
  const { reclaimedTables } = yield* Policies
  return reclaimedTables.some(({ table }) => tables.includes(table.name)) ? yield* secondFactorRemovals(user) : []
})

/** The writes that remove a user's linked accounts except the password and those of second factors, and their labels. */
export const otherAccountRemovals = Effect.fnUntraced(function* otherAccountRemovals(userId: string) {
  const { accountKind, factorAccounts } = yield* Policies
  const needed = yield* factorAccounts(userId)
  const isKept = ({ provider_id }: Account) => accountKind(provider_id).isFactor || needed.includes(provider_id)
  const others = (yield* accountsOf(userId)).filter((account) => !isPassword(account) && !isKept(account))
  return { writes: others.map(({ id }) => remove(Accounts, id)), removed: yield* labelsOf(others) }
})

/**
 * The writes that remove all factors of a user, or those of one kind: authenticators, and the accounts that are factors, with their labels.
 * `isLast`: no other account would remain. The commit must also write the user.
 */
export const factorRemovals = Effect.fnUntraced(function* factorRemovals(user: User, kind?: string) {
  const { accountKind } = yield* Policies
  const isChosen = (name: string) => kind === undefined || name === kind
  const accounts = yield* accountsOf(user.id)
  const factors = accounts.filter(({ provider_id }) => accountKind(provider_id).isFactor && isChosen(provider_id))
  const authenticators = (yield* namedAuthenticators).filter(({ table }) => isChosen(table.name))
  const tables = authenticators.map(({ table }) => table)
  const writes = [
    ...tables.map((table) => removeAll(table, { user_id: user.id })),
    ...factors.map(({ id }) => remove(Accounts, id)),
    ...(yield* secondFactorRemovalsOf(
      user,
      tables.map(({ name }) => name),
    )),
  ]
  const removed = [...(yield* labelsOf(factors)), ...(yield* labelsOfHeld(user.id, authenticators))]
  return { writes, removed, isLast: factors.length > 0 && factors.length === accounts.length }
})

/** Whether users of this service can have factors of this kind. */
export const isFactorKind = Effect.fnUntraced(function* isFactorKind(kind: string) {
  const { accountKind } = yield* Policies
  return accountKind(kind).isFactor || (yield* namedAuthenticators).some(({ table }) => table.name === kind)
})

/** Labels for these accounts in mails. */
export const labelsOf = Effect.fnUntraced(function* labelsOf(accounts: ReadonlyArray<Account>) {
  const { accountKind } = yield* Policies
  const kinds = new Map<string, number>()
  for (const account of accounts) {
    const { provider_id } = account
    kinds.set(provider_id, (kinds.get(provider_id) ?? 0) + 1)
  }
  return Array.from(kinds, ([provider_id, count]) => {
    const credential = provider_id === credentialProvider ? phrase("mail.credential.password") : accountKind(provider_id).label
    return count === 1 ? credential : phrase("mail.credential.counted", { credential, count })
  })
})

/** The tables of authenticators that mails name. */
const namedAuthenticators = Effect.map(Policies, ({ reclaimedTables }) =>
  reclaimedTables.flatMap(({ table, label }) => (label === undefined ? [] : [{ table, label }])),
)

const authenticatorLabels = (user_id: string) => Effect.flatMap(namedAuthenticators, (all) => labelsOfHeld(user_id, all))

/** The labels of those authenticators that a user has. */
const labelsOfHeld = Effect.fnUntraced(function* labelsOfHeld(user_id: string, named: Effect.Success<typeof namedAuthenticators>) {
  const { list } = yield* Store
  const rows = yield* Effect.forEach(named, ({ table }) => list(table, { user_id }, { limit: 1 }))
  return named.flatMap(({ label }, index) => (rows[index]?.length === 0 ? [] : [label]))
})
