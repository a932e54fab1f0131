import { administratorsNotice } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"

/** Tells a user about an export of their data. */
export const exported = administratorsNotice("mail.exported.subject", "mail.exported.text", "mail.suspended.contact")

/** The mails of exports, with made-up values. */
export const mails: Samples = { exported }
