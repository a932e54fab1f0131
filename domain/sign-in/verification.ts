import { DateTime, Effect } from "effect"
import { EmailNotVerified } from "../errors.ts"
import * as Emails from "../mail/emails.ts"
import { link } from "../mail/links.ts"
import { Outbox } from "../mail/outbox.ts"
import { Policies } from "../policies.ts"
import { after, isReached } from "../sessions/session.ts"
import { Settings } from "../settings.ts"
import { mailedToken } from "../tokens/mailed-tokens.ts"
import type { StoredUser, User } from "../users/user.ts"
import { isSynthetic } from "../values/text.ts"

/** Whether a user must verify their address before they can sign in by other means. Synthetic addresses cannot be verified. */
export const awaitsVerification = (user: User) =>
  Effect.map(
    Settings,
    ({ email_password }) => email_password.require_email_verification && !user.email_verified && !isSynthetic(user.email),
  )

/** The writes that mail a user a link to verify their address. Without a user, they cost the same and no mail is sent. */
export const verificationMail = Effect.fnUntraced(function* verificationMail(user: User | null, email: string) {
  const { token, expires_at, write } = yield* mailedToken("verify_email", user, email)
  const message = Emails.verifyEmail({ link: yield* link("verify_email", { token, email }) })
  return [write, yield* (yield* Outbox).mail({ to: user === null ? null : email, expiresAt: expires_at, ...message })]
})

/**
 * Required before a user can add a second factor or a passkey: otherwise an attacker who registers another person's address could lock its
 * owner out with a factor. Synthetic addresses count as verified.
 */
export const requireVerifiedAddress = Effect.fnUntraced(function* requireVerifiedAddress({ email, email_verified }: User) {
  if (!email_verified && !isSynthetic(email)) return yield* new EmailNotVerified()
})

/**
 * For signed-in users who add a second factor or a passkey. Without a factor, a changed address counts as unverified for `fresh_age`: a stolen
 * session could otherwise change it, sign in or step up by the new mailbox, add a passkey, and change it back before the owner reads the notice.
 */
export const requireEstablishedAddress = Effect.fnUntraced(function* requireEstablishedAddress(user: StoredUser) {
  yield* requireVerifiedAddress(user)
  const { fresh_age } = (yield* Settings).session
  const { readdressed_at } = user
  if (readdressed_at === null || isReached(after(readdressed_at, fresh_age), yield* DateTime.now)) return
  if ((yield* (yield* Policies).factorsHeldBy(user.id)).any) return
  return yield* new EmailNotVerified({ message: "The e-mail address was changed a short time ago. Try again later." })
})
