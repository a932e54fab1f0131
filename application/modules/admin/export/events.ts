import { change, type EventKinds } from "../../../../domain/events/event-types.ts"
import { rowEvents } from "../../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../../domain/events/security-event.ts"
import { UserExports } from "./tables.ts"

export const exportTypes = {
  "user.exported": change("All personal data of a user was prepared for a download."),
} as const satisfies EventKinds

export const exportEvents = [
  rowEvents(
    UserExports,
    ({ after }): ReadonlyArray<Happening<keyof typeof exportTypes>> =>
      after === null ? [] : [{ type: "user.exported", subject: user(after.user_id) }],
  ),
]
