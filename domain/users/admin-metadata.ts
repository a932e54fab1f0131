import { DateTime, Schema } from "effect"
import { User } from "./user.ts"

/** What a user may do beyond their own account. */
export const Role = Schema.Literals(["admin", "user"])
export type Role = typeof Role.Type

/** What administrators have decided about a user. */
export const AdminMetadata = Schema.Struct({
  user_id: Schema.String,
  role: Schema.String,
  banned: Schema.Boolean,
  ban_reason: Schema.NullOr(Schema.String),
  /** Null while the ban has no end. */
  ban_expires: Schema.NullOr(Schema.DateTimeUtc),
  updated_at: Schema.DateTimeUtc,
})
export interface AdminMetadata extends Schema.Schema.Type<typeof AdminMetadata> {}

/** What holds of users about whom nothing was decided. */
export const undecided = { role: "user", banned: false, ban_reason: null, ban_expires: null } as const

/** Whether the user is kept out at this moment: a ban is over once its end has come. */
export const isBanned = ({ banned, ban_expires }: Pick<AdminMetadata, "banned" | "ban_expires">, now: DateTime.Utc): boolean =>
  banned && (ban_expires === null || DateTime.isLessThan(now, ban_expires))

/** A user as administrators see them. */
export const AdministeredUser = Schema.Struct({ ...User.fields, role: Schema.String, banned: Schema.Boolean }).annotate({
  identifier: "AdministeredUser",
})

/** What administrators see of a user at this moment. */
export const administered = (user: User, metadata: Omit<AdminMetadata, "user_id" | "updated_at">, now: DateTime.Utc) => ({
  ...user,
  role: metadata.role,
  banned: isBanned(metadata, now),
})
