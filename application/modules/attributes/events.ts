import { type Attributes, shownTo } from "../../../domain/attributes/attributes.ts"
import { UserAttributes } from "../../../domain/attributes/tables.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { Users } from "../../../domain/users/tables.ts"

/** The event of changed attributes names those that the user sees, who can read the event; the others are `attributes`, without a name. */
export const events = (attributes: Attributes) => [
  rowEvents(UserAttributes, ({ before, after }, { writes }): ReadonlyArray<Happening> => {
    const isNew = writes.some((write) => write._tag === "insert" && write.table.name === Users.name)
    if (after === null || isNew) return []
    const [old, now] = [before?.values ?? {}, after.values].map((values) => shownTo(attributes, values, "user"))
    const names = attributes.map(({ name }) => name).filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]))
    const fields = names.length === 0 ? ["attributes"] : names.map((name) => `attributes.${name}`)
    return [{ type: "user.updated", subject: user(after.user_id), data: { fields } }]
  }),
]
