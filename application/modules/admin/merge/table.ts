import { Duration, Schema } from "effect"
import * as Table from "../../../../domain/ports/table.ts"
import { Users } from "../../../../domain/users/tables.ts"

export const kept = Duration.days(90)

/** The users who were merged into another one, for 90 days. The row outlives the former user. */
export const MergedUsers = Table.make(
  "merged_user",
  Schema.Struct({ from_id: Schema.String, into_id: Schema.String, merged_at: Schema.DateTimeUtc, expires_at: Schema.DateTimeUtc }),
  {
    key: "from_id",
    references: { into_id: Users },
    expires: "expires_at",
    data: { personal: ["from_id", "merged_at"], other: ["into_id", "expires_at"] },
  },
)
