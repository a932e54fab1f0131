import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { User } from "../domain/User.ts"
import type { AccountName } from "./AccountLinks.ts"
import { newAccount } from "./AccountLinks.ts"
import { Authenticators } from "./Authenticators.ts"
import { issue, issueAnew, issueWith } from "./Issuing.ts"
import type { Newcomer } from "./LinkedAccounts.ts"
import { accountsOf, requireRoom } from "./LinkedAccounts.ts"
import type { Held, Write } from "./ports/Store.ts"
import { anewIfTaken, insert, put, removeAll, Store, update } from "./ports/Store.ts"
import { current, revokeAll } from "./Sessions.ts"
import { Settings } from "./Settings.ts"
import type { Account } from "./Tables.ts"
import { Accounts, MailedTokens, Users } from "./Tables.ts"

// The proof of a mailbox: what it means when somebody shows that an address is theirs.

/**
 * Signs in the user of an address that the caller has just proved to own, in one commit with what uses the proof up; signs them up
 * if nobody has the address. None when that is not allowed. Run it within `decide`: the second of two first sign-ins finds the user of the first.
 */
export const signInByMailbox = Effect.fnUntraced(function* (email: string, proof: ReadonlyArray<Write>, newcomer: Newcomer) {
  const held = yield* (yield* Store).read(Users, { email })
  if (Option.isSome(held)) return Option.some(yield* signIn(held.value, proof, newcomer))
  return newcomer.disable_signup ? Option.none() : Option.some(yield* signUp(email, proof, newcomer))
})

/** The account is linked in one commit with the session: a challenge comes before both. */
const signIn = Effect.fnUntraced(function* (user: Held<User>, proof: ReadonlyArray<Write>, { account }: Newcomer) {
  if (user.row.email_verified) {
    yield* requireRoomFor(account, user.row)
    return yield* issue(user, proof, account)
  }
  const now = yield* firstProof(user)
  if (now.isTakenOver) return yield* issueAnew(now.user, [...proof, ...now.writes, ...(yield* firstAccount(user.row.id, account))])
  yield* requireRoomFor(account, user.row)
  return yield* issueWith(now.user, [...proof, ...now.writes], account)
}, anewIfTaken)

const requireRoomFor = Effect.fnUntraced(function* (account: AccountName | undefined, { id }: User) {
  if (account !== undefined) yield* requireRoom((yield* accountsOf(id)).length)
})

/** The account of a user who has no other way to sign in. */
const firstAccount = Effect.fnUntraced(function* (user_id: string, account: AccountName | undefined) {
  return account === undefined ? [] : [insert(Accounts, yield* newAccount(user_id, account))]
})

const signUp = Effect.fnUntraced(function* (email: string, proof: ReadonlyArray<Write>, { name, account }: Newcomer) {
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  const now = yield* DateTime.now
  const user: User = { id, email, email_verified: true, name, image: null, created_at: now, updated_at: now }
  return yield* issueAnew(user, [...proof, insert(Users, user), ...(yield* firstAccount(id, account))]).pipe(anewIfTaken)
})

/** Whoever registered the address may be a stranger: what they left is removed, unless the caller is signed in as that very user. */
const firstProof = Effect.fnUntraced(function* (held: Held<User>) {
  const { unverified_takeover } = (yield* Settings).account
  const verified = { email_verified: true, updated_at: yield* DateTime.now }
  const user: User = { ...held.row, ...verified }
  const caller = yield* current
  const isOwner = Option.isSome(caller) && caller.value.user.id === user.id
  if (isOwner || unverified_takeover === "keep") return { user, isTakenOver: false, writes: [update(Users, held, verified)] }

  const where = { user_id: user.id }
  const authenticators = (yield* Authenticators).removals(user.id)
  const left = [removeAll(Accounts, where), removeAll(MailedTokens, where), ...authenticators]
  return { user, isTakenOver: true, writes: [...revokeAll(held, verified), ...left] }
})

/** The end of every way in to a never-verified account but the one that its owner has just set, and of what stands before it. */
export const strangersWays = Effect.fnUntraced(function* (user: User, own: Account) {
  if (user.email_verified || (yield* Settings).account.unverified_takeover === "keep") return []
  return [removeAll(Accounts, { user_id: user.id }), put(Accounts, own), ...(yield* Authenticators).removals(user.id)]
})
