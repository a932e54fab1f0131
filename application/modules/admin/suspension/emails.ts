import { administratorsNotice } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"

/** Tells a user about a suspension, without the reason. */
export const suspended = administratorsNotice("mail.suspended.subject", "mail.suspended.text", "mail.suspended.contact")

/** The mails of suspensions, with made-up values. */
export const mails: Samples = { suspended }
