import type { Message } from "../../../domain/mail/message.ts"
import { phrase } from "../../../domain/ports/texts.ts"

export const accountUnlinked: Message = {
  subject: phrase("mail.account_unlinked.subject"),
  preheader: phrase("mail.account_unlinked.not_you"),
  parts: [phrase("mail.account_unlinked.text"), phrase("mail.account_unlinked.not_you")],
}
