import type { DateTime } from "effect"
import type { AccountName } from "../../domain/sign-in/account-links.ts"
import type { OwnUser } from "./own.ts"

// The records of a file, as its reader returns them. The values are unchecked: `admission.ts` applies the rules of the domain.

/** Why a record was refused, or a part of it was not imported. */
export const codes = {
  invalid_record: "the record is not an object, or has no id",
  invalid_type: "the field has another type than expected",
  missing_email: "there is no usable email address, verified phone number or linked account",
  invalid_email: "the email address is invalid",
  address_not_allowed: "registration.email refuses the address, and the import was not forced",
  duplicate_email: "another record of this run has the same address after normalising",
  email_taken: "another user has this address",
  duplicate_id: "another record of this run has the same id",
  id_taken: "another user has this id",
  unknown_user: "no user with this id was imported from this source",
  ban_not_supported: "the user is disabled, but modules.admin, which refuses banned users, is off",
  invalid_name: "the name is invalid; it was left out",
  invalid_image: "the picture is neither an http or https URL nor a path; it was left out",
  invalid_username: "the username is invalid; it was left out",
  username_taken: "another user has this username; it was left out",
  username_not_supported: "modules.username is off; the username was left out",
  invalid_phone: "the phone number is not in the form +15550100; it was left out",
  unverified_phone: "the phone number is not verified; it was left out",
  phone_not_supported: "modules.phone is off; the phone number was left out",
  invalid_time: "the time is not valid; it was left out",
  password_not_readable:
    "the password hash has an unknown format, needs a key that is not configured, or is too costly: the user has to reset it",
  password_exists: "the user has a password already; it was kept",
  unknown_provider: "the provider is not configured; the account was not linked",
  invalid_identity: "the linked account is invalid; it was left out",
  identity_taken: "another user has this linked account; it was left out",
  too_many_identities: "the user has too many linked accounts or passkeys; those over the limit were left out",
  factor_not_supported: "this kind of factor, or its parameters, are not supported; it was left out",
  factor_exists: "the user has an authenticator app already; it was kept",
  unknown_attribute: "users.attributes has no such attribute; it was left out",
  invalid_attribute: "the schema of the attribute refuses the value; it was left out",
  attribute_taken: "another user has this value of a unique attribute; it was left out",
  attributes_too_large: "the attributes have more than 16 KiB together; they were left out",
  role_not_supported: "modules.admin is off; the role was left out",
} as const
export type Code = keyof typeof codes

/** A finding about one field of a record. Never contains the value. */
export interface Issue {
  readonly field: string
  readonly code: Code
  /** The line of the other record, for duplicates. */
  readonly other_line?: number
}

/** A password as its system stored it. */
export interface Password {
  /** The hash in a format that the service stores; null where the system's format has no equivalent. */
  readonly hash: string | null
  /** The system's name of the format, for the totals. */
  readonly format: string
}

/** A linked account with its provider's name in the other system. */
export interface Identity extends AccountName {
  readonly created_at?: DateTime.Utc
}

/** Identifies an account in maps and sets. */
export const accountKey = ({ provider_id, account_id }: AccountName) => `${provider_id} ${account_id}`

/** The secret of an authenticator app (SHA-1, 6 digits, 30 seconds). */
export interface Totp {
  readonly secret: Uint8Array
  /** Backup codes as this service stores them. */
  readonly backup_codes?: ReadonlyArray<string>
  readonly confirmed_at?: DateTime.Utc
}

/** The ban of a user who is disabled in the other system. */
export interface Ban {
  readonly kind?: "suspension"
  readonly reason: string | null
  readonly expires: DateTime.Utc | null
}

/** A passkey of this service's own export. */
export type Passkey = OwnUser["passkeys"][number]

/** The credentials in a user's own record, or in an addition to it. */
export interface Credentials {
  readonly password?: Password
  readonly identities?: ReadonlyArray<Identity>
  readonly totp?: Totp
}

/** A user. */
export interface UserRecord extends Credentials {
  readonly kind: "user"
  readonly source_id: string
  readonly email: string | null
  readonly email_verified: boolean
  readonly name?: string | null
  readonly image?: string | null
  readonly locale?: string | null
  readonly username?: string | null
  readonly phone?: { readonly number: string; readonly verified: boolean }
  readonly ban?: Ban
  readonly role?: string
  readonly created_at?: DateTime.Utc
  readonly updated_at?: DateTime.Utc
  readonly last_verified_email?: string | null
  readonly readdressed_at?: DateTime.Utc | null
  readonly is_test?: boolean
  readonly passkeys?: ReadonlyArray<Passkey>
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** Credentials that the other system exports apart from the users. */
export interface AdditionRecord extends Credentials {
  readonly kind: "addition"
  /** The id of the user's own record. */
  readonly source_id: string
}

/** A record, with the findings of its reader. */
export interface ReadRecord {
  /** Null for a record that cannot be read. */
  readonly record: UserRecord | AdditionRecord | null
  readonly issues: ReadonlyArray<Issue>
  /** The names of fields that are not imported. */
  readonly ignored: ReadonlyArray<string>
  /** The numbers of factors and identities that the reader could not convert. */
  readonly dropped: { readonly factors: number; readonly identities: number }
}

/** A record with its place in the file. */
export interface Entry extends ReadRecord {
  readonly line: number
  /** The record as it was in the file, for the file of refused records. */
  readonly raw: string
}
