import { accountNotice } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"

// The notices do not contain the passkey's name: an attacker could have chosen it.

export const passkeyAdded = accountNotice("mail.passkey_added.subject", "mail.passkey_added.text", "mail.passkey_added.not_you")
export const passkeyRemoved = accountNotice("mail.passkey_removed.subject", "mail.passkey_removed.text", "mail.passkey_removed.not_you")

/** The mails of this module, with made-up values. */
export const mails: Samples = { passkey_added: passkeyAdded, passkey_removed: passkeyRemoved }
