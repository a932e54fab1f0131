import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { setsPassword } from "../../../domain/mail/mailed-tokens.ts"
import { Accounts, MailedTokens } from "../../../domain/users/tables.ts"

/** Accounts are ways to sign in; the account `credential` has the password. */
const accountEvents = rowEvents(Accounts, ({ before, after }, { operation }): ReadonlyArray<Happening> => {
  const { id, user_id, provider_id } = after ?? before
  const about = { subject: user(user_id), data: { kind: provider_id, id } }
  const isReset = operation.name === "resetPassword" && after?.password_hash !== null
  const recovered = isReset && after !== null ? [{ type: "recovery.completed" as const, subject: about.subject }] : []
  if (before === null) return [{ type: "credential.added", ...about }, ...recovered]
  if (after === null) return [{ type: "credential.removed", ...about }]
  // A sign-in by password replaces an outdated hash of the same password.
  const isSame = before.password_hash === after.password_hash || operation.signsIn === "single_factor"
  return isSame ? [] : [{ type: "credential.changed", ...about }, ...recovered]
})

/** An unknown address is recorded by its keyed hash, so that both answers take as long. */
const recoveryEvents = rowEvents(MailedTokens, ({ before, after }): ReadonlyArray<Happening> => {
  if (before !== null || after === null || !setsPassword(after)) return []
  const subject = after.user_id === null ? ({ kind: "identifier", id: after.email } as const) : user(after.user_id)
  return [{ type: "recovery.requested", subject, data: { channel: "email" } }]
})

/** The events of linked accounts and of lost passwords. */
export const events = [accountEvents, recoveryEvents]
