import type { Labels } from "../../../../domain/mail/emails.ts"
import { administratorsNotice } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"
import { phrase } from "../../../../domain/ports/texts.ts"

/** Tells a user which credentials an administrator has removed, without the reason. */
export const credentialsRemoved = (credentials: Labels) =>
  administratorsNotice("mail.credentials_removed.subject", "mail.removed_by_administrator.text", "mail.suspended.contact", { credentials })

/** The mails of removals, with made-up values. */
export const mails: Samples = {
  credentials_removed_by_administrator: credentialsRemoved([phrase("mail.credential.provider", { provider: { provider: "github" } })]),
}
