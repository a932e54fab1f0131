import type { Message } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"
import { phrase } from "../../../../domain/ports/texts.ts"

/** Tells a user about an export of their data. */
export const exported: Message = {
  subject: phrase("mail.exported.subject"),
  preheader: phrase("mail.exported.text"),
  parts: [phrase("mail.exported.text"), phrase("mail.suspended.contact")],
  hidesCaller: true,
}

/** The mails of exports, with made-up values. */
export const mails: Samples = { exported }
