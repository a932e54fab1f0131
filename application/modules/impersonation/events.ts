import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { Impersonations } from "../../../domain/sessions/impersonation.ts"

/** The types of events that only this module has. */
export const types = {
  "impersonation.started": change("An administrator opened the account of a user."),
  "impersonation.ended": change("An administrator left the account of a user, or lost the access to it."),
} as const satisfies EventKinds

/** The events of impersonations. The reason is left out: an administrator typed it. */
export const events = [
  rowEvents(Impersonations, ({ before, after }): ReadonlyArray<Happening<keyof typeof types>> => {
    if (after === null) return []
    const { user_id, session_id, impersonator_user_id: impersonator, mode } = after
    const type = before === null ? "impersonation.started" : "impersonation.ended"
    return [{ type, subject: user(user_id), session_id, data: { impersonator, mode } }]
  }),
]
