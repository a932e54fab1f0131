import { DateTime } from "effect"
import { change, type EventKinds } from "../../../../domain/events/event-types.ts"
import { rowEvents } from "../../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../../domain/events/security-event.ts"
import { ErasureReceipts, PendingErasures } from "./tables.ts"

export const erasureTypes = {
  "user.erasure_scheduled": change("A user will be erased, unless it is cancelled."),
  "user.erasure_cancelled": change("A user whose erasure waited is kept."),
  "user.erased": change("A user and all traces were erased."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof erasureTypes>

export const erasureEvents = [
  rowEvents(PendingErasures, ({ before, after }): ReadonlyArray<Own> => {
    if (after === null) return [{ type: "user.erasure_cancelled", subject: user(before.user_id) }]
    const data = { until: DateTime.formatIso(after.due_at) }
    return [{ type: "user.erasure_scheduled", subject: user(after.user_id), data }]
  }),
  rowEvents(
    ErasureReceipts,
    ({ after }): ReadonlyArray<Own> => (after === null ? [] : [{ type: "user.erased", subject: user(after.user_id) }]),
  ),
]
