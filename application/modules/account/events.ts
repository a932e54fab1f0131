import { changedFields, rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { Users } from "../../../domain/users/tables.ts"

/** The events of users. Values are left out: they are personal data. */
export const events = [
  rowEvents(Users, ({ before, after }): ReadonlyArray<Happening> => {
    const subject = user((after ?? before).id)
    if (before === null) return [{ type: "user.created", subject }]
    if (after === null) return [{ type: "user.deleted", subject }]
    const fields = changedFields(before, after, ["name", "image", "locale"])
    return [
      ...(before.email === after.email ? [] : [{ type: "user.email_changed" as const, subject }]),
      ...(after.email_verified && !(before.email_verified && before.email === after.email)
        ? [{ type: "user.email_verified" as const, subject }]
        : []),
      ...(fields.length === 0 ? [] : [{ type: "user.updated" as const, subject, data: { fields } }]),
    ]
  }),
]
