import { DateTime, Effect, Option } from "effect"
import { InvalidToken, Unauthorized } from "../errors.ts"
import { Policies } from "../policies.ts"
import { Conflict, check, insert, remove, removeVersioned, Store, Taken, update, type Versioned, type Write } from "../ports/store.ts"
import { Caller, CurrentSession } from "../sessions/caller.ts"
import { endOf, isLive, type StoredSession } from "../sessions/session.ts"
import { limitSessions } from "../sessions/session-limit.ts"
import { newToken } from "../sessions/session-token.ts"
import { current, rereadSession, sessionOfCredential } from "../sessions/sessions.ts"
import type { Authentication, AuthenticationMethod, Challenged, Issued } from "../sessions/sign-in.ts"
import { noteUser } from "../sessions/subject.ts"
import { Sessions } from "../sessions/tables.ts"
import { Settings } from "../settings.ts"
import { newId } from "../storage/new-id.ts"
import { Accounts, Users } from "../users/tables.ts"
import type { StoredUser, User } from "../users/user.ts"
import { type AccountName, linkAccount } from "./account-links.ts"
import { challengeSignIn, firstChallenge, type PendingSignInOfUser, PendingSignIns, pendingSignIn, startOf } from "./challenges.ts"
import { KnownStart, shownMethods, signInStart } from "./sign-in-start.ts"

// Sign-ins of every method get their session here.

/**
 * Stores a new session for a user, in one commit with `writes`. A hand-off (a one-time token) copies the proof of the source session:
 * otherwise it would bypass the step-up.
 */
const open = Effect.fnUntraced(function* openSession(user: StoredUser, writes: ReadonlyArray<Write>, from: Authentication | StoredSession) {
  const { session: lifetimes } = yield* Settings
  const caller = yield* Caller
  const now = yield* DateTime.now
  const source = typeof from === "string" ? undefined : from
  const { authenticated_at, proved_at, multi_factor, methods } = source ?? {
    authenticated_at: now,
    proved_at: now,
    multi_factor: from === "multi_factor",
    methods: yield* shownMethods,
  }

  const { token_hash, credential } = yield* newToken
  const session: StoredSession = {
    id: yield* newId,
    user_id: user.id,
    token_hash,
    authenticated_at,
    proved_at,
    multi_factor,
    methods,
    ip_address: caller.ip_address,
    user_agent: caller.user_agent,
    created_at: now,
    updated_at: now,
    expires_at: endOf(authenticated_at, now, lifetimes),
  }
  const proof = typeof from === "string" ? from : "hand_off"
  const { endpoint, sessionOpened, identityProved } = yield* Policies
  const added = yield* sessionOpened({ session, user, proof, endpoint, began: yield* signInStart(proof) })
  const noted = source === undefined ? yield* identityProved(session) : []
  yield* (yield* Store).commit([...writes, ...(yield* replacing(user, source)), insert(Sessions, session), ...added.writes, ...noted])
  yield* limitSessions(user.id)
  const issued: Issued = { session, user, credential, cookies: added.cookies }
  return issued
})

/**
 * The writes that end the session in the request if it belongs to the same user: the browser replaces its cookie, so the user could no
 * longer sign out of that session. The source session of a hand-off stays valid, because the new session is for another browser.
 */
const replacing = Effect.fnUntraced(function* replacedSession({ id }: User, source: StoredSession | undefined) {
  const { credential } = yield* Caller
  const policies = yield* Policies
  if (credential === null || (yield* policies.keepsSession(credential))) return []
  const carried = Option.map(yield* sessionOfCredential(credential), ({ session }) => session)
  if (Option.isNone(carried) || carried.value.user_id !== id || carried.value.id === source?.id) return []
  return [remove(Sessions, carried.value.id), ...(yield* policies.sessionEnded(id))]
})

/** An authenticated user, before the challenges. */
interface Entrant {
  readonly user: StoredUser
  /** The revision of the user that was read; undefined if the same commit writes the user. */
  readonly revision?: number
  readonly authentication: Authentication
  /** The account to link with the session. */
  readonly link?: AccountName | null
  /** The module whose challenge was answered: this module and those before it do not challenge again. */
  readonly answeredModule?: string
}

/**
 * Issues a session, or a challenge if a module has one. Both commit `writes`, which consume the proof of the sign-in. A link is committed
 * with the session, never with a challenge.
 */
const admit = Effect.fnUntraced(function* admitUser(
  { user, revision, authentication, link = null, answeredModule }: Entrant,
  writes: ReadonlyArray<Write>,
) {
  yield* noteUser(user.id)
  const policies = yield* Policies
  yield* policies.passGates(user)
  const challengesFor = policies.challengesFor(authentication, answeredModule)
  if (challengesFor.length === 0 && revision === undefined)
    return yield* open(user, [...writes, ...(yield* linking(user, link))], authentication).pipe(conflictIfLinked)

  const stored = revision === undefined ? yield* written(user, writes) : { row: user, revision }
  const rest = revision === undefined ? [] : writes
  const required = yield* firstChallenge(challengesFor, stored.row, authentication)
  if (Option.isNone(required)) return yield* opening(stored, rest, authentication, link)
  const { body, write } = yield* challengeSignIn(required.value, stored, authentication, link)
  yield* (yield* Store).commit([check(Users, stored), ...rest, write])
  const challenged: Challenged = { user: stored.row, challenge: body }
  return challenged
})

const linking = (user: StoredUser, link: AccountName | null) => (link === null ? Effect.succeed([]) : linkAccount(user, link))

/**
 * Opens a session for a user who was read. With a link it also writes the user: otherwise concurrent links could exceed the limit on
 * accounts, and a link could survive a concurrent password reset.
 */
const opening = Effect.fnUntraced(function* openingWrites(
  stored: Versioned<StoredUser>,
  writes: ReadonlyArray<Write>,
  authentication: Authentication,
  link: AccountName | null,
) {
  if (link === null) return yield* open(stored.row, [check(Users, stored), ...writes], authentication)
  const linked = [update(Users, stored, {}), ...writes, ...(yield* linkAccount(stored.row, link))]
  return yield* open(stored.row, linked, authentication).pipe(conflictIfLinked)
})

/** Turns `Taken` into `Conflict` if another sign-in linked the account in the meantime: the retry reads the account again. */
const conflictIfLinked = <A, E, R>(opened: Effect.Effect<A, E | Taken, R>) =>
  Effect.mapError(opened, (error) =>
    error instanceof Taken && error.table === Accounts.name ? new Conflict({ table: error.table }) : error,
  )

/**
 * Commits these writes, and returns the user after them. They are committed first, because the challenges depend on them and are bound to
 * the new revision.
 */
const written = Effect.fnUntraced(function* writtenUser(user: StoredUser, writes: ReadonlyArray<Write>) {
  const store = yield* Store
  yield* store.commit(writes)
  const stored = yield* store.read(Users, { id: user.id })
  return Option.isSome(stored) ? stored.value : yield* new Conflict({ table: Users.name })
})

/** How callers of this endpoint authenticate. */
const authentication = Effect.gen(function* () {
  const signsIn = yield* (yield* Policies).signsIn
  return signsIn === "challenge" ? yield* Effect.die(new Error("the answer to a challenge can only continue a pending sign-in")) : signsIn
})

/**
 * How the first sign-in with a provider's account counts: as a single factor, since the provider's statement proves only the mailbox. The
 * user has not linked the account yet, so their second factor is required.
 */
const authenticationOf = (link: AccountName | undefined) =>
  Effect.map(authentication, (own) => (link === undefined ? own : "single_factor"))

/** Signs in a user who was read, and links an account to them. Fails with `Conflict` if the user has changed since. */
export const issue = Effect.fnUntraced(function* issueSession(
  user: Versioned<StoredUser>,
  alongside: ReadonlyArray<Write> = [],
  link?: AccountName,
) {
  const entrant = { user: user.row, revision: user.revision, authentication: yield* authenticationOf(link) }
  return yield* admit({ ...entrant, link: link ?? null }, alongside)
})

/** Signs in a user whom the same commit changes, and links an account to them. */
export const issueWith = Effect.fnUntraced(function* issueSessionWith(user: StoredUser, writes: ReadonlyArray<Write>, link?: AccountName) {
  return yield* admit({ user, authentication: yield* authenticationOf(link), link: link ?? null }, writes)
})

/** Signs in a user without factors: the same commit creates the user or removes all factors. */
export const issueToNewAccount = Effect.fnUntraced(function* issueToNewAccount(user: StoredUser, writes: ReadonlyArray<Write>) {
  yield* authentication
  return yield* admit({ user, authentication: "registration" }, writes)
})

/**
 * Continues a pending sign-in to the next challenge or the session. `authentication` is the proof so far, and `methods` those of the answer
 * that the endpoint does not declare.
 */
export const resume = Effect.fnUntraced(function* resumeSignIn(
  { pending, user }: PendingSignInOfUser,
  alongside: ReadonlyArray<Write>,
  authentication = pending.row.authentication,
  methods: ReadonlyArray<AuthenticationMethod> = [],
) {
  yield* (yield* Policies).signsIn
  const { asked_by, link } = pending.row
  const entrant = { user: user.row, revision: user.revision, authentication, link, answeredModule: asked_by }
  const writes = [removeVersioned(PendingSignIns, pending), ...alongside]
  return yield* Effect.provideService(admit(entrant, writes), KnownStart, startOf(pending.row, methods))
})

/** Like `resume`, for an answer that changes the user: `writes` must write the user. */
export const resumeWith = Effect.fnUntraced(function* resumeSignInWith(
  { pending, user }: PendingSignInOfUser,
  writes: ReadonlyArray<Write>,
  authentication: Authentication,
) {
  yield* (yield* Policies).signsIn
  const { asked_by, link } = pending.row
  const entrant = { user: user.row, authentication, link, answeredModule: asked_by }
  const all = [removeVersioned(PendingSignIns, pending), ...writes]
  return yield* Effect.provideService(admit(entrant, all), KnownStart, startOf(pending.row))
})

/**
 * For an endpoint that accepts the answer to a challenge of its module. With a token, the answer comes from the user of a pending sign-in;
 * without one, from the signed-in user. Returns the user, and the function that commits the answer. Run it within `retryOnConflict`.
 */
export const answerChallenge = Effect.fnUntraced(function* answerChallenge(challenge_token: string | undefined) {
  const pending = challenge_token === undefined ? undefined : yield* pendingSignIn(challenge_token)
  const { user } = pending ?? (yield* signedIn)
  const commit = Effect.fnUntraced(function* commitAnswer(writes: ReadonlyArray<Write>) {
    if (pending !== undefined) return yield* resume(pending, writes)
    yield* (yield* Store).commit([check(Users, user), ...writes])
    return "keep" as const
  })
  return { user, commit }
})

/** The signed-in user and their session, at an endpoint that is public; `unauthorized` without a session. */
const signedIn = Effect.gen(function* () {
  const found = yield* current
  if (Option.isNone(found)) return yield* new Unauthorized()
  return yield* Effect.provideService(rereadSession, CurrentSession, found.value)
})

/** A session that opens another one, as a code or token of it stores it. */
interface Source {
  readonly session_id: string
  readonly session_token_hash: string | null
}

/**
 * Opens another session of the same user, for another browser or an app. Fails with `invalid_token` if the source has ended or has got a new
 * token, and with `Conflict` if it or its user changes meanwhile.
 */
export const handOff = Effect.fnUntraced(function* handOffSession(
  { session_id, session_token_hash }: Source,
  alongside: ReadonlyArray<Write> = [],
) {
  yield* authentication
  const found = yield* (yield* Store).readWithReferenced(Sessions, { id: session_id }, "user_id")
  if (Option.isNone(found)) return yield* new InvalidToken()
  const [session, user] = found.value
  // A stolen copy of the session could have made the code or token before the step-up: it must not get the new proof.
  if (session_token_hash !== session.row.token_hash) return yield* new InvalidToken()
  const { session: lifetimes } = yield* Settings
  if (!isLive(session.row, yield* DateTime.now, lifetimes)) return yield* new InvalidToken()
  yield* noteUser(user.row.id)
  yield* (yield* Policies).passGates(user.row)
  return yield* open(user.row, [...alongside, check(Users, user), check(Sessions, session)], session.row)
})
