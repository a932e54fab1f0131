import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

// The notices do not contain the number: other people may read the mailbox.

export const phoneLinked: Message = {
  subject: phrase("mail.phone_linked.subject"),
  preheader: phrase("mail.phone_linked.not_you"),
  parts: [phrase("mail.phone_linked.text"), phrase("mail.phone_linked.not_you")],
}

export const phoneChanged: Message = {
  subject: phrase("mail.phone_changed.subject"),
  preheader: phrase("mail.phone_changed.not_you"),
  parts: [phrase("mail.phone_changed.text"), phrase("mail.phone_changed.not_you")],
}

/** The mails of this module, with made-up values. */
export const mails: Samples = { phone_linked: phoneLinked, phone_changed: phoneChanged }
