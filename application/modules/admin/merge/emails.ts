import { administratorsNotice } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"

/** Tells a user that another account was merged into theirs, without naming it: a wrong merge would tell the address of another person. */
export const merged = administratorsNotice("mail.merged.subject", "mail.merged.text", "mail.suspended.contact")

/** The mails of merges, with made-up values. */
export const mails: Samples = { merged }
