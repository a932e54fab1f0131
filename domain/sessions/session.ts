import { DateTime, Schema } from "effect"
import type { SettingsValue } from "../settings.ts"

const own = { id: Schema.String, expires_at: Schema.DateTimeUtc, created_at: Schema.DateTimeUtc, updated_at: Schema.DateTimeUtc }
const origin = { ip_address: Schema.NullOr(Schema.String), user_agent: Schema.NullOr(Schema.String) }

export const Session = Schema.Struct({ ...own, user_id: Schema.String }).annotate({
  identifier: "Session",
  description: "A session as its owner sees it.",
})

export const SessionListItem = Schema.Struct({ ...own, ...origin }).annotate({
  identifier: "SessionListItem",
  description: "A session in the list of a user's sessions.",
})

/** A stored session. It contains only the hash of the token. */
export const StoredSession = Schema.Struct({
  ...own,
  ...origin,
  user_id: Schema.String,
  token_hash: Schema.String,
  /**
   * The time of the sign-in. A session that was opened by a one-time token has the times of its source. It is therefore not fresh again,
   * and does not exceed `max_lifetime`.
   */
  authenticated_at: Schema.DateTimeUtc,
  /** The time of the last proof: the sign-in or a later step-up. `max_lifetime` counts from `authenticated_at`, so that no proof extends it. */
  proved_at: Schema.DateTimeUtc,
  /** Whether that proof included a second factor. */
  multi_factor: Schema.Boolean,
  /** The methods of that proof (RFC 8176), separated by blanks. Null in rows of earlier versions, and if none of them has a name there. */
  methods: Schema.NullOr(Schema.String),
})
export interface StoredSession extends Schema.Schema.Type<typeof StoredSession> {}

type Lifetimes = Omit<SettingsValue["session"], "max_per_user" | "notify_new_browser">

/** The methods of a proof as a session stores them. */
export const joinedMethods = (methods: ReadonlyArray<string>): string | null =>
  methods.length === 0 ? null : [...new Set(methods)].join(" ")

export const after = (start: DateTime.Utc, seconds: number) => DateTime.add(start, { seconds })
export const isReached = (moment: DateTime.Utc, now: DateTime.Utc) => DateTime.isGreaterThanOrEqualTo(now, moment)

/** The expiry of a session that is used now: extended by `expires_in`, but never past `max_lifetime` after the sign-in. */
export const endOf = (authenticated_at: DateTime.Utc, now: DateTime.Utc, { expires_in, max_lifetime }: Lifetimes): DateTime.Utc =>
  DateTime.min(after(now, expires_in), after(authenticated_at, max_lifetime))

export const isLive = (session: StoredSession, now: DateTime.Utc, { max_lifetime }: Lifetimes): boolean =>
  !isReached(session.expires_at, now) && !isReached(after(session.authenticated_at, max_lifetime), now)

/** Whether this use has to refresh the session: the last refresh was at least `update_age` ago. */
export const isStale = (session: StoredSession, now: DateTime.Utc, { update_age }: Lifetimes): boolean =>
  isReached(after(session.updated_at, update_age), now)

/** The time of the proof in sessions whose user has proved nothing: those of impersonations. */
export const noProof = DateTime.makeUnsafe("1900-01-01T00:00:00Z")
export const isProved = ({ proved_at }: StoredSession): boolean => !DateTime.Equivalence(proved_at, noProof)

/** Whether a user has a second factor, and whether they have any factor whose changes need a recent proof. */
export interface FactorStatus {
  readonly any: boolean
  readonly second: boolean
}

/**
 * Whether the proof is recent enough for an operation on second factors and passkeys. For users with a second factor, the proof must
 * include it.
 */
export const isSteppedUp = (
  session: StoredSession,
  factors: FactorStatus,
  now: DateTime.Utc,
  { fresh_age, step_up_age }: Lifetimes,
): boolean => !isReached(after(session.proved_at, Math.min(step_up_age, fresh_age)), now) && (!factors.second || session.multi_factor)

/** Whether the proof is recent enough for the other sensitive operations. */
export const isFresh = (session: StoredSession, factors: FactorStatus, now: DateTime.Utc, lifetimes: Lifetimes): boolean =>
  factors.any ? isSteppedUp(session, factors, now, lifetimes) : !isReached(after(session.proved_at, lifetimes.fresh_age), now)
