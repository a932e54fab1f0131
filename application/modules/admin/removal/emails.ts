import type { Labels } from "../../../../domain/mail/emails.ts"
import type { Message } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"
import { phrase } from "../../../../domain/ports/texts.ts"

/** Tells a user which credentials an administrator has removed, without the reason and without the administrator's browser. */
export const credentialsRemoved = (credentials: Labels): Message => ({
  subject: phrase("mail.credentials_removed.subject"),
  preheader: phrase("mail.suspended.contact"),
  parts: [phrase("mail.removed_by_administrator.text", { credentials }), phrase("mail.suspended.contact")],
  hidesCaller: true,
})

/** The mails of removals, with made-up values. */
export const mails: Samples = {
  credentials_removed_by_administrator: credentialsRemoved([phrase("mail.credential.provider", { provider: "github" })]),
}
