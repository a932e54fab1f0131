import { change, type EventKinds } from "../../../../domain/events/event-types.ts"
import { rowEvents } from "../../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../../domain/events/security-event.ts"
import { MergedUsers } from "./table.ts"

export const mergeTypes = {
  "user.merged": change("A user was suspended, and another user gets what they had."),
} as const satisfies EventKinds

export const mergeEvents = [
  rowEvents(
    MergedUsers,
    ({ after }): ReadonlyArray<Happening<keyof typeof mergeTypes>> =>
      after === null ? [] : [{ type: "user.merged", subject: user(after.from_id), data: { into: after.into_id } }],
  ),
]
