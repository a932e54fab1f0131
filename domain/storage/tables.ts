import { Schema } from "effect"
import { StoredSession } from "../sessions/session.ts"
import { LinkedAccount, StoredUser } from "../users/user.ts"
import { searchable } from "../values/text.ts"
import * as Table from "./table.ts"

// What more than one module needs to know of users. Other tables stand in the file of their feature.

export const Users = Table.make("user", StoredUser, {
  key: "id",
  unique: ["email"],
  indexed: [["created_at", "id"]],
  searched: { search_name: ({ name }) => (name === null ? null : searchable(name)) },
})

export const Sessions = Table.make("session", StoredSession, {
  key: "id",
  unique: ["token_hash"],
  indexed: [["user_id", "created_at"]],
  references: { user_id: Users },
  expires: "expires_at",
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
  references: { user_id: Users },
})

/** A token that was mailed: what it is for, for whom, and for which address. */
export const MailedToken = Schema.Struct({
  hash: Schema.String,
  kind: Schema.String,
  /** Null for a token that was made for nobody, so that an unknown address costs what a known one costs. */
  user_id: Schema.NullOr(Schema.String),
  email: Schema.String,
  expires_at: Schema.DateTimeUtc,
})
export interface MailedToken extends Schema.Schema.Type<typeof MailedToken> {}

export const MailedTokens = Table.make("mailed_token", MailedToken, {
  key: "hash",
  references: { user_id: Users },
  expires: "expires_at",
})
