import { accountNotice } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"

// The notices do not contain the number: other people may read the mailbox.

export const phoneLinked = accountNotice("mail.phone_linked.subject", "mail.phone_linked.text", "mail.phone_linked.not_you")
export const phoneChanged = accountNotice("mail.phone_changed.subject", "mail.phone_changed.text", "mail.phone_changed.not_you")

/** The mails of this module, with made-up values. */
export const mails: Samples = { phone_linked: phoneLinked, phone_changed: phoneChanged }
