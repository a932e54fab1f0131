import { Schema } from "effect"
import { Role } from "../../domain/users/admin-metadata.ts"

// The service's own format: `export users` writes it, and `import users` reads it.

export const format = "sallyport.user.v1"

const Time = Schema.DateTimeUtcFromString

const Passkey = Schema.Struct({
  credential_id: Schema.String,
  public_key: Schema.String,
  counter: Schema.Int,
  backup_eligible: Schema.Boolean,
  backed_up: Schema.Boolean,
  transports: Schema.Array(Schema.String),
  name: Schema.NullOr(Schema.String),
  created_at: Time,
  last_used_at: Schema.NullOr(Time),
})

/** The authenticator app; the secret is in base32. */
const Totp = Schema.Struct({ secret: Schema.String, backup_codes: Schema.Array(Schema.String), confirmed_at: Time })

/** The credentials of a user, which an export without secrets leaves out. */
const secrets = {
  password_hash: Schema.NullOr(Schema.String),
  totp: Schema.NullOr(Totp),
}

/** A user with their identifiers and credentials. */
export const OwnUser = Schema.Struct({
  format: Schema.Literal(format),
  id: Schema.String,
  email: Schema.String,
  email_verified: Schema.Boolean,
  last_verified_email: Schema.NullOr(Schema.String),
  readdressed_at: Schema.NullOr(Time),
  /** Absent in exports of earlier versions. */
  is_test: Schema.optionalKey(Schema.Boolean),
  name: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String),
  /** Absent without `users.attributes`. */
  attributes: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  /** Absent in exports of earlier versions. */
  locale: Schema.optionalKey(Schema.NullOr(Schema.String)),
  username: Schema.NullOr(Schema.String),
  role: Role,
  /** Only a suspension has a kind. */
  ban: Schema.NullOr(
    Schema.Struct({
      kind: Schema.optionalKey(Schema.Literal("suspension")),
      reason: Schema.NullOr(Schema.String),
      expires: Schema.NullOr(Time),
    }),
  ),
  accounts: Schema.Array(Schema.Struct({ provider_id: Schema.String, account_id: Schema.String, created_at: Time })),
  passkeys: Schema.Array(Passkey),
  password_hash: Schema.optionalKey(secrets.password_hash),
  totp: Schema.optionalKey(secrets.totp),
  created_at: Time,
  updated_at: Time,
})
export type OwnUser = typeof OwnUser.Type
