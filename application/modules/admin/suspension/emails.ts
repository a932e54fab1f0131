import type { Message } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"
import { phrase } from "../../../../domain/ports/texts.ts"

/** Tells a user about a suspension, without the reason and without the browser of the administrator. */
export const suspended: Message = {
  subject: phrase("mail.suspended.subject"),
  preheader: phrase("mail.suspended.contact"),
  parts: [phrase("mail.suspended.text"), phrase("mail.suspended.contact")],
  hidesCaller: true,
}

/** The mails of suspensions, with made-up values. */
export const mails: Samples = { suspended }
