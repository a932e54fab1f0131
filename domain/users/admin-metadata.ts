import { DateTime, Schema } from "effect"
import { Text } from "../values/text.ts"
import { User } from "./user.ts"

/** The only role with rights in the service. */
export const administrator = "admin"

/** The maximum length of a role, in UTF-16 code units. */
export const longestRole = 64

/** A user's role in the service. Every other role than `admin` gives no rights here: its meaning is that of other applications. */
export const Role = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(longestRole))

/** A user's role and ban, as set by administrators. */
export const AdminMetadata = Schema.Struct({
  user_id: Schema.String,
  role: Schema.String,
  banned: Schema.Boolean,
  ban_reason: Schema.NullOr(Schema.String),
  /** Null for a ban without an end. */
  ban_expires: Schema.NullOr(Schema.DateTimeUtc),
  updated_at: Schema.DateTimeUtc,
})
export interface AdminMetadata extends Schema.Schema.Type<typeof AdminMetadata> {}

/** The metadata of users for whom no row is stored. */
export const defaultMetadata = { role: "user", banned: false, ban_reason: null, ban_expires: null } as const

/** Whether the user is banned now. A ban ends at `ban_expires`, exclusive. */
export const isBanned = ({ banned, ban_expires }: Pick<AdminMetadata, "banned" | "ban_expires">, now: DateTime.Utc): boolean =>
  banned && (ban_expires === null || DateTime.isLessThan(now, ban_expires))

/** The form of a user for administrators. */
export const AdministeredUser = Schema.Struct({ ...User.fields, role: Schema.String, banned: Schema.Boolean }).annotate({
  identifier: "AdministeredUser",
})

/** The current form of a user for administrators. */
export const administered = (user: User, metadata: Omit<AdminMetadata, "user_id" | "updated_at">, now: DateTime.Utc) => ({
  ...user,
  role: metadata.role,
  banned: isBanned(metadata, now),
})
