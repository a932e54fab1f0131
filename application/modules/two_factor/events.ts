import { type Change, rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { RememberedBrowsers } from "./browsers.ts"
import { EmailFactors, type OwnFactor, SmsFactors } from "./sent-codes/tables.ts"
import { type TwoFactor, TwoFactors } from "./tables.ts"

type Lock = Pick<TwoFactor, "locked_until">
const isNewlyLocked = (before: Lock, after: Lock) =>
  after.locked_until !== null && before.locked_until?.epochMilliseconds !== after.locked_until.epochMilliseconds

/** The events of a factor whose codes are sent. */
const ofSentCodes =
  (kind: string) =>
  ({ before, after }: Change<OwnFactor>): ReadonlyArray<Happening> => {
    const about = { subject: user((after ?? before).user_id), data: { kind } }
    if (before === null) return [{ type: "credential.added", ...about }]
    if (after === null) return [{ type: "credential.removed", ...about }]
    return isNewlyLocked(before, after) ? [{ type: "sign_in.locked", ...about, outcome: "failure", reason: "invalid_otp" }] : []
  }

/** The events of authenticator apps, sent codes and remembered browsers. An app that was never confirmed has none. */
export const events = [
  rowEvents(TwoFactors, ({ before, after }): ReadonlyArray<Happening> => {
    const about = { subject: user((after ?? before).user_id), data: { kind: "totp" } }
    const wasConfirmed = (before?.confirmed_at ?? null) !== null
    const isConfirmed = (after?.confirmed_at ?? null) !== null
    if (wasConfirmed && !isConfirmed) return [{ type: "credential.removed", ...about }]
    if (!wasConfirmed) return isConfirmed ? [{ type: "credential.added", ...about }] : []
    if (before === null || after === null) return []
    const isLocked = isNewlyLocked(before, after)
    const hasNewCodes = after.backup_codes.some((hash) => !before.backup_codes.includes(hash))
    return [
      ...(hasNewCodes ? [{ type: "credential.changed" as const, ...about, data: { kind: "backup_codes" } }] : []),
      ...(isLocked ? [{ type: "sign_in.locked" as const, ...about, outcome: "failure" as const, reason: "invalid_otp" }] : []),
    ]
  }),
  rowEvents(EmailFactors, ofSentCodes("email_code")),
  rowEvents(SmsFactors, ofSentCodes("sms_code")),
  rowEvents(RememberedBrowsers, ({ before, after }): ReadonlyArray<Happening> => {
    const about = { subject: user((after ?? before).user_id), data: { kind: "remembered_browser" } }
    return [{ type: before === null ? "credential.added" : "credential.removed", ...about }]
  }),
]
