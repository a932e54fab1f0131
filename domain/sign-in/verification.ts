import { DateTime, Effect } from "effect"
import { EmailNotVerified } from "../errors.ts"
import { flowCode, flowCodes } from "../limits/flow-codes.ts"
import * as Emails from "../mail/emails.ts"
import { existingAccountLink, link } from "../mail/links.ts"
import { mailedToken } from "../mail/mailed-tokens.ts"
import { requestedMail, type WriteMail } from "../mail/writing.ts"
import { Policies } from "../policies.ts"
import { after, isReached } from "../sessions/session.ts"
import { Settings } from "../settings.ts"
import { type StoredUser, type User, unknownUserId } from "../users/user.ts"
import { isSynthetic } from "../values/text.ts"

/** Whether a user must verify their address before they can sign in by a linked account. Synthetic addresses cannot be verified. */
export const awaitsVerification = (user: User) =>
  Effect.map(
    Settings,
    ({ email_password }) => email_password.require_email_verification && !user.email_verified && !isSynthetic(user.email),
  )

/** The codes beside the links of mails that verify an address. */
export const VerificationCodes = flowCodes("verification_code")

/**
 * The writes that mail a user a link to verify their address, and with the secret of a flow also a code. Without a user, they take as long
 * and no mail is sent.
 */
export const verificationMail = Effect.fnUntraced(function* verificationMail<R>(
  user: StoredUser | null,
  email: string,
  writeMail: WriteMail<R>,
  flow?: string,
) {
  const { token, expires_at, write } = yield* mailedToken("verify_email", user, email)
  const recipient = { to: user === null ? null : email, isKnown: false, locale: user?.locale ?? null, expiresAt: expires_at }
  const address = yield* link("verify_email", { token, email })
  if (flow === undefined) return [write, yield* writeMail(recipient, Emails.verifyEmail(address))]
  const made = yield* flowCode(VerificationCodes, { flow, email, user_id: user?.id ?? unknownUserId }, expires_at)
  return [write, made.write, yield* writeMail(recipient, Emails.verifyEmail(address, made.code))]
})

/**
 * The writes for a request to verify an address that is verified already: a mail that says so, if `links.existing_account` has a page.
 * They take as long as those of `verificationMail`.
 */
export const alreadyVerifiedMail = Effect.fnUntraced(function* alreadyVerifiedMail(user: StoredUser, email: string, flow?: string) {
  const { write, expires_at } = yield* mailedToken("verify_email", null, email)
  const code = flow === undefined ? [] : [(yield* flowCode(VerificationCodes, { flow, email, user_id: unknownUserId }, expires_at)).write]
  const page = yield* existingAccountLink
  const recipient = { to: page === undefined ? null : email, isKnown: true, locale: user.locale }
  return [write, ...code, yield* requestedMail(recipient, Emails.existingAccount(page ?? ""))]
})

/** Fails with `email_not_verified` for a guest, who has no credential and no address. */
export const refuseGuest = ({ is_guest }: User) =>
  is_guest ? Effect.fail(new EmailNotVerified({ message: "A guest has to prove an email address first." })) : Effect.void

/**
 * Fails with `email_not_verified` if a user whose address is not verified adds a second factor or a passkey. Otherwise an attacker who
 * registers another person's address could lock its owner out with a factor. Synthetic addresses count as verified, except those of guests.
 */
export const requireVerifiedAddress = Effect.fnUntraced(function* requireVerifiedAddress(user: User) {
  const { email, email_verified } = user
  yield* refuseGuest(user)
  if (!email_verified && !isSynthetic(email)) return yield* new EmailNotVerified()
})

/**
 * The same for signed-in users. For a user without a factor, a changed address also counts as unverified for `fresh_age`. Otherwise an
 * attacker with a stolen session could change the address, prove the new mailbox, add a passkey, and change the address back before the
 * owner reads the notice.
 */
export const requireEstablishedAddress = Effect.fnUntraced(function* requireEstablishedAddress(user: StoredUser) {
  yield* requireVerifiedAddress(user)
  const { fresh_age } = (yield* Settings).session
  const { readdressed_at } = user
  if (readdressed_at === null || isReached(after(readdressed_at, fresh_age), yield* DateTime.now)) return
  if ((yield* (yield* Policies).factorsHeldBy(user.id)).any) return
  return yield* new EmailNotVerified({ message: "The email address was changed a short time ago. Try again later." })
})
