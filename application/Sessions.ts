import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SessionNotFresh, Unauthorized } from "../domain/Errors.ts"
import type { StoredSession } from "../domain/Session.ts"
import { endOf, isFresh, isLive, isStale } from "../domain/Session.ts"
import type { User } from "../domain/User.ts"
import { Caller, CurrentSession } from "./Caller.ts"
import { Keys, randomToken, tokenHash } from "./Keys.ts"
import type { Held, Write } from "./ports/Store.ts"
import { check, decide, find, insert, removeAll, removeHeld, Store, update } from "./ports/Store.ts"
import { Settings } from "./Settings.ts"
import { Sessions, Users } from "./Tables.ts"

/** A session in its owner's hands. */
export interface Issued {
  readonly session: StoredSession
  readonly user: User
  /** What the cookie carries: the token and its signature. The store has only the token's hash. */
  readonly credential: string
}

const purpose = "session"

/** A new session for a user, and the write that makes it real. Every way to sign in ends here. */
const open = Effect.fnUntraced(function* (user: User) {
  const { session: lifetimes } = yield* Settings
  const caller = yield* Caller
  const random = yield* SecureRandom.SecureRandom
  const keys = yield* Keys
  const now = yield* DateTime.now

  const token = yield* randomToken
  const session: StoredSession = {
    id: yield* random.uuidV7(),
    user_id: user.id,
    token_hash: yield* tokenHash(purpose, token),
    ip_address: caller.ip_address,
    user_agent: caller.user_agent,
    created_at: now,
    updated_at: now,
    expires_at: endOf(now, now, lifetimes),
  }
  const issued: Issued = { session, user, credential: `${token}.${yield* keys.sign(purpose, token)}` }
  return [issued, insert(Sessions, session)] as const
})

/** Signs in a user who was read: fails with `Conflict` when something about them has changed since. */
export const issue = Effect.fnUntraced(function* (user: Held<User>, alongside: ReadonlyArray<Write> = []) {
  const [issued, write] = yield* open(user.row)
  yield* (yield* Store).commit([check(Users, user), ...alongside, write])
  return issued
})

/** Signs in a user whom the same commit changes, or makes. */
export const issueWith = Effect.fnUntraced(function* (user: User, writes: ReadonlyArray<Write>) {
  const [issued, write] = yield* open(user)
  yield* (yield* Store).commit([...writes, write])
  return issued
})

/** The session that the caller's credential stands for, rolled on when that is due. */
export const current = Effect.gen(function* () {
  const { credential } = yield* Caller
  const token = yield* tokenOf(credential)
  if (credential === null || token === null) return Option.none()

  const found = yield* (yield* Store).follow(Sessions, { token_hash: yield* tokenHash(purpose, token) }, "user_id")
  if (Option.isNone(found)) return Option.none()

  const [session, user] = found.value
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  if (!isLive(session.row, now, lifetimes)) return Option.none()
  const here = { session: session.row, user: user.row, credential }
  if (!isStale(session.row, now, lifetimes)) return Option.some({ ...here, refreshed: false })

  const rolled = yield* refresh(session, now)
  return Option.map(rolled, (row) => ({ ...here, session: row, refreshed: true }))
})

const tokenOf = Effect.fnUntraced(function* (credential: string | null) {
  const [token, signature, ...rest] = credential?.split(".") ?? []
  if (token === undefined || signature === undefined || rest.length > 0) return null
  return (yield* (yield* Keys).verify(purpose, token, signature)) ? token : null
})

/** Of many uses at once, one rolls the session on; a session revoked meanwhile stays revoked. */
const refresh = Effect.fnUntraced(function* (held: Held<StoredSession>, now: DateTime.Utc) {
  const store = yield* Store
  const { session: lifetimes } = yield* Settings
  const changes = { updated_at: now, expires_at: endOf(held.row.created_at, now, lifetimes) }
  return yield* store.commit([update(Sessions, held, changes)]).pipe(
    Effect.as(Option.some<StoredSession>({ ...held.row, ...changes })),
    Effect.catchTag("Conflict", () => find(Sessions, { id: held.row.id })),
    Effect.catchTag("Taken", Effect.die),
  )
})

/** The current session and its user as they are now, to decide a write on; a session that has ended meanwhile is `unauthorized`. */
export const unchangedCurrent = Effect.gen(function* () {
  const { session } = yield* CurrentSession
  const found = yield* (yield* Store).follow(Sessions, { id: session.id }, "user_id")
  if (Option.isNone(found)) return yield* new Unauthorized()
  const [now, user] = found.value
  return { session: now, user }
})

/** Fails with `session_not_fresh` unless the current session began a short while ago. */
export const requireFresh = Effect.gen(function* () {
  const { session } = yield* CurrentSession
  const { session: lifetimes } = yield* Settings
  if (!isFresh(session, yield* DateTime.now, lifetimes)) return yield* new SessionNotFresh()
})

/** The most sessions of one user that are listed or counted. */
const most = 1000

/** The user's live sessions, the oldest first. */
export const liveOf = Effect.fnUntraced(function* (userId: string) {
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const rows = yield* (yield* Store).list(Sessions, { user_id: userId }, { limit: most, order: "created_at" })
  return rows.filter((row) => isLive(row, now, lifetimes))
})

/**
 * Ends one session of a user; false when they have none of this id. It is removed as it was read: where
 * `revoke-other-sessions` replaces the row at this moment, removing by the key alone would miss it.
 */
export const revoke = Effect.fnUntraced(function* (id: string, userId: string) {
  const store = yield* Store
  const removal = Effect.gen(function* () {
    const held = yield* store.read(Sessions, { id })
    if (Option.isNone(held) || held.value.row.user_id !== userId) return false
    yield* store.commit([removeHeld(Sessions, held.value)])
    return true
  })
  return yield* decide(removal)
})

/**
 * Ends all sessions of a user, also those that are being issued at this moment:
 * writing the user fails every `issue` that read them before.
 */
export const revokeAll = (user: Held<User>, changes: Partial<User> = {}): ReadonlyArray<Write> => [
  update(Users, user, changes),
  removeAll(Sessions, { user_id: user.row.id }),
]
