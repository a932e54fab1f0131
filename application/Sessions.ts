import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SessionNotFresh, Unauthorized } from "../domain/Errors.ts"
import type { StoredSession } from "../domain/Session.ts"
import { endOf, isFresh, isLive, isStale } from "../domain/Session.ts"
import type { User } from "../domain/User.ts"
import { Caller, CurrentSession } from "./Caller.ts"
import type { Standing } from "./Challenges.ts"
import { Challenges, HeldUpSignIns, holdUp, standing } from "./Challenges.ts"
import { Gates } from "./Gates.ts"
import { Keys, randomToken, tokenHash } from "./Keys.ts"
import type { Held, Write } from "./ports/Store.ts"
import { Conflict, check, decide, find, insert, remove, removeAll, removeHeld, Store, update } from "./ports/Store.ts"
import { Settings } from "./Settings.ts"
import type { Authentication, Challenged, Issued } from "./SignIn.ts"
import { Sessions, Users } from "./Tables.ts"

const purpose = "session"

/** A new session for a user, in one commit with `writes`. Every way to sign in ends here, behind the gates. */
const open = Effect.fnUntraced(function* (user: User, writes: ReadonlyArray<Write>, authenticated_at?: DateTime.Utc) {
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
    authenticated_at: authenticated_at ?? now,
    ip_address: caller.ip_address,
    user_agent: caller.user_agent,
    created_at: now,
    updated_at: now,
    expires_at: endOf(authenticated_at ?? now, now, lifetimes),
  }
  const issued: Issued = { session, user, credential: `${token}.${yield* keys.sign(purpose, token)}` }
  yield* (yield* Store).commit([...writes, insert(Sessions, session)])
  return issued
})

/** Somebody who has shown who they are. */
interface Entrant {
  readonly user: User
  /** The revision under which they are let in; undefined where the same commit writes the user. */
  readonly revision?: number
  readonly authentication: Authentication
  /** The module whose challenge they have answered: what those before it ask is behind them. */
  readonly behind?: string
}

/** Lets somebody in, or holds them up who are asked for more. In both cases `writes` are committed: the proof they came with is used up. */
const admit = Effect.fnUntraced(function* ({ user, revision, authentication, behind }: Entrant, writes: ReadonlyArray<Write>) {
  yield* (yield* Gates).pass(user)
  const challenges = yield* Challenges
  if (!challenges.mayAsk(authentication, behind)) return yield* open(user, writes)

  const held = revision === undefined ? yield* written(user, writes) : { row: user, revision }
  const rest = revision === undefined ? [check(Users, held)] : writes
  const asked = yield* challenges.ask(held.row, authentication, behind)
  if (Option.isNone(asked)) return yield* open(held.row, rest)
  const { body, write } = yield* holdUp(asked.value, held, authentication)
  yield* (yield* Store).commit([...rest, write])
  const challenged: Challenged = { user: held.row, challenge: body }
  return challenged
})

/** The user after these writes, which go first: what is asked depends on what they leave, and a challenge is bound to the revision after them. */
const written = Effect.fnUntraced(function* (user: User, writes: ReadonlyArray<Write>) {
  const store = yield* Store
  yield* store.commit(writes)
  const held = yield* store.read(Users, { id: user.id })
  return Option.isSome(held) ? held.value : yield* new Conflict({ table: Users.name })
})

/** How the callers of this endpoint prove who they are. */
const authentication = Effect.gen(function* () {
  const signsIn = yield* (yield* Challenges).signsIn
  return signsIn === "challenge" ? yield* Effect.die(new Error("a challenge's answer only lets a sign-in go on")) : signsIn
})

/** Signs in a user who was read: fails with `Conflict` when something about them has changed since. */
export const issue = Effect.fnUntraced(function* (user: Held<User>, alongside: ReadonlyArray<Write> = []) {
  const entrant = { user: user.row, revision: user.revision, authentication: yield* authentication }
  return yield* admit(entrant, [check(Users, user), ...alongside])
})

/** Signs in a user whom the same commit changes. */
export const issueWith = Effect.fnUntraced(function* (user: User, writes: ReadonlyArray<Write>) {
  return yield* admit({ user, authentication: yield* authentication }, writes)
})

/** Signs in a user of whom no factor is kept that they could be asked for: the same commit makes them, or drops all there were. */
export const issueAnew = Effect.fnUntraced(function* (user: User, writes: ReadonlyArray<Write>) {
  yield* authentication
  return yield* admit({ user, authentication: "registration" }, writes)
})

/** Lets a sign-in go on that was held up, to the next challenge or the session. `authentication` is what they have shown by now. */
export const resume = Effect.fnUntraced(function* (
  { heldUp, user }: Standing,
  alongside: ReadonlyArray<Write>,
  authentication = heldUp.row.authentication,
) {
  yield* (yield* Challenges).signsIn
  const entrant = { user: user.row, revision: user.revision, authentication, behind: heldUp.row.asked_by }
  return yield* admit(entrant, [check(Users, user), removeHeld(HeldUpSignIns, heldUp), ...alongside])
})

/**
 * For an endpoint that takes a module's question's answer from whoever was held up at their sign-in, by the token they were given, and from
 * whoever has a session, without one: who it is, and how the answer is committed. Run it within `decide`.
 */
export const answering = Effect.fnUntraced(function* (asked_by: string, challenge_token: string | undefined) {
  if (challenge_token !== undefined) {
    const heldUp = yield* standing(asked_by, challenge_token)
    return { user: heldUp.user, commit: (writes: ReadonlyArray<Write>) => resume(heldUp, writes) }
  }
  const found = yield* current
  if (Option.isNone(found)) return yield* new Unauthorized()
  const { user } = yield* Effect.provideService(unchangedCurrent, CurrentSession, found.value)
  const store = yield* Store
  const commit = (writes: ReadonlyArray<Write>) => Effect.as(store.commit([check(Users, user), ...writes]), "keep" as const)
  return { user, commit }
})

/** Gives a session that was read another one beside it, in other hands: fails with `Conflict` when it, or its user, has changed since. */
export const handOff = Effect.fnUntraced(function* (session: Held<StoredSession>, user: Held<User>) {
  yield* authentication
  yield* (yield* Gates).pass(user.row)
  return yield* open(user.row, [check(Users, user), check(Sessions, session)], session.row.authenticated_at)
})

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

const liveBy = Effect.fnUntraced(function* (credential: string) {
  const token = yield* tokenOf(credential)
  if (token === null) return Option.none()
  const found = yield* (yield* Store).follow(Sessions, { token_hash: yield* tokenHash(purpose, token) }, "user_id")
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  return Option.filter(found, ([session]) => isLive(session.row, now, lifetimes))
})

const tokenOf = Effect.fnUntraced(function* (credential: string) {
  const [token, signature, ...rest] = credential.split(".")
  if (token === undefined || signature === undefined || rest.length > 0) return null
  return (yield* (yield* Keys).verify(purpose, token, signature)) ? token : null
})

/** Of many uses at once, one rolls the session on; a session revoked meanwhile stays revoked. */
const refresh = Effect.fnUntraced(function* (held: Held<StoredSession>, now: DateTime.Utc) {
  const store = yield* Store
  const { session: lifetimes } = yield* Settings
  const changes = { updated_at: now, expires_at: endOf(held.row.authenticated_at, now, lifetimes) }
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

/** Fails with `session_not_fresh` unless the user of the current session signed in a short while ago. */
export const requireFresh = Effect.gen(function* () {
  const { session } = yield* CurrentSession
  const { session: lifetimes } = yield* Settings
  if (!isFresh(session, yield* DateTime.now, lifetimes)) return yield* new SessionNotFresh()
})

/** The most sessions of one user that are listed or counted. */
const most = 1000

/** The user's live sessions, the oldest first; where there are more than are listed, the newest. */
export const liveOf = Effect.fnUntraced(function* (userId: string) {
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const rows = yield* (yield* Store).list(Sessions, { user_id: userId }, { limit: most, order: "created_at", descending: true })
  return rows.filter((row) => isLive(row, now, lifetimes)).toReversed()
})

/** Ends one session of a user; false when they have none of this id. It is removed as it was read: of many at once, one ends it. */
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

/** Some of the user's sessions beside this one. */
const othersOf = Effect.fnUntraced(function* ({ id: own, user_id }: StoredSession) {
  const rows = yield* (yield* Store).list(Sessions, { user_id }, { limit: most, order: "created_at" })
  return rows.filter(({ id }) => id !== own)
})

const removals = (sessions: ReadonlyArray<StoredSession>): ReadonlyArray<Write> => sessions.map(({ id }) => remove(Sessions, id))

/**
 * The writes that begin to end all sessions of a user but one, which has to be there still and stays as it is: what hangs on it stays,
 * too. Whoever commits them goes on with `endOthers`, since one that was issued a moment ago may not be among them.
 */
export const revokingOthers = Effect.fnUntraced(function* (session: Held<StoredSession>, user: Held<User>) {
  const ended = yield* othersOf(session.row)
  return { ended, writes: [check(Sessions, session), update(Users, user, {}), ...removals(ended)] }
})

/** Ends the other sessions until none is left, once the user was written: from then on no `issue` that read them before succeeds. */
export const endOthers = Effect.fnUntraced(function* (session: StoredSession) {
  const ended: Array<StoredSession> = []
  while (true) {
    const others = yield* othersOf(session)
    if (others.length === 0) return ended
    yield* decide((yield* Store).commit(removals(others)))
    ended.push(...others)
  }
})

/** Ends all sessions of the current user but the current one; says how many of them were live. */
export const revokeOthers = Effect.gen(function* () {
  const first = Effect.gen(function* () {
    const { session, user } = yield* unchangedCurrent
    const { ended, writes } = yield* revokingOthers(session, user)
    yield* (yield* Store).commit(writes)
    return { session, ended }
  })
  const { session, ended } = yield* decide(first)
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  return [...ended, ...(yield* endOthers(session.row))].filter((row) => isLive(row, now, lifetimes)).length
})
