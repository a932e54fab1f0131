import { Duration, Effect } from "effect"
import { choosePasswordLink } from "../../../domain/mail/links.ts"
import { mailedToken, resetKinds } from "../../../domain/mail/mailed-tokens.ts"
import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { mail } from "../../../domain/mail/writing.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import type { StoredUser } from "../../../domain/users/user.ts"

/** How long an invited user can choose a password. */
const duration = Duration.days(7)

const invitation = (link: string): Message => {
  const valid = phrase("mail.link_valid_once", { duration })
  return {
    subject: phrase("mail.account_created.subject"),
    preheader: valid,
    parts: [
      phrase("mail.account_created.text"),
      { label: phrase("mail.account_created.button"), link },
      valid,
      phrase("mail.account_created.not_you"),
    ],
  }
}

/** The writes that mail a new user the link to choose a password, which proves the address too. */
export const invitationMail = Effect.fnUntraced(function* invitationMail(user: StoredUser, hasPassword: boolean) {
  const { email, locale } = user
  const kind = hasPassword ? resetKinds.replacing : resetKinds.creating
  const { token, expires_at, write } = yield* mailedToken(kind, user, email, duration)
  return [write, yield* mail({ to: email, locale, expiresAt: expires_at }, invitation(yield* choosePasswordLink({ token, email })))]
})

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  account_created: Effect.map(
    choosePasswordLink({ token: "q3Zr8Vt1LxKf0bW6mYc2NsJh5DgPa9Eo7TuRi4QlXyA", email: "ada@example.com" }),
    invitation,
  ),
}
