import { DateTime } from "effect"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import { AdminMetadatas } from "./users.ts"

/** The events of roles and bans. The reason of a ban is left out: administrators type it. */
export const events = [
  rowEvents(AdminMetadatas, ({ before, after }): ReadonlyArray<Happening> => {
    if (after === null) return []
    const old = before ?? defaultMetadata
    const subject = user(after.user_id)
    const data = after.ban_expires === null ? {} : { until: DateTime.formatIso(after.ban_expires) }
    return [
      ...(old.role === after.role ? [] : [{ type: "user.role_changed" as const, subject, data: { old: old.role, new: after.role } }]),
      ...(after.banned && !isSameBan(old, after) ? [{ type: "user.banned" as const, subject, data }] : []),
      ...(old.banned && !after.banned ? [{ type: "user.unbanned" as const, subject }] : []),
    ]
  }),
]

type Ban = Pick<typeof AdminMetadatas.schema.Type, "banned" | "ban_expires">

const isSameBan = (old: Ban, next: Ban) => old.banned && old.ban_expires?.epochMilliseconds === next.ban_expires?.epochMilliseconds
