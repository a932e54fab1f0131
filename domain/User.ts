import { Schema } from "effect"

/** Somebody who can sign in, as the world sees them. */
export const User = Schema.Struct({
  id: Schema.String,
  /** Lowercased. */
  email: Schema.String,
  email_verified: Schema.Boolean,
  name: Schema.NullOr(Schema.String),
  /** Avatar URL. */
  image: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
}).annotate({ identifier: "User" })
export interface User extends Schema.Schema.Type<typeof User> {}

/** A way to sign in that is linked to a user; the password account's `provider_id` is `credential`. */
export const LinkedAccount = Schema.Struct({
  id: Schema.String,
  provider_id: Schema.String,
  account_id: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "LinkedAccount" })
