import { type DateTime, Effect, Option } from "effect"
import { InvalidRequest, LastAccount } from "../errors.ts"
import { countNewcomer } from "../limits/limits.ts"
import { Policies } from "../policies.ts"
import { conflictIfTaken, insert, remove, Store, update, type Versioned, type Write } from "../ports/store.ts"
import { admit } from "../users/admission.ts"
import { newUser } from "../users/new-user.ts"
import { type Account, Accounts, Users } from "../users/tables.ts"
import type { StoredUser } from "../users/user.ts"
import { isSynthetic } from "../values/text.ts"
import { type AccountName, newAccount } from "./account-links.ts"
import { issue, issueToNewAccount } from "./issuing.ts"
import { awaitsVerification } from "./verification.ts"

export { newAccount } from "./account-links.ts"

// Sign-in by an account that is not an email address, such as a phone number or a wallet.

/** A verified account, and the domain of the synthetic address for a user who signs up with it: `siwe.local`, or one with a colon. */
interface Proven extends AccountName {
  readonly domain: string
}

/** How to sign up the owner of a verified address that has no user yet. */
export interface Newcomer {
  readonly name: string | null
  /** Whether only existing users can sign in. */
  readonly disable_signup: boolean
  /** The provider account that verified the address. It is linked to the user who signs in. */
  readonly account?: AccountName
  /** Whether the proof was a code of `test_users`: then only test users can sign in. */
  readonly is_test?: boolean
}

/** Whether a proof, which can be a code of `test_users`, counts for this existing user. */
export const mayProve = (user: StoredUser, { is_test = false }: Pick<Newcomer, "is_test">): boolean => user.is_test || !is_test

/** Limit on the linked accounts of one user. */
export const maxAccounts = 100

/**
 * Fails with `invalid_request` if a user with this many accounts cannot link another one. The commit that links one must also write the
 * user, so that concurrent requests cannot exceed the limit.
 */
export const requireRoom = Effect.fnUntraced(function* requireRoom(count: number) {
  if (count >= maxAccounts) return yield* new InvalidRequest({ message: `A user can have at most ${maxAccounts} ways to sign in.` })
})

/** A user's linked accounts, the oldest first. */
export const accountsOf = Effect.fnUntraced(function* accountsOf(userId: string) {
  return yield* (yield* Store).list(Accounts, { user_id: userId }, { limit: maxAccounts, order: "created_at" })
})

/**
 * Fails with `invalid_request` if codes to an account of one of these kinds are a second factor of the user: without it, the user could not
 * sign in any more. The commit must also write the user.
 */
export const requireNoFactor = Effect.fnUntraced(function* requireNoFactor(user_id: string, kinds: ReadonlyArray<string>) {
  const needed = yield* (yield* Policies).factorAccounts(user_id)
  if (!kinds.some((kind) => needed.includes(kind))) return
  const message = "Codes to this account are a second factor of the user. Turn them off first."
  return yield* new InvalidRequest({ message, reason: "needed_as_factor" })
})

/**
 * The writes that unlink the selected accounts of a user; empty if none is selected. Fails with `last_account` if no other account would
 * remain. Writes the user, so that concurrent requests cannot remove the last two.
 */
export const unlinkWrites = Effect.fnUntraced(function* unlinkWrites(
  user: Versioned<StoredUser>,
  isSelected: (account: Account) => boolean,
) {
  const accounts = yield* accountsOf(user.row.id)
  const selected = accounts.filter(isSelected)
  if (selected.length === 0) return []
  if (selected.length === accounts.length) return yield* new LastAccount()
  yield* requireNoFactor(
    user.row.id,
    selected.map(({ provider_id }) => provider_id),
  )
  return [update(Users, user, {}), ...selected.map(({ id }) => remove(Accounts, id))]
})

/** The same for one account by its id; the result is never empty. */
export const unlinkOneWrites = Effect.fnUntraced(function* unlinkOneWrites(user: Versioned<StoredUser>, id: string) {
  const accounts = yield* accountsOf(user.row.id)
  if (accounts.every((account) => account.id === id)) return yield* new LastAccount()
  return [update(Users, user, {}), remove(Accounts, id)]
})

/**
 * Signs in a user who was read, by a proof that does not verify their address. None if they must verify it first. Run it within
 * `retryOnConflict`.
 */
export const signInUser = Effect.fnUntraced(function* signInUser(user: Versioned<StoredUser>, proof: ReadonlyArray<Write>) {
  return (yield* awaitsVerification(user.row)) ? Option.none() : Option.some(yield* issue(user, proof))
})

/** The synthetic address of a user who signs up with the account of this name. */
export const syntheticAddress = (local: string, domain: string): string => `${local}@${domain}`.toLowerCase()

/**
 * Signs in the user of this account, in one commit with the writes that consume the proof. Signs up a new user if the account has none.
 * None if sign-up is disabled, or if the user must verify their address first. Run it within `retryOnConflict`: of two concurrent first
 * sign-ins, the second then reads the user of the first.
 */
export const signInByAccount = Effect.fnUntraced(function* signInByAccount(
  proven: Proven,
  proof: ReadonlyArray<Write>,
  newcomer: Newcomer,
) {
  const { provider_id, account_id, domain } = proven
  // Strangers could register a real address before its user comes, and mails would be sent to it.
  if (!isSynthetic(`@${domain}`)) return yield* Effect.die(new Error(`addresses at ${domain} can be real: choose a domain with a colon`))
  const linked = yield* (yield* Store).readWithReferenced(Accounts, { provider_id, account_id }, "user_id")
  if (Option.isSome(linked)) {
    const [, user] = linked.value
    return mayProve(user.row, newcomer) ? yield* signInUser(user, proof) : Option.none()
  }
  return newcomer.disable_signup
    ? Option.none()
    : Option.some(yield* signUpByAccount(proven, (local) => syntheticAddress(local, domain), newcomer, proof))
})

/**
 * Signs up a new user with an account, under a synthetic address derived from the account's name. The synthetic address stays unverified.
 */
export const signUpByAccount = Effect.fnUntraced(function* signUpByAccount(
  account: AccountName,
  addressOf: (name: string) => string,
  { name, is_test = false }: Pick<Newcomer, "name" | "is_test">,
  proof: ReadonlyArray<Write>,
) {
  yield* countNewcomer
  const admission = yield* admit(addressOf(account.account_id))
  const { user, writes } = yield* newUser(admission, { email_verified: false, name, is_test })
  const released = yield* addressReleases(user.email, addressOf, user.created_at)
  const linked = insert(Accounts, yield* newAccount(user.id, account))
  return yield* issueToNewAccount(user, [...proof, ...released, ...writes, linked]).pipe(conflictIfTaken)
})

/**
 * The writes that change the synthetic address of a user who signed up with this account and unlinked it later: the new owner of the account
 * needs that address.
 */
export const addressReleases = Effect.fnUntraced(function* addressReleases(
  email: string,
  addressOf: (name: string) => string,
  updated_at: DateTime.Utc,
) {
  const former = yield* (yield* Store).read(Users, { email })
  return Option.toArray(Option.map(former, (holder) => update(Users, holder, { email: addressOf(holder.row.id), updated_at })))
})
