import { accountNotice } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"

export const accountUnlinked = accountNotice("mail.account_unlinked.subject", "mail.account_unlinked.text", "mail.account_unlinked.not_you")

/** The mails of this module, with made-up values. */
export const mails: Samples = { account_unlinked: accountUnlinked }
