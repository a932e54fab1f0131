import { Schema } from "effect"
import * as Table from "../../../../domain/ports/table.ts"
import { Users } from "../../../../domain/users/tables.ts"

const UserExport = Schema.Struct({
  user_id: Schema.String,
  exported_at: Schema.DateTimeUtc,
  /** The last export that the user asked for. */
  own_at: Schema.NullOr(Schema.DateTimeUtc),
})
export type UserExport = typeof UserExport.Type

/** The last export of each user. */
export const UserExports = Table.make("user_export", UserExport, {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["exported_at", "own_at"], other: ["user_id"] },
})

/** A part of an export, until it is downloaded. */
export const ExportChunks = Table.make(
  "export_chunk",
  Schema.Struct({
    /** The hash of the download token, and the number of the part. */
    id: Schema.String,
    user_id: Schema.String,
    /** The rows, encrypted under the token, which the store does not have. */
    sealed: Schema.String,
    is_last: Schema.Boolean,
    expires_at: Schema.DateTimeUtc,
  }),
  {
    key: "id",
    references: { user_id: Users },
    expires: "expires_at",
    data: { secret: ["id", "sealed"], other: ["user_id", "is_last", "expires_at"] },
  },
)
