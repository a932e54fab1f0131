import { Schema } from "effect"
import type { User } from "../users/user.ts"
import type { StoredSession } from "./session.ts"
import type { Cookie } from "./signed-cookie.ts"

/**
 * How a user authenticated, in the terms of NIST SP 800-63: with one factor, with several, or at another provider (federated). `session`
 * means that they authenticated before, `registration` that they just signed up.
 */
export const Authentication = Schema.Literals(["single_factor", "multi_factor", "federated", "session", "registration"])
export type Authentication = typeof Authentication.Type

/**
 * A method of authentication by its name in RFC 8176: a password, a one-time code, a code by short message, or the proof of possession of a
 * key.
 */
export type AuthenticationMethod = "pwd" | "otp" | "sms" | "pop"

/** How an endpoint signs users in: by an authentication, or by the response to a challenge. */
export type SignsIn = Authentication | "challenge"

/** A session and the credential for its owner. */
export interface Issued {
  readonly session: StoredSession
  readonly user: User
  /** The value of the cookie: the token and its signature. Only the token's hash is stored. */
  readonly credential: string
  /** The cookies that modules set with the session. */
  readonly cookies?: ReadonlyArray<Cookie>
}

/** A user who must answer a challenge before they get a session. */
export interface Challenged {
  readonly user: User
  readonly challenge: unknown
}

/** The result of a sign-in. An endpoint passes it on as the session of its reply. */
export type SignIn = Issued | Challenged
