import { Duration } from "effect"
import { notice } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"

// The notices do not contain the key's name: an attacker could have chosen it.

export const apiKeyCreated = notice("mail.api_key_created.subject", "mail.api_key_created.text", "mail.api_key_created.not_you")
export const apiKeyReported = notice("mail.api_key_reported.subject", "mail.api_key_reported.text", "mail.api_key_reported.what_to_do")

export const apiKeyExpiring = (duration: Duration.Duration) =>
  notice("mail.api_key_expiring.subject", "mail.api_key_expiring.text", "mail.api_key_expiring.what_to_do", { duration })

/** The mails of this module, with made-up values. */
export const mails: Samples = {
  api_key_created: apiKeyCreated,
  api_key_expiring: apiKeyExpiring(Duration.days(7)),
  api_key_reported: apiKeyReported,
}
