import type { DateTime } from "effect"
import type { Membership } from "../../../../domain/organizations/membership.ts"
import type { StoredSession } from "../../../../domain/sessions/session.ts"
import type { User } from "../../../../domain/users/user.ts"
import type { RequestedClaims } from "../claims/requested-claims.ts"
import type { Client } from "../clients/client.ts"
import type { Confirmation } from "../clients/confirmation.ts"
import type { Actor } from "./actor.ts"

/** What a stored code, device code or refresh family grants. */
export interface StoredGrant {
  readonly scope: string
  /** The resource servers of the access token, separated by blanks. Null: this service. */
  readonly resource: string | null
  readonly auth_time: DateTime.Utc
  readonly amr: string | null
  readonly acr: string | null
  /** The claims that the client requested one by one. */
  readonly requested: RequestedClaims | null
  /** The consent that the tokens depend on; null for a client that needs none. */
  readonly consent_id: string | null
}

/** The user, client and session that tokens are issued for, and what the user granted. */
export interface Granted extends StoredGrant, Confirmation {
  readonly client: Client
  readonly user: User
  /** Null if the tokens outlive the session. */
  readonly session: StoredSession | null
  /** The refresh tokens that the access token belongs to. */
  readonly family_id: string | null
  /** The code that is exchanged; null for a refresh. */
  readonly code_hash: string | null
  readonly nonce: string | null
  /** The claim `sid` of ID tokens; null in families of earlier versions. */
  readonly sid: string | null
  /** The parties that act for the user; null if no other party acts. */
  readonly actors: ReadonlyArray<Actor> | null
  /** The membership in the organization that the user signed in for; null without one. */
  readonly membership: Membership | null
}
