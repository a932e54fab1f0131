import { DateTime, Effect, Option } from "effect"
import { SessionNotFresh, Unauthorized } from "../errors.ts"
import { Policies } from "../policies.ts"
import {
  check,
  find,
  remove,
  removeAll,
  removeVersioned,
  retryOnConflict,
  Store,
  update,
  type Versioned,
  type Write,
} from "../ports/store.ts"
import { Settings } from "../settings.ts"
import { Users } from "../users/tables.ts"
import type { StoredUser } from "../users/user.ts"
import { Accepted } from "./accepted.ts"
import { Caller, CurrentSession } from "./caller.ts"
import { CurrentImpersonation } from "./impersonation.ts"
import { endOf, isFresh, isLive, isStale, isSteppedUp, type StoredSession } from "./session.ts"
import { readReplica, type SessionAndUser } from "./session-replica.ts"
import { isImpersonated, verifiedTokenHash } from "./session-token.ts"
import type { Issued } from "./sign-in.ts"
import { Sessions } from "./tables.ts"

// Lookup, refresh and revocation of existing sessions. `issuing.ts` creates them.

/** The caller's session, refreshed when it is stale. */
export const current = Effect.gen(function* () {
  const { credential } = yield* Caller
  if (credential === null) return Option.none()
  const sessionAndUser = yield* readLiveSession(credential)
  if (Option.isNone(sessionAndUser)) return Option.none()

  const [session, user] = sessionAndUser.value
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  yield* noteAccepted(credential, user.row, now)
  const callerSession = { session: session.row, user: user.row, credential }
  if (isImpersonated(credential) || !isStale(session.row, now, lifetimes)) return Option.some({ ...callerSession, refreshed: false })

  const refreshedSession = yield* refresh(session, now)
  return Option.map(refreshedSession, (row) => ({ ...callerSession, session: row, refreshed: true }))
})

/** The caller's session, which is not refreshed. */
export const currentUnextended = Effect.gen(function* readCurrentUnextended() {
  const { credential } = yield* Caller
  if (credential === null) return Option.none()
  const found = yield* sessionOfCredential(credential)
  if (Option.isSome(found)) yield* noteAccepted(credential, found.value.user, yield* DateTime.now)
  return found
})

const noteAccepted = (credential: string, { id }: Pick<StoredUser, "id">, now: DateTime.Utc) =>
  Effect.map(Accepted, (note) => {
    if (note !== undefined && !isImpersonated(credential)) note(id, now)
  })

/** The valid session of a credential. Does not refresh it. */
export const sessionOfCredential = (credential: string) =>
  Effect.map(
    readLiveSession(credential),
    Option.map(([session, user]): Issued => ({ session: session.row, user: user.row, credential })),
  )

const readLiveSession = Effect.fnUntraced(function* readLiveSession(credential: string) {
  const token_hash = yield* verifiedTokenHash(credential)
  if (token_hash === null) return Option.none()
  if (isImpersonated(credential) && (yield* CurrentImpersonation)?.credential !== credential) return Option.none()
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const live = Option.filter(([session]: SessionAndUser) => isLive(session.row, now, lifetimes))
  // A session that is new or was extended a moment ago can be missing or expired in a replica.
  const copy = live(yield* readReplica(token_hash))
  if (Option.isSome(copy)) return copy
  return live(yield* (yield* Store).readWithReferenced(Sessions, { token_hash }, "user_id"))
})

/**
 * Refreshes the session. Of several concurrent uses, one refreshes it; a session that was revoked in the meantime stays revoked. The token
 * is compared again: a step-up may have replaced it, and a stolen copy of the old token must not get the new proof.
 */
const refresh = Effect.fnUntraced(function* refreshSession(versioned: Versioned<StoredSession>, now: DateTime.Utc) {
  const { session: lifetimes } = yield* Settings
  const changes = { updated_at: now, expires_at: endOf(versioned.row.authenticated_at, now, lifetimes) }
  return yield* (yield* Store).commit([update(Sessions, versioned, changes)]).pipe(
    Effect.as(Option.some<StoredSession>({ ...versioned.row, ...changes })),
    Effect.catchTag("Conflict", () =>
      find(Sessions, { id: versioned.row.id }).pipe(Effect.map(Option.filter(({ token_hash }) => token_hash === versioned.row.token_hash))),
    ),
    Effect.catchTag("Taken", Effect.die),
  )
})

/**
 * Reads the current session and its user again, for writes that are conditional on them. Fails with `unauthorized` if the session has ended
 * or has got a new token in the meantime. A step-up replaces the token, and a stolen copy of the old one must not use the new proof.
 */
export const rereadSession = Effect.gen(function* () {
  const { session } = yield* CurrentSession
  const sessionAndUser = yield* (yield* Store).readWithReferenced(Sessions, { id: session.id }, "user_id")
  if (Option.isNone(sessionAndUser) || sessionAndUser.value[0].row.token_hash !== session.token_hash) return yield* new Unauthorized()
  const [now, user] = sessionAndUser.value
  return { session: now, user }
})

/** The session with this id and its user, unless the session has ended. */
export const liveSessionWith = Effect.fnUntraced(function* liveSessionWith(id: string) {
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const found = yield* (yield* Store).readWithReferenced(Sessions, { id }, "user_id")
  return Option.filter(found, ([session]) => isLive(session.row, now, lifetimes))
})

/** Whether a session passes a test of its proof, given the factors that its user has now. */
const passes = Effect.fnUntraced(function* passesTest(session: StoredSession, isRecent: typeof isFresh) {
  const { session: lifetimes } = yield* Settings
  return isRecent(session, yield* (yield* Policies).factorsHeldBy(session.user_id), yield* DateTime.now, lifetimes)
})

/** Whether a session passes `requireFresh`. That of a guest always does: a guest can prove nothing again. */
export const hasFreshProof = (session: StoredSession, { is_guest }: StoredUser) =>
  is_guest ? Effect.succeed(true) : passes(session, isFresh)

/** For sensitive operations: `fresh_age`, or the rule of `requireStepUp` for users with a second factor or a passkey. */
export const requireFresh = Effect.gen(function* () {
  const { session, user } = yield* CurrentSession
  if (!(yield* hasFreshProof(session, user))) return yield* new SessionNotFresh()
})

/** For every operation that changes second factors or passkeys, also a user's first one: a proof younger than `step_up_age`. */
export const requireStepUp = Effect.gen(function* () {
  const { session } = yield* CurrentSession
  if (!(yield* passes(session, isSteppedUp))) return yield* new SessionNotFresh()
})

/** The maximum number of sessions of one user that are listed or counted. */
const listLimit = 1000

/** The user's newest valid sessions, up to `listLimit`, in ascending order of creation. */
export const liveSessionsOf = Effect.fnUntraced(function* liveSessionsOf(userId: string) {
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const rows = yield* (yield* Store).list(Sessions, { user_id: userId }, { limit: listLimit, order: "created_at", descending: true })
  return rows.filter((row) => isLive(row, now, lifetimes)).toReversed()
})

/** Ends one session of a user; false if the user has no session with this id. Of several concurrent calls, one returns true. */
export const revoke = Effect.fnUntraced(function* revokeSession(id: string, userId: string) {
  const store = yield* Store
  const versioned = yield* store.read(Sessions, { id })
  if (Option.isNone(versioned) || versioned.value.row.user_id !== userId) return false
  yield* store.commit([removeVersioned(Sessions, versioned.value), ...(yield* (yield* Policies).sessionEnded(userId))])
  return true
}, retryOnConflict)

/**
 * The writes that end all sessions of a user, and what modules end with them. The write of the user makes concurrent sign-ins
 * fail at their commit, so that no session is issued in between.
 */
export const revokeAll = Effect.fnUntraced(function* revokeAllSessions(user: Versioned<StoredUser>, changes: Partial<StoredUser> = {}) {
  const { sessionsRevoked, sessionEnded } = yield* Policies
  const added = [...(yield* sessionsRevoked(user.row)), ...(yield* sessionEnded(user.row.id))]
  return [update(Users, user, changes), removeAll(Sessions, { user_id: user.row.id }), ...added]
})

/** The oldest other sessions of the user, up to `listLimit`. */
const othersOf = Effect.fnUntraced(function* otherSessionsOf({ id: own, user_id }: StoredSession) {
  const rows = yield* (yield* Store).list(Sessions, { user_id }, { limit: listLimit, order: "created_at" })
  return rows.filter(({ id }) => id !== own)
})

const removalsOf = (sessions: ReadonlyArray<StoredSession>): ReadonlyArray<Write> => sessions.map(({ id }) => remove(Sessions, id))

/**
 * The writes that end the other sessions of a user. The given session must still exist and keeps the rows that reference it. After the
 * commit, call `endOthers`: a session that was issued in between may be missing here.
 */
export const otherSessionsRevocation = Effect.fnUntraced(function* otherSessionsRevocation(
  session: Versioned<StoredSession>,
  user: Versioned<StoredUser>,
) {
  const ended = yield* othersOf(session.row)
  const { sessionsRevoked, sessionEnded } = yield* Policies
  const added = [...(yield* sessionsRevoked(user.row)), ...(yield* sessionEnded(user.row.id))]
  return { ended, writes: [check(Sessions, session), update(Users, user, {}), ...removalsOf(ended), ...added] }
})

/** Ends the other sessions until none is left. Commit a write of the user first, so that concurrent sign-ins fail at their commit. */
export const endOthers = Effect.fnUntraced(function* endOtherSessions(session: StoredSession) {
  const ended: Array<StoredSession> = []
  while (true) {
    const others = yield* othersOf(session)
    if (others.length === 0) return ended
    const added = yield* (yield* Policies).sessionEnded(session.user_id)
    yield* retryOnConflict((yield* Store).commit([...removalsOf(others), ...added]))
    ended.push(...others)
  }
})

/** Ends all other sessions of the current user, and returns how many of them were valid. */
export const revokeOthers = Effect.gen(function* () {
  const first = Effect.gen(function* () {
    const { session, user } = yield* rereadSession
    const { ended, writes } = yield* otherSessionsRevocation(session, user)
    yield* (yield* Store).commit(writes)
    return { session, ended }
  })
  const { session, ended } = yield* retryOnConflict(first)
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  return [...ended, ...(yield* endOthers(session.row))].filter((row) => isLive(row, now, lifetimes)).length
})
