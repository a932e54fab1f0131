import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { InvalidRequest, LastAccount } from "../errors.ts"
import type { Versioned, Write } from "../ports/store.ts"
import { conflictIfTaken, insert, remove, Store, update } from "../ports/store.ts"
import type { Account } from "../storage/tables.ts"
import { Accounts, Users } from "../storage/tables.ts"
import type { StoredUser } from "../users/user.ts"
import type { AccountName } from "./account-links.ts"
import { newAccount } from "./account-links.ts"
import { issue, issueToNewAccount } from "./issuing.ts"
import { awaitsVerification } from "./verification.ts"

export { newAccount } from "./account-links.ts"

// Ways to sign in that prove something else than a mailbox: a phone, a wallet.

/** What somebody proved to have, and the domain of the made-up address of whoever first comes with it. */
interface Proven extends AccountName {
  readonly domain: string
}

/** Who comes with a proven address. */
export interface Newcomer {
  readonly name: string | null
  /** Whether nobody is signed up by it. */
  readonly disable_signup: boolean
  /** The account at a provider that vouched for the address: it is linked to the user who signs in. */
  readonly account?: AccountName
}

/** The most linked accounts of one user. */
const most = 100

/**
 * Fails with `invalid_request` where a user who has so many accounts may have no further one. Whoever is signed in and
 * links one also writes the user, so that many at once are not more.
 */
export const requireRoom = Effect.fnUntraced(function* requireRoom(count: number) {
  if (count >= most) return yield* new InvalidRequest({ message: `A user has at most ${most} ways to sign in.` })
})

/** The ways to sign in that are linked to a user, the oldest first. */
export const accountsOf = Effect.fnUntraced(function* accountsOf(userId: string) {
  return yield* (yield* Store).list(Accounts, { user_id: userId }, { limit: most, order: "created_at" })
})

/**
 * The writes that take ways to sign in from a user, none where they have none of these: fails with `last_account` when they would have no others.
 * The user is written, so that two at once do not take the last two.
 */
export const unlinking = Effect.fnUntraced(function* unlinking(user: Versioned<StoredUser>, isMeant: (account: Account) => boolean) {
  const accounts = yield* accountsOf(user.row.id)
  const meant = accounts.filter(isMeant)
  if (meant.length === 0) return []
  if (meant.length === accounts.length) return yield* new LastAccount()
  return [update(Users, user, {}), ...meant.map(({ id }) => remove(Accounts, id))]
})

/** The same with one account that was read: there is always a write that removes it. */
export const unlinkingOne = Effect.fnUntraced(function* unlinkingOne(user: Versioned<StoredUser>, id: string) {
  const accounts = yield* accountsOf(user.row.id)
  if (accounts.every((account) => account.id === id)) return yield* new LastAccount()
  return [update(Users, user, {}), remove(Accounts, id)]
})

/**
 * Signs in the user who has this account, in one commit with what uses the proof up; signs them up if nobody has it. None when that is
 * not allowed, or when their address still waits for its proof. Run it within `retryOnConflict`: the second of two first sign-ins finds the user of the first.
 */
export const signInByAccount = Effect.fnUntraced(function* signInByAccount(
  proven: Proven,
  proof: ReadonlyArray<Write>,
  newcomer: Newcomer,
) {
  const { provider_id, account_id, domain } = proven
  const found = yield* (yield* Store).readWithReferenced(Accounts, { provider_id, account_id }, "user_id")
  if (Option.isSome(found)) {
    const [, user] = found.value
    return (yield* awaitsVerification(user.row)) ? Option.none() : Option.some(yield* issue(user, proof))
  }
  return newcomer.disable_signup
    ? Option.none()
    : Option.some(yield* signUpByAccount(proven, (local) => `${local}@${domain}`.toLowerCase(), newcomer.name, proof))
})

/**
 * Signs up whoever first comes with an account, under an address made of its name. The account is the proof of what was proven; the
 * made-up address proves nothing and stays unverified.
 */
export const signUpByAccount = Effect.fnUntraced(function* signUpByAccount(
  account: AccountName,
  addressOf: (name: string) => string,
  name: string | null,
  proof: ReadonlyArray<Write>,
) {
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  const now = yield* DateTime.now
  const email = addressOf(account.account_id)
  const former = yield* (yield* Store).read(Users, { email })
  const freed = Option.toArray(Option.map(former, (user) => release(user, addressOf(user.row.id), now)))
  const user: StoredUser = {
    id,
    email,
    email_verified: false,
    last_verified_email: null,
    name,
    image: null,
    created_at: now,
    updated_at: now,
  }
  const added = [insert(Users, user), insert(Accounts, yield* newAccount(id, account))]
  return yield* issueToNewAccount(user, [...proof, ...freed, ...added]).pipe(conflictIfTaken)
})

/** Whoever was signed up by an account and gave it away keeps the user, but not the address made of its name: it is somebody else's now. */
const release = (former: Versioned<StoredUser>, email: string, updated_at: DateTime.Utc) => update(Users, former, { email, updated_at })
