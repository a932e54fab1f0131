import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Unauthorized } from "../domain/Errors.ts"
import type { StoredSession } from "../domain/Session.ts"
import { endOf } from "../domain/Session.ts"
import type { User } from "../domain/User.ts"
import { Caller, CurrentSession } from "./Caller.ts"
import type { Standing } from "./Challenges.ts"
import { Challenges, firstOf, HeldUpSignIns, holdUp, standing } from "./Challenges.ts"
import { Gates } from "./Gates.ts"
import type { Held, Write } from "./ports/Store.ts"
import { Conflict, check, insert, removeHeld, Store } from "./ports/Store.ts"
import { limitSessions } from "./SessionLimit.ts"
import { current, unchangedCurrent } from "./Sessions.ts"
import { newToken } from "./SessionToken.ts"
import { Settings } from "./Settings.ts"
import type { Authentication, Challenged, Issued } from "./SignIn.ts"
import { Sessions, Users } from "./Tables.ts"

// How a session begins, whichever way somebody comes.

/** A new session for a user, in one commit with `writes`. Every way to sign in ends here, behind the gates. */
const open = Effect.fnUntraced(function* (user: User, writes: ReadonlyArray<Write>, authenticated_at?: DateTime.Utc) {
  const { session: lifetimes } = yield* Settings
  const caller = yield* Caller
  const random = yield* SecureRandom.SecureRandom
  const now = yield* DateTime.now

  const { token_hash, credential } = yield* newToken
  const session: StoredSession = {
    id: yield* random.uuidV7(),
    user_id: user.id,
    token_hash,
    authenticated_at: authenticated_at ?? now,
    ip_address: caller.ip_address,
    user_agent: caller.user_agent,
    created_at: now,
    updated_at: now,
    expires_at: endOf(authenticated_at ?? now, now, lifetimes),
  }
  const issued: Issued = { session, user, credential }
  yield* (yield* Store).commit([...writes, insert(Sessions, session)])
  yield* limitSessions(user.id)
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
  const askers = (yield* Challenges).askers(authentication, behind)
  if (askers.length === 0) return yield* open(user, writes)

  const held = revision === undefined ? yield* written(user, writes) : { row: user, revision }
  const rest = revision === undefined ? [check(Users, held)] : writes
  const asked = yield* firstOf(askers, held.row)
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
 * For an endpoint that takes the answer to a module's question from whoever was held up at their sign-in, by the token they were given, and
 * from whoever has a session, without one: who it is, and how the answer is committed. Run it within `decide`.
 */
export const answering = Effect.fnUntraced(function* (asked_by: string, challenge_token: string | undefined) {
  const heldUp = challenge_token === undefined ? undefined : yield* standing(asked_by, challenge_token)
  const { user } = heldUp ?? (yield* signedIn)
  const commit = Effect.fnUntraced(function* (writes: ReadonlyArray<Write>) {
    if (heldUp !== undefined) return yield* resume(heldUp, writes)
    yield* (yield* Store).commit([check(Users, user), ...writes])
    return "keep" as const
  })
  return { user, commit }
})

/** Whoever has a session, at an endpoint that does not ask for one. */
const signedIn = Effect.gen(function* () {
  const found = yield* current
  if (Option.isNone(found)) return yield* new Unauthorized()
  return yield* Effect.provideService(unchangedCurrent, CurrentSession, found.value)
})

/** Gives a session that was read another one beside it, in other hands: fails with `Conflict` when it, or its user, has changed since. */
export const handOff = Effect.fnUntraced(function* (session: Held<StoredSession>, user: Held<User>) {
  yield* authentication
  yield* (yield* Gates).pass(user.row)
  return yield* open(user.row, [check(Users, user), check(Sessions, session)], session.row.authenticated_at)
})
