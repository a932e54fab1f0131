import { administratorsNotice } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"

/** Tells a former user about the erasure. */
/** Tells a former user about the erasure. */
export const erased = administratorsNotice("mail.erased.subject", "mail.erased.text", "mail.suspended.contact")

/** The mails of erasures, with made-up values. */
export const mails: Samples = { erased }
