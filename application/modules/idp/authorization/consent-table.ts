import { Schema } from "effect"
import * as Table from "../../../../domain/ports/table.ts"
import { Users } from "../../../../domain/users/tables.ts"

const Consent = Schema.Struct({
  id: Schema.String,
  user_id: Schema.String,
  client_id: Schema.String,
  /** All scopes that the user has allowed, separated by blanks. */
  scope: Schema.String,
  /** The time of the user's last decision. */
  granted_at: Schema.DateTimeUtc,
  /** The time of the user's first decision. */
  created_at: Schema.DateTimeUtc,
})
export type Consent = typeof Consent.Type

/** The consents of users to clients. A consent is revoked by its removal, with its codes, refresh tokens and access tokens. */
export const Consents = Table.make("consent", Consent, {
  key: "id",
  unique: [["user_id", "client_id"]],
  references: { user_id: Users },
  data: { personal: ["client_id", "scope", "granted_at", "created_at"], other: ["id", "user_id"] },
})
