import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

export const accountUnlinked: Message = {
  subject: phrase("mail.account_unlinked.subject"),
  preheader: phrase("mail.account_unlinked.not_you"),
  parts: [phrase("mail.account_unlinked.text"), phrase("mail.account_unlinked.not_you")],
}

/** The mails of this module, with made-up values. */
export const mails: Samples = { account_unlinked: accountUnlinked }
