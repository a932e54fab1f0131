import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { Guests } from "../../../domain/sign-in/guests.ts"

/** The types of events that only this module has. */
export const types = {
  "guest.merged": change("A guest turned out to be the user `into`: applications move the data of `from` there."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof types>

export const events = [
  rowEvents(Guests, ({ before, after }): ReadonlyArray<Own> => {
    if (before === null || after === null || after.merged_into === null || before.merged_into !== null) return []
    return [{ type: "guest.merged", subject: user(after.user_id), data: { from: after.user_id, into: after.merged_into } }]
  }),
]
