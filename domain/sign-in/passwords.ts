import { DateTime, Effect, Option, Result } from "effect"
import { EmailNotVerified, InvalidCredentials, InvalidRequest, invalidMember, PasswordTooLong, PasswordTooShort } from "../errors.ts"
import { Policies } from "../policies.ts"
import { Blocklist } from "../ports/blocklist.ts"
import { BreachedPasswords } from "../ports/breached-passwords.ts"
import { PasswordHasher } from "../ports/password-hasher.ts"
import { Store, update, type Versioned } from "../ports/store.ts"
import type { Where } from "../ports/table.ts"
import { Settings } from "../settings.ts"
import { newId } from "../storage/new-id.ts"
import { credentialOf, credentialProvider } from "../users/credential-account.ts"
import { type Account, Accounts, Users } from "../users/tables.ts"
import type { User } from "../users/user.ts"
import { issue } from "./issuing.ts"

export { credentialOf, isPassword } from "../users/credential-account.ts"

/** The rules for new passwords. */
interface PasswordRules {
  /** In Unicode code points, like `max_password_length`. */
  readonly min_password_length: number
  readonly max_password_length: number
  /** Contains lowercased passwords. */
  readonly blocklist: { has(password: string): boolean }
}

/** The form of a password that is hashed: some keyboards produce `é` as one code point, others as two (RFC 8265 §4.2.1). */
const normalise = (password: string): string => password.normalize("NFC")

/** Limit on the code units that compose into one code point of a normalised password. No character needs that many. */
const unitsPerCodePoint = 8

/**
 * The maximum length of an existing password, in code points. A password from another system or from earlier settings can be longer than a
 * new one.
 */
const maxExistingLength = 512

/**
 * Normalises a password for sign-in. None for a text that is longer than any password: normalisation takes quadratic time in runs of
 * combining marks, so the length is checked first.
 */
export const normalisedForSignIn = (
  typed: string,
  { max_password_length }: Pick<PasswordRules, "max_password_length">,
): Option.Option<string> =>
  typed.length > unitsPerCodePoint * Math.max(maxExistingLength, max_password_length) ? Option.none() : Option.some(normalise(typed))

const codePoints = (text: string): number => Array.from(text).length

/** A new password in normalised form, or the rule that it breaks. */
export const check = (
  password: string,
  rules: PasswordRules,
): Result.Result<string, InstanceType<typeof PasswordTooShort | typeof PasswordTooLong | typeof InvalidRequest>> => {
  const { min_password_length: min, max_password_length: max } = rules
  const tooLong = () => Result.fail(new PasswordTooLong({ message: `The password may have at most ${max} characters.` }))
  if (password.length > unitsPerCodePoint * max) return tooLong()
  const normal = normalise(password)
  const length = codePoints(normal)
  if (length < min) return Result.fail(new PasswordTooShort({ message: `The password must have at least ${min} characters.` }))
  if (length > max) return tooLong()
  if (rules.blocklist.has(normal.toLowerCase()))
    return Result.fail(new InvalidRequest({ reason: "common_password", message: "This password is too common. Choose another." }))
  return Result.succeed(normal)
}

/** Checks a new password against the rules for all users and returns the normalised form to hash. */
export const checkNewPassword = Effect.fnUntraced(function* checkNewPassword(typed: string) {
  const blocklist = yield* Blocklist
  const password = yield* Effect.fromResult(check(typed, { ...(yield* Settings).email_password, blocklist }))
  if (yield* (yield* BreachedPasswords).has(password))
    return yield* new InvalidRequest({
      reason: "breached_password",
      message: "This password is known from a data breach. Choose another.",
    })
  return password
})

/** Checks a new password against the rules of modules, once the user is known. The user is null at a sign-up. */
export const checkPasswordRules = Effect.fnUntraced(function* checkPasswordRules(password: string, user: User | null) {
  const fault = yield* (yield* Policies).passwordFault(password, user)
  if (Option.isSome(fault)) return yield* new InvalidRequest({ message: fault.value })
})

/** A user's new password account. */
export const newCredential = Effect.fnUntraced(function* newCredential(userId: string, password_hash: string) {
  const now = yield* DateTime.now
  const id = yield* newId
  const account: Account = {
    id,
    user_id: userId,
    provider_id: credentialProvider,
    account_id: userId,
    password_hash,
    created_at: now,
    updated_at: now,
  }
  return account
})

/** Fails unless this is the user's password. Takes the same time whether or not the user has one. */
export const checkPassword = Effect.fnUntraced(function* checkPassword(userId: string, typed: string) {
  return yield* checkCredential(yield* credentialOf(userId), typed)
})

const checkCredential = Effect.fnUntraced(function* checkCredential(account: Option.Option<Versioned<Account>>, typed: string) {
  const hash = Option.isSome(account) ? account.value.row.password_hash : null
  const password = normalisedForSignIn(typed, (yield* Settings).email_password)
  const verdict = yield* (yield* PasswordHasher).verify(
    Option.getOrElse(password, () => ""),
    hash,
  )
  if (Option.isNone(account) || Option.isNone(password) || !verdict.correct) return yield* new InvalidCredentials()
  return { account: account.value, password: password.value, outdated: verdict.outdated }
})

/** Requires the user's password if they have one. Returns whether they have. */
export const provePassword = Effect.fnUntraced(function* provePassword(userId: string, typed: string | undefined) {
  if (Option.isNone(yield* credentialOf(userId))) return false
  if (typed === undefined) return yield* invalidMember("password", "Missing key")
  yield* checkPassword(userId, typed)
  return true
})

/**
 * Signs in the user that matches `where` by password, and replaces an outdated hash. Takes the same time whether or not the user exists.
 * Run it within `retryOnConflict`.
 */
export const signInWithPassword = Effect.fnUntraced(function* signInWithPassword(where: Where<typeof Users>, typed: string) {
  const rows = yield* (yield* Store).readWithReferencing(Users, where, Accounts, "account_id", { provider_id: credentialProvider })
  const { account, password, outdated } = yield* checkCredential(
    Option.flatMap(rows, ([, account]) => account),
    typed,
  )
  if (Option.isNone(rows)) return yield* new InvalidCredentials()
  const [user] = rows.value

  const { require_email_verification } = (yield* Settings).email_password
  if (require_email_verification && !user.row.email_verified) return yield* new EmailNotVerified()
  return yield* issue(user, outdated ? [yield* upgraded(account, password)] : [])
})

const upgraded = Effect.fnUntraced(function* upgraded(account: Versioned<Account>, password: string) {
  const password_hash = yield* (yield* PasswordHasher).hash(password)
  return update(Accounts, account, { password_hash, updated_at: yield* DateTime.now })
})
