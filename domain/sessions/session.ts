import { DateTime, Schema } from "effect"

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

/** A session as it is stored: of its token, only the hash. */
export const StoredSession = Schema.Struct({
  ...own,
  ...origin,
  user_id: Schema.String,
  token_hash: Schema.String,
  /** When the user proved who they are. A session that another one hands off has its moment, so that a chain of them neither is fresh again nor outlives the cap. */
  authenticated_at: Schema.DateTimeUtc,
  /** When the user last proved who they are: at the sign-in, or by a step-up since. Null in rows of earlier versions: at the sign-in. */
  proved_at: Schema.NullOr(Schema.DateTimeUtc),
  /** Whether that proof included a second factor. Null in rows of earlier versions, which counts as no. */
  multi_factor: Schema.NullOr(Schema.Boolean),
})
export interface StoredSession extends Schema.Schema.Type<typeof StoredSession> {}

/** How long sessions live; all in seconds. */
interface Lifetimes {
  readonly expires_in: number
  readonly update_age: number
  readonly fresh_age: number
  readonly step_up_age: number
  readonly max_lifetime: number
}

export const after = (start: DateTime.Utc, seconds: number) => DateTime.add(start, { seconds })
export const hasCome = (moment: DateTime.Utc, now: DateTime.Utc) => DateTime.isGreaterThanOrEqualTo(now, moment)

/** The end of a session used now: it rolls on, but never past the cap from the sign-in it began with. */
export const endOf = (authenticated_at: DateTime.Utc, now: DateTime.Utc, { expires_in, max_lifetime }: Lifetimes): DateTime.Utc =>
  DateTime.min(after(now, expires_in), after(authenticated_at, max_lifetime))

export const isLive = (session: StoredSession, now: DateTime.Utc, { max_lifetime }: Lifetimes): boolean =>
  !hasCome(session.expires_at, now) && !hasCome(after(session.authenticated_at, max_lifetime), now)

/** Whether the last refresh is long enough ago for this use to refresh it. */
export const isStale = (session: StoredSession, now: DateTime.Utc, { update_age }: Lifetimes): boolean =>
  hasCome(after(session.updated_at, update_age), now)

/** When the user last proved who they are. The cap of `max_lifetime` counts from `authenticated_at` instead, so that no proof extends it. */
export const provedAt = ({ proved_at, authenticated_at }: StoredSession): DateTime.Utc => proved_at ?? authenticated_at

/** The factors that a user has added: a second factor, or any that a recent proof protects. */
export interface HeldFactors {
  readonly any: boolean
  readonly second: boolean
}

/** Whether the proof is recent enough for an operation on second factors and passkeys. With a second factor nothing weaker counts. */
export const isSteppedUp = (session: StoredSession, held: HeldFactors, now: DateTime.Utc, { fresh_age, step_up_age }: Lifetimes): boolean =>
  !hasCome(after(provedAt(session), Math.min(step_up_age, fresh_age)), now) && (!held.second || session.multi_factor === true)

/** Whether the proof is recent enough for the other sensitive operations. */
export const isFresh = (session: StoredSession, held: HeldFactors, now: DateTime.Utc, lifetimes: Lifetimes): boolean =>
  held.any ? isSteppedUp(session, held, now, lifetimes) : !hasCome(after(provedAt(session), lifetimes.fresh_age), now)
