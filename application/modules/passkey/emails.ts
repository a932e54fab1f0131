import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { phrase } from "../../../domain/ports/texts.ts"

// The notices do not contain the passkey's name: an attacker could have chosen it.

export const passkeyAdded: Message = {
  subject: phrase("mail.passkey_added.subject"),
  preheader: phrase("mail.passkey_added.not_you"),
  parts: [phrase("mail.passkey_added.text"), phrase("mail.passkey_added.not_you")],
}

export const passkeyRemoved: Message = {
  subject: phrase("mail.passkey_removed.subject"),
  preheader: phrase("mail.passkey_removed.not_you"),
  parts: [phrase("mail.passkey_removed.text"), phrase("mail.passkey_removed.not_you")],
}

/** The mails of this module, with made-up values. */
export const mails: Samples = { passkey_added: passkeyAdded, passkey_removed: passkeyRemoved }
