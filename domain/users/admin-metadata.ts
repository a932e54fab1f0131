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
  /** `suspension`, or null for a ban, and in rows of earlier versions. */
  ban_kind: Schema.NullOr(Schema.String),
  ban_reason: Schema.NullOr(Schema.String),
  /** Null for a ban without an end. */
  ban_expires: Schema.NullOr(Schema.DateTimeUtc),
  updated_at: Schema.DateTimeUtc,
})
export interface AdminMetadata extends Schema.Schema.Type<typeof AdminMetadata> {}

/** The metadata of users for whom no row is stored. */
export const noBan = { banned: false, ban_kind: null, ban_reason: null, ban_expires: null } as const
export const defaultMetadata = { role: "user", ...noBan } as const

/** The kind of ban that is a suspension. */
export const suspension = "suspension" as const

/** Whether the user is banned now. A ban ends at `ban_expires`, exclusive. */
export const isBanned = ({ banned, ban_expires }: Pick<AdminMetadata, "banned" | "ban_expires">, now: DateTime.Utc): boolean =>
  banned && (ban_expires === null || DateTime.isLessThan(now, ban_expires))

/** Whether the ban of the user is a suspension, and has not ended. */
export const isSuspended = (metadata: Pick<AdminMetadata, "banned" | "ban_kind" | "ban_expires">, now: DateTime.Utc): boolean =>
  metadata.ban_kind === suspension && isBanned(metadata, now)

/** The name of a ban's kind for administrators. */
export const banKind = ({ ban_kind }: Pick<AdminMetadata, "ban_kind">): "ban" | "suspension" =>
  ban_kind === suspension ? suspension : "ban"

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
