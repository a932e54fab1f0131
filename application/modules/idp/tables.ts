import { Schema } from "effect"
import * as Table from "../../../domain/storage/table.ts"
import { Sessions } from "../../../domain/storage/tables.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"

const AuthorizationCode = Schema.Struct({
  hash: Schema.String,
  /** The browser's session that the code was issued in. */
  session_id: Schema.String,
  client_id: Schema.String,
  redirect_uri: Schema.String,
  scope: Schema.String,
  code_challenge: Schema.NullOr(Schema.String),
  nonce: Schema.NullOr(Schema.String),
  /**
   * The time of the user's last proof of identity when the code was issued. Null in rows of earlier versions, which means the time of the
   * sign-in.
   */
  auth_time: Schema.NullOr(Schema.DateTimeUtc),
  expires_at: Schema.DateTimeUtc,
})
export type AuthorizationCode = typeof AuthorizationCode.Type

/** Codes that were issued and not yet exchanged. They are removed with their session. */
export const AuthorizationCodes = Table.make("authorization_code", AuthorizationCode, {
  key: "hash",
  references: { session_id: Sessions },
  expires: "expires_at",
})

const AccessToken = Schema.Struct({
  hash: Schema.String,
  /** The code that it was issued for. A replay of the code revokes this token. */
  code_hash: Schema.String,
  session_id: Schema.String,
  client_id: Schema.String,
  scope: Schema.String,
  expires_at: Schema.DateTimeUtc,
})
export type AccessToken = typeof AccessToken.Type

/** Access tokens of clients. They are valid at the userinfo endpoint only, and are removed with the session of the code. */
export const AccessTokens = Table.make("access_token", AccessToken, {
  key: "hash",
  unique: ["code_hash"],
  references: { session_id: Sessions },
  expires: "expires_at",
})

export const codes = singleUseToken(AuthorizationCodes, { kind: "authorization_code" })

/** The kind for `tokenHash`. */
export const accessKind = "access_token"
