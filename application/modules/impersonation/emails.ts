import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

/** Tells a user after an impersonation, without the reason and without the browser of the administrator. */
export const impersonated: Message = {
  subject: phrase("mail.impersonated.subject"),
  preheader: phrase("mail.impersonated.contact"),
  parts: [phrase("mail.impersonated.text"), phrase("mail.impersonated.contact")],
  hidesCaller: true,
}

/** The mails of this module, with made-up values. */
export const mails: Samples = { impersonated }
