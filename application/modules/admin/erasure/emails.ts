import { DateTime } from "effect"
import { administratorsNotice } from "../../../../domain/mail/message.ts"
import type { Samples } from "../../../../domain/mail/samples.ts"

/** Tells a former user about the erasure. */
export const erased = administratorsNotice("mail.erased.subject", "mail.erased.text", "mail.suspended.contact")

/** Tells a user when the erasure will be. */
export const erasureWaiting = (time: DateTime.Utc) =>
  administratorsNotice("mail.erasure_waiting.subject", "mail.erasure_waiting.text", "mail.erasure_waiting.contact", { time })

/** Tells a user that the erasure will not be. */
export const erasureCancelled = administratorsNotice(
  "mail.erasure_cancelled.subject",
  "mail.erasure_cancelled.text",
  "mail.suspended.contact",
)

/** The mails of erasures, with made-up values. */
export const mails: Samples = {
  erased,
  erasure_waiting: erasureWaiting(DateTime.makeUnsafe("2030-03-01T09:30:00Z")),
  erasure_cancelled: erasureCancelled,
}
