import { Schema } from "effect"
import { SigningAlgorithm } from "../../../domain/ports/jose.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { hashTable, singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { Users } from "../../../domain/users/tables.ts"
import { Consents } from "./authorization/consent-table.ts"
import { RequestedClaims } from "./claims/requested-claims.ts"
import { Actor } from "./tokens/actor.ts"

/** The consent that a code or a token depends on. Null for a client that needs none, and in rows of earlier versions. */
const consent_id = Schema.NullOr(Schema.String)

/** The authentication context class of the user's proof. Null in rows of earlier versions. */
const acr = Schema.NullOr(Schema.String)

/**
 * The membership in the organization that the user signed in for: a code or a token is valid only as long as it. Null without the scope
 * `organization`, and in rows of earlier versions. No reference: the module `organization`, which has the table, may be off.
 */
const member_id = Schema.NullOr(Schema.String)

/** The claims that the client requested one by one. */
const requested = Schema.NullOr(RequestedClaims)

const AuthorizationCode = Schema.Struct({
  hash: Schema.String,
  /** The browser's session that the code was issued in. */
  session_id: Schema.String,
  client_id: Schema.String,
  redirect_uri: Schema.String,
  scope: Schema.String,
  /** The requested resource servers, separated by blanks. */
  resource: Schema.NullOr(Schema.String),
  /** The thumbprint of the key that the exchange must prove (RFC 9449 section 10). */
  jkt: Schema.NullOr(Schema.String),
  code_challenge: Schema.NullOr(Schema.String),
  nonce: Schema.NullOr(Schema.String),
  /**
   * The time of the user's last proof of identity when the code was issued. Null in rows of earlier versions, which means the time of the
   * sign-in.
   */
  auth_time: Schema.NullOr(Schema.DateTimeUtc),
  /** The methods of that proof (RFC 8176), separated by blanks. Null if they are not known. */
  amr: Schema.NullOr(Schema.String),
  acr,
  requested,
  consent_id,
  member_id,
  expires_at: Schema.DateTimeUtc,
})
export type AuthorizationCode = typeof AuthorizationCode.Type

/** Codes that were issued and not yet exchanged. They are removed with their session and their consent. */
export const AuthorizationCodes = Table.make("authorization_code", AuthorizationCode, {
  key: "hash",
  references: { session_id: Sessions, consent_id: Consents },
  expires: "expires_at",
  data: {
    personal: ["client_id", "scope", "resource", "auth_time", "amr", "acr", "expires_at"],
    secret: ["hash", "code_challenge", "nonce"],
    other: ["session_id", "redirect_uri", "jkt", "requested", "consent_id", "member_id"],
  },
})

const RefreshFamily = Schema.Struct({
  /** Part of each refresh token of the family. */
  id: Schema.String,
  user_id: Schema.String,
  /** Null for `offline_access`: the family then outlives the session. */
  session_id: Schema.NullOr(Schema.String),
  client_id: Schema.String,
  /** The hash of the code that began the family. A replay of the code revokes the family. */
  code_hash: Schema.String,
  scope: Schema.String,
  /** The resource servers, separated by blanks. */
  resource: Schema.NullOr(Schema.String),
  /** The thumbprint of the key that each refresh must prove; only of public clients (RFC 9449 section 5). */
  jkt: Schema.NullOr(Schema.String),
  /** The thumbprint of the certificate that each refresh must prove; only of public clients (RFC 8705 section 4). */
  x5t: Schema.NullOr(Schema.String),
  auth_time: Schema.DateTimeUtc,
  amr: Schema.NullOr(Schema.String),
  /** The claim `sid` of ID tokens. Null in rows of earlier versions. */
  sid: Schema.NullOr(Schema.String),
  acr,
  requested,
  consent_id,
  member_id,
  /** Counts the refresh tokens of the family from 1. */
  generation: Schema.Int,
  /** The hash of the current refresh token. */
  hash: Schema.String,
  /** The hash of the previous token. */
  previous_hash: Schema.NullOr(Schema.String),
  /** The end of the family if its token is not used until then. */
  expires_at: Schema.DateTimeUtc,
  absolute_until: Schema.DateTimeUtc,
})
export type RefreshFamily = typeof RefreshFamily.Type

/** All refresh tokens that follow from one code. A family is revoked by its removal, with its access tokens. */
export const RefreshFamilies = Table.make("refresh_family", RefreshFamily, {
  key: "id",
  unique: ["code_hash"],
  references: { user_id: Users, session_id: Sessions, consent_id: Consents },
  expires: "expires_at",
  data: {
    personal: ["client_id", "scope", "resource", "auth_time", "amr", "acr", "expires_at", "absolute_until"],
    secret: ["id", "code_hash", "hash", "previous_hash"],
    other: ["user_id", "session_id", "jkt", "x5t", "sid", "requested", "consent_id", "member_id", "generation"],
  },
})

const RefreshAnswer = Schema.Struct({
  family_id: Schema.String,
  /** The answer to the last refresh, encrypted under the refresh token that was presented. */
  sealed: Schema.String,
  expires_at: Schema.DateTimeUtc,
})

/** Answers that may have been lost, until the grace window ends. */
export const RefreshAnswers = Table.make("refresh_answer", RefreshAnswer, {
  key: "family_id",
  references: { family_id: RefreshFamilies },
  expires: "expires_at",
  data: { secret: ["sealed"], other: ["family_id", "expires_at"] },
})

const AccessToken = Schema.Struct({
  hash: Schema.String,
  /** The hash of the code that the token was issued for. A replay of the code revokes this token. Null for a refreshed token. */
  code_hash: Schema.NullOr(Schema.String),
  /** Null if the token outlives the session. */
  session_id: Schema.NullOr(Schema.String),
  /** The refresh tokens that the token was issued with. */
  family_id: Schema.NullOr(Schema.String),
  /** Null for a token of the client itself, and in rows of earlier versions, which have a session. */
  user_id: Schema.NullOr(Schema.String),
  client_id: Schema.String,
  scope: Schema.String,
  requested,
  /** The resource servers that the token is for, separated by blanks. Null: this service. */
  resource: Schema.NullOr(Schema.String),
  /** The thumbprint of the key that uses of the token must prove (RFC 9449). */
  jkt: Schema.NullOr(Schema.String),
  /** The thumbprint of the certificate that uses of the token must prove (RFC 8705 section 3). */
  x5t: Schema.NullOr(Schema.String),
  consent_id,
  member_id,
  /**
   * The hashes of the access tokens that the token was exchanged for, directly and before (RFC 8693): it ends with the first of them. Null
   * for a token of another grant.
   */
  exchanged_from: Schema.NullOr(Schema.Array(Schema.String)),
  /** The parties that act for the user, the current one first. Null if no other party acts. */
  actors: Schema.NullOr(Schema.Array(Actor)),
  /** Null in rows of earlier versions. */
  issued_at: Schema.NullOr(Schema.DateTimeUtc),
  expires_at: Schema.DateTimeUtc,
})
export type AccessToken = typeof AccessToken.Type

/** Access tokens of clients. They are removed with the session, the refresh tokens or the consent that they belong to. */
export const AccessTokens = Table.make("access_token", AccessToken, {
  key: "hash",
  unique: ["code_hash"],
  references: { session_id: Sessions, family_id: RefreshFamilies, user_id: Users, consent_id: Consents },
  expires: "expires_at",
  data: {
    personal: ["client_id", "scope", "resource", "issued_at", "expires_at"],
    secret: ["hash", "code_hash"],
    other: ["session_id", "family_id", "user_id", "requested", "jkt", "x5t", "consent_id", "member_id", "exchanged_from", "actors"],
  },
})

export const codes = singleUseToken(AuthorizationCodes, { kind: "authorization_code" })

/** The kind of access tokens in `tokenHash`. */
export const accessKind = "access_token"

/** The purpose of the key that encrypts the private signing keys. */
export const sealingPurpose = "idp_key"

const SigningKey = Schema.Struct({
  /** The thumbprint of the public key (RFC 7638). */
  kid: Schema.String,
  alg: SigningAlgorithm,
  /** Counts the keys of an algorithm from 1. */
  generation: Schema.Int,
  public_jwk: Schema.String,
  /** The private key, encrypted. An RSA key of more than 2048 bits would exceed the size of an index entry in PostgreSQL. */
  sealed_jwk: Schema.String,
  /** The time of the first signature. The key is published at once. */
  signs_from: Schema.DateTimeUtc,
})
export type SigningKey = typeof SigningKey.Type

/** The keys that sign tokens. A row never changes; the next generation retires it. */
export const SigningKeys = Table.make("idp_key", SigningKey, {
  key: "kid",
  unique: [["alg", "generation"]],
  indexed: ["sealed_jwk"],
  sealed: { sealed_jwk: sealingPurpose },
})

/** Client assertions and DPoP proofs that were used. Each is valid once. */
export const UsedAssertions = hashTable("used_assertion")

const AuthorizationRequest = Schema.Struct({
  /** The hash of the random part of the `request_uri`. */
  hash: Schema.String,
  client_id: Schema.String,
  /** The parameters of the authorization request. */
  parameters: Schema.Record(Schema.String, Schema.String),
  /** The end of the request is counted from this time. */
  requested_at: Schema.DateTimeUtc,
  /**
   * The session in which the user has proved their identity for this request, as `prompt=login` requires (OpenID Connect Core section
   * 3.1.2.1). Null in rows of earlier versions.
   */
  proved_in: Schema.NullOr(Schema.String),
  /** The session in which the user chose the account for this request. */
  selected_in: Schema.NullOr(Schema.String),
  /** The membership in the organization that the user chose for this request. */
  member_id: Schema.NullOr(Schema.String),
  /** The session in which the user allowed this request. Null in rows of earlier versions. */
  allowed_in: Schema.NullOr(Schema.String),
  /** The session in which the user denied the consent. */
  denied_in: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})
export type AuthorizationRequest = typeof AuthorizationRequest.Type

/** Authorization requests that browsers start or resume by reference. */
export const AuthorizationRequests = Table.make("authorization_request", AuthorizationRequest, { key: "hash", expires: "expires_at" })
