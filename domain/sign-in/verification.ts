import { Effect } from "effect"
import { EmailNotVerified } from "../errors.ts"
import * as Emails from "../mail/emails.ts"
import { link } from "../mail/links.ts"
import { Outbox } from "../mail/outbox.ts"
import { Settings } from "../settings.ts"
import { mailedToken } from "../tokens/mailed-tokens.ts"
import type { User } from "../users/user.ts"
import { isSynthetic } from "../values/text.ts"

/** Whether a user has to prove their address before they are let in by something else. Nobody can prove one that the service made up. */
export const awaitsVerification = (user: User) =>
  Effect.map(
    Settings,
    ({ email_password }) => email_password.require_email_verification && !user.email_verified && !isSynthetic(user.email),
  )

/** The writes that mail a user a link to verify their address. Without a user they do as much, for nobody. */
export const verificationMail = Effect.fnUntraced(function* verificationMail(user: User | null, email: string) {
  const { token, expires_at, write } = yield* mailedToken("verify_email", user, email)
  const message = Emails.verifyEmail({ link: yield* link("verify_email", { token, email }) })
  return [write, yield* (yield* Outbox).mail({ to: user === null ? null : email, expiresAt: expires_at, ...message })]
})

/**
 * Second factors and passkeys are for users whose address is verified: the owner of an address that a stranger has registered would be
 * locked out by the stranger's factor, and without a proof of the mailbox a factor could not survive one. Synthetic addresses count as verified.
 */
export const requireVerifiedAddress = Effect.fnUntraced(function* requireVerifiedAddress({ email, email_verified }: User) {
  if (!email_verified && !isSynthetic(email)) return yield* new EmailNotVerified()
})
