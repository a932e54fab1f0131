import type { Message } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"
import { phrase } from "../../../../domain/ports/texts.ts"

/** Tells a former user about the erasure. */
export const erased: Message = {
  subject: phrase("mail.erased.subject"),
  preheader: phrase("mail.erased.text"),
  parts: [phrase("mail.erased.text"), phrase("mail.suspended.contact")],
  hidesCaller: true,
}

/** The mails of erasures, with made-up values. */
export const mails: Samples = { erased }
