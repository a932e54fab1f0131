import { Schema } from "effect"
import * as Table from "../ports/table.ts"
import { searchable, searchableDomain, searchableLastWord } from "../values/text.ts"
import { LinkedAccount, StoredUser } from "./user.ts"

// The tables that more than one module uses. Other tables are in the file of their feature.

export const Users = Table.make("user", StoredUser, {
  key: "id",
  unique: ["email"],
  indexed: [["created_at", "id"]],
  added: { is_guest: false, is_test: false, needs_invitation: false },
  searched: {
    search_name: ({ name }) => (name === null ? null : searchable(name)),
    search_last: ({ name }) => (name === null ? null : searchableLastWord(name)),
    /** Every user has one, so that null finds those whom an earlier version of the program wrote. */
    search_domain: ({ email }) => searchableDomain(email),
  },
  data: {
    personal: [
      "id",
      "email",
      "email_verified",
      "name",
      "image",
      "locale",
      "created_at",
      "updated_at",
      "last_verified_email",
      "readdressed_at",
    ],
    other: ["is_guest", "is_test", "needs_invitation"],
  },
})

export const Account = Schema.Struct({
  ...LinkedAccount.fields,
  user_id: Schema.String,
  /** Only the password account has one. */
  password_hash: Schema.NullOr(Schema.String),
  updated_at: Schema.DateTimeUtc,
})
export interface Account extends Schema.Schema.Type<typeof Account> {}

export const Accounts = Table.make("account", Account, {
  key: "id",
  unique: [["provider_id", "account_id"]],
  shardKey: ["provider_id", "account_id"],
  references: { user_id: Users },
  data: { personal: ["id", "provider_id", "account_id", "created_at", "updated_at"], secret: ["password_hash"], other: ["user_id"] },
})

/** A mailed token: its purpose, its user and its address. */
export const MailedToken = Schema.Struct({
  hash: Schema.String,
  kind: Schema.String,
  /** Null for a token without a user: an unknown address causes the same writes, and so takes as long, as a known one. */
  user_id: Schema.NullOr(Schema.String),
  email: Schema.String,
  expires_at: Schema.DateTimeUtc,
})
export interface MailedToken extends Schema.Schema.Type<typeof MailedToken> {}

export const MailedTokens = Table.make("mailed_token", MailedToken, {
  key: "hash",
  references: { user_id: Users },
  expires: "expires_at",
  data: { personal: ["kind", "email", "expires_at"], secret: ["hash"], other: ["user_id"] },
})
