import { DateTime, Effect, Option } from "effect"
import * as Emails from "../mail/emails.ts"
import { otherLinkRemovals } from "../mail/mailed-tokens.ts"
import { mail } from "../mail/writing.ts"
import { Policies } from "../policies.ts"
import { conflictIfTaken, insert, put, removeAll, Store, update, type Versioned, type Write } from "../ports/store.ts"
import { current, revokeAll } from "../sessions/sessions.ts"
import { Settings } from "../settings.ts"
import { admit, admitProved } from "../users/admission.ts"
import { newUser } from "../users/new-user.ts"
import { type Account, Accounts, MailedTokens, Users } from "../users/tables.ts"
import { hadVerifiedAddress, type StoredUser, verifiedColumns } from "../users/user.ts"
import { type AccountName, newAccount } from "./account-links.ts"
import { authenticatorRemovals, credentialLabels, otherCredentialLabels } from "./credentials.ts"
import { issue, issueToNewAccount, issueWith } from "./issuing.ts"
import { accountsOf, mayProve, type Newcomer, requireRoom } from "./linked-accounts.ts"
import { credentialOf } from "./passwords.ts"

// The changes to an account when a caller proves control of the mailbox of its address.

/**
 * Signs in the user of an address that the caller has proved, in one commit with `proof`, the writes that consume the proof. Signs up a new
 * user if no user has the address; none if sign-up is disabled. Run it within `retryOnConflict`: the second of two first sign-ins finds the
 * user of the first.
 */
export const signInByVerifiedEmail = Effect.fnUntraced(function* signInByVerifiedEmail(
  email: string,
  proof: ReadonlyArray<Write>,
  newcomer: Newcomer,
) {
  const owner = yield* (yield* Store).read(Users, { email })
  if (Option.isSome(owner)) {
    return mayProve(owner.value.row, newcomer) ? Option.some(yield* signIn(owner.value, proof, newcomer)) : Option.none()
  }
  return newcomer.disable_signup ? Option.none() : Option.some(yield* signUp(email, proof, newcomer))
})

/** Signs in the user of the address. A provider's account is linked in the commit that opens the session, so a challenge precedes both. */
const signIn = Effect.fnUntraced(function* signIn(owner: Versioned<StoredUser>, proof: ReadonlyArray<Write>, { account }: Newcomer) {
  const spent = yield* admitProved(owner.row)
  if (yield* isReclaimed(owner.row)) {
    // All factors that could cause a challenge are removed, and all accounts that count against the limit of linked accounts.
    const { user, writes } = yield* reclaim(owner)
    return yield* issueToNewAccount(user, [...proof, ...spent, ...writes, ...(yield* firstAccount(user.id, account))])
  }
  yield* requireRoomFor(account, owner.row.id)
  if (owner.row.email_verified) return yield* issue(owner, proof, account)
  const changes = verifiedColumns(yield* DateTime.now)
  const listing = yield* credentialListing(owner.row)
  return yield* issueWith({ ...owner.row, ...changes }, [...proof, ...spent, update(Users, owner, changes), ...listing], account)
}, conflictIfTaken)

/**
 * The mail that lists the account's credentials to the owner of a newly proved address, unless the caller has a session of the account. The
 * account may belong to another user who changed their address to this one: both would then have access to it.
 */
const credentialListing = Effect.fnUntraced(function* credentialListing(user: StoredUser) {
  const credentials = yield* credentialLabels(user.id)
  if (credentials.length === 0 || (yield* isCaller(user))) return []
  return [yield* mail({ to: user.email, locale: user.locale }, Emails.addressProved({ email: user.email, credentials }))]
})

const requireRoomFor = Effect.fnUntraced(function* requireRoomFor(account: AccountName | undefined, userId: string) {
  if (account !== undefined) yield* requireRoom((yield* accountsOf(userId)).length)
})

/** The writes that link the first account of a user, if there is one to link. */
const firstAccount = Effect.fnUntraced(function* firstAccount(user_id: string, account: AccountName | undefined) {
  return account === undefined ? [] : [insert(Accounts, yield* newAccount(user_id, account))]
})

const signUp = Effect.fnUntraced(function* signUp(
  email: string,
  proof: ReadonlyArray<Write>,
  { name, account, is_test = false }: Newcomer,
) {
  const { user, writes } = yield* newUser(yield* admit(email), { email_verified: true, name, is_test })
  return yield* issueToNewAccount(user, [...proof, ...writes, ...(yield* firstAccount(user.id, account))]).pipe(conflictIfTaken)
})

/**
 * Whether a proof of the address, made without a session of the account, returns the account to the owner of the address. Always true for
 * an unverified address that gives rights: a user who changed to it before it gave rights must not get them when its owner proves it.
 */
export const isReclaimable = Effect.fnUntraced(function* isReclaimable(user: StoredUser) {
  if (!user.email_verified && (yield* Policies).isConfirmedAddress(user.email)) return true
  return !hadVerifiedAddress(user) && (yield* Settings).account.unverified_takeover === "reset"
})

/**
 * Whether a proof of the address returns the account to the owner of the address: an attacker may have registered an account that never had
 * a verified address. If the caller has a session of the account, the caller registered it, and it stays theirs. An account that once had a
 * verified address belongs to its user, even if the address is now another one. Otherwise an attacker with a stolen session could change
 * the address, prove the new one, and so remove the user's factors. Addresses that give rights are an exception (`isReclaimable`): a
 * session can change to one only with a proof of it.
 */
export const isReclaimed = Effect.fnUntraced(function* isReclaimed(user: StoredUser) {
  return (yield* isReclaimable(user)) && !(yield* isCaller(user))
})

/** Whether the request has a session of this user. */
export const isCaller = ({ id }: StoredUser) => Effect.map(current, (caller) => Option.isSome(caller) && caller.value.user.id === id)

/**
 * The writes that return a never-verified account to the owner of its address: every credential, session and pending token is removed
 * (except links to reset the password that were mailed to the address), and the owner gets one mail that says so. Memberships and the
 * profile stay. With `password` the owner sets a new one in the same commit, and with `profile` a name.
 */
export const reclaim = Effect.fnUntraced(function* reclaimAccount(
  owner: Versioned<StoredUser>,
  password?: Account,
  profile: Partial<Pick<StoredUser, "name">> = {},
) {
  const { id, email } = owner.row
  const where = { user_id: id }
  const changes = { ...verifiedColumns(yield* DateTime.now), ...profile }
  const removed = yield* credentialLabels(id)
  const { writes, kept } = yield* (yield* Policies).reclaim(owner.row)
  const message = Emails.accountReclaimed({ email, removed, kept, hasNewPassword: password !== undefined })
  return {
    user: { ...owner.row, ...changes },
    writes: [
      ...(yield* revokeAll(owner, changes)),
      removeAll(Accounts, where),
      ...(password === undefined ? yield* otherLinkRemovals(owner.row, true) : [removeAll(MailedTokens, where)]),
      ...(yield* authenticatorRemovals(owner.row)),
      ...writes,
      ...(password === undefined ? [] : [insert(Accounts, password)]),
      yield* mail({ to: email, locale: owner.row.locale }, message),
    ],
  }
})

/**
 * The additional writes when a verification link is followed: they remove every credential except the password from a never-verified
 * account, unless the caller has a session of it. The password stays because the link issues no session, and the owner may have set that
 * password.
 */
export const revokeUnverifiedCredentials = Effect.fnUntraced(function* revokeUnverifiedCredentials(user: StoredUser, email: string) {
  if (!(yield* isReclaimed(user))) return []
  const where = { user_id: user.id }
  const password = Option.toArray(yield* credentialOf(user.id)).map(({ row }) => put(Accounts, row))
  const links = yield* otherLinkRemovals(user)
  const removals = [removeAll(Accounts, where), ...password, ...links, ...(yield* authenticatorRemovals(user))]
  const removed = yield* otherCredentialLabels(user.id)
  if (removed.length === 0) return removals
  return [...removals, yield* mail({ to: email, locale: user.locale }, Emails.credentialsRemoved({ email, removed }))]
})

/**
 * The writes when the address of a user is verified without a session of the user. An account whose address gives rights loses its password
 * too: with it, the person who registered the address would get these rights.
 */
export const verificationWrites = Effect.fnUntraced(function* verificationWrites(user: Versioned<StoredUser>) {
  if ((yield* Policies).isConfirmedAddress(user.row.email) && (yield* isReclaimed(user.row))) return (yield* reclaim(user)).writes
  const removals = yield* revokeUnverifiedCredentials(user.row, user.row.email)
  return [update(Users, user, verifiedColumns(yield* DateTime.now)), ...removals]
})
