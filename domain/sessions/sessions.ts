import { DateTime, Effect, Option } from "effect"
import { SessionNotFresh, Unauthorized } from "../errors.ts"
import { Policies } from "../policies.ts"
import type { Versioned, Write } from "../ports/store.ts"
import { check, find, remove, removeAll, removeVersioned, retryOnConflict, Store, update } from "../ports/store.ts"
import { Settings } from "../settings.ts"
import type { Issued } from "../sign-in/sign-in.ts"
import { Sessions, Users } from "../storage/tables.ts"
import type { StoredUser } from "../users/user.ts"
import { Caller, CurrentSession } from "./caller.ts"
import type { StoredSession } from "./session.ts"
import { endOf, isFresh, isLive, isStale, isSteppedUp } from "./session.ts"
import { hashIn } from "./session-token.ts"

// Sessions that there are: whose they are, how long they last, and how they end. They begin in `issuing.ts`.

/** The session that the caller's credential stands for, rolled on when that is due. */
export const current = Effect.gen(function* () {
  const { credential } = yield* Caller
  if (credential === null) return Option.none()
  const found = yield* liveBy(credential)
  if (Option.isNone(found)) return Option.none()

  const [session, user] = found.value
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const here = { session: session.row, user: user.row, credential }
  if (!isStale(session.row, now, lifetimes)) return Option.some({ ...here, refreshed: false })

  const rolled = yield* refresh(session, now)
  return Option.map(rolled, (row) => ({ ...here, session: row, refreshed: true }))
})

/** The session that any credential stands for. Looking at it is no use of it: it is not rolled on. */
export const heldBy = (credential: string) =>
  Effect.map(
    liveBy(credential),
    Option.map(([session, user]): Issued => ({ session: session.row, user: user.row, credential })),
  )

const liveBy = Effect.fnUntraced(function* liveByCredential(credential: string) {
  const token_hash = yield* hashIn(credential)
  if (token_hash === null) return Option.none()
  const found = yield* (yield* Store).readWithReferenced(Sessions, { token_hash }, "user_id")
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  return Option.filter(found, ([session]) => isLive(session.row, now, lifetimes))
})

/**
 * Of many uses at once, one rolls the session on; a session revoked meanwhile stays revoked. The token is compared again: read by its id
 * alone, a session that was stepped up meanwhile would give its new proof to a copy of the old token.
 */
const refresh = Effect.fnUntraced(function* refreshSession(held: Versioned<StoredSession>, now: DateTime.Utc) {
  const store = yield* Store
  const { session: lifetimes } = yield* Settings
  const changes = { updated_at: now, expires_at: endOf(held.row.authenticated_at, now, lifetimes) }
  return yield* store.commit([update(Sessions, held, changes)]).pipe(
    Effect.as(Option.some<StoredSession>({ ...held.row, ...changes })),
    Effect.catchTag("Conflict", () =>
      Effect.map(
        find(Sessions, { id: held.row.id }),
        Option.filter(({ token_hash }) => token_hash === held.row.token_hash),
      ),
    ),
    Effect.catchTag("Taken", Effect.die),
  )
})

/**
 * The current session and its user as they are now, to decide a write on. A session that has ended meanwhile is `unauthorized`, and so is one
 * with a new token: a request with a stolen copy of the old token would otherwise act with the proof that replaced it.
 */
export const rereadSession = Effect.gen(function* () {
  const { session } = yield* CurrentSession
  const found = yield* (yield* Store).readWithReferenced(Sessions, { id: session.id }, "user_id")
  if (Option.isNone(found) || found.value[0].row.token_hash !== session.token_hash) return yield* new Unauthorized()
  const [now, user] = found.value
  return { session: now, user }
})

/** Whether a session is fresh enough, by the factors that its user has now, for `requireFresh`. */
export const hasFreshProof = Effect.fnUntraced(function* hasFreshProof(session: StoredSession) {
  const { session: lifetimes } = yield* Settings
  return isFresh(session, yield* (yield* Policies).factorsHeldBy(session.user_id), yield* DateTime.now, lifetimes)
})

/** Fails with `session_not_fresh` unless the current session passes this test. */
const requireProof = (isRecent: typeof isFresh) =>
  Effect.gen(function* () {
    const { session, user } = yield* CurrentSession
    const { session: lifetimes } = yield* Settings
    const held = yield* (yield* Policies).factorsHeldBy(user.id)
    if (!isRecent(session, held, yield* DateTime.now, lifetimes)) return yield* new SessionNotFresh()
  })

/** For sensitive operations: `fresh_age`, or the rule of `requireStepUp` for users with a second factor or a passkey. */
export const requireFresh = requireProof(isFresh)

/** For every operation that changes second factors or passkeys, also a user's first one: a proof younger than `step_up_age`. */
export const requireStepUp = requireProof(isSteppedUp)

/** The most sessions of one user that are listed or counted. */
const most = 1000

/** The user's live sessions, the oldest first; where there are more than are listed, the newest. */
export const liveOf = Effect.fnUntraced(function* liveSessionsOf(userId: string) {
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const rows = yield* (yield* Store).list(Sessions, { user_id: userId }, { limit: most, order: "created_at", descending: true })
  return rows.filter((row) => isLive(row, now, lifetimes)).toReversed()
})

/** Ends one session of a user; false when they have none of this id. It is removed as it was read: of many at once, one ends it. */
export const revoke = Effect.fnUntraced(function* revokeSession(id: string, userId: string) {
  const store = yield* Store
  const removal = Effect.gen(function* () {
    const held = yield* store.read(Sessions, { id })
    if (Option.isNone(held) || held.value.row.user_id !== userId) return false
    yield* store.commit([removeVersioned(Sessions, held.value)])
    return true
  })
  return yield* retryOnConflict(removal)
})

/**
 * Ends all sessions of a user, also those that are being issued at this moment:
 * writing the user fails every `issue` that read them before.
 */
export const revokeAll = (user: Versioned<StoredUser>, changes: Partial<StoredUser> = {}): ReadonlyArray<Write> => [
  update(Users, user, changes),
  removeAll(Sessions, { user_id: user.row.id }),
]

/** Some of the user's sessions beside this one. */
const othersOf = Effect.fnUntraced(function* otherSessionsOf({ id: own, user_id }: StoredSession) {
  const rows = yield* (yield* Store).list(Sessions, { user_id }, { limit: most, order: "created_at" })
  return rows.filter(({ id }) => id !== own)
})

const removals = (sessions: ReadonlyArray<StoredSession>): ReadonlyArray<Write> => sessions.map(({ id }) => remove(Sessions, id))

/**
 * The writes that begin to end all sessions of a user but one, which has to be there still and stays as it is: what hangs on it stays,
 * too. Whoever commits them goes on with `endOthers`, since one that was issued a moment ago may not be among them.
 */
export const revokingOthers = Effect.fnUntraced(function* revokingOthers(session: Versioned<StoredSession>, user: Versioned<StoredUser>) {
  const ended = yield* othersOf(session.row)
  return { ended, writes: [check(Sessions, session), update(Users, user, {}), ...removals(ended)] }
})

/** Ends the other sessions until none is left, once the user was written: from then on no `issue` that read them before succeeds. */
export const endOthers = Effect.fnUntraced(function* endOtherSessions(session: StoredSession) {
  const ended: Array<StoredSession> = []
  while (true) {
    const others = yield* othersOf(session)
    if (others.length === 0) return ended
    yield* retryOnConflict((yield* Store).commit(removals(others)))
    ended.push(...others)
  }
})

/** Ends all sessions of the current user but the current one; says how many of them were live. */
export const revokeOthers = Effect.gen(function* () {
  const first = Effect.gen(function* () {
    const { session, user } = yield* rereadSession
    const { ended, writes } = yield* revokingOthers(session, user)
    yield* (yield* Store).commit(writes)
    return { session, ended }
  })
  const { session, ended } = yield* retryOnConflict(first)
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  return [...ended, ...(yield* endOthers(session.row))].filter((row) => isLive(row, now, lifetimes)).length
})
