import { administratorsNotice } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"

/** Tells a user after an impersonation, without the reason. */
export const impersonated = administratorsNotice("mail.impersonated.subject", "mail.impersonated.text", "mail.impersonated.contact")

/** The mails of this module, with made-up values. */
export const mails: Samples = { impersonated }
