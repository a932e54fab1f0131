import { Schema } from "effect"
import type { StoredSession } from "../sessions/session.ts"
import type { User } from "../users/user.ts"

// What a sign-in is, and what comes of it.

/**
 * How whoever signs in has proved who they are, in the words of NIST SP 800-63: by one factor, by several, or by somebody
 * else's word (federated). With `session` they have proved it before, and with `registration` they are new.
 */
export const Authentication = Schema.Literals(["single_factor", "multi_factor", "federated", "session", "registration"])
export type Authentication = typeof Authentication.Type

/** What an endpoint lets somebody in for: what they have proved there, or the answer to a challenge. */
export type SignsIn = Authentication | "challenge"

/** A session in its owner's hands. */
export interface Issued {
  readonly session: StoredSession
  readonly user: User
  /** What the cookie carries: the token and its signature. The store has only the token's hash. */
  readonly credential: string
}

/** Somebody who gets no session yet, and what they are asked for first. */
export interface Challenged {
  readonly user: User
  readonly challenge: unknown
}

/** What comes of a sign-in. An endpoint replies with it as its session, whichever it is. */
export type SignIn = Issued | Challenged
