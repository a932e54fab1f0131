import { DateTime, Effect, Option, Schema } from "effect"
import type { AuthError } from "../errors.ts"
import { InvalidToken } from "../errors.ts"
import type { ModuleChallenge } from "../policies.ts"
import { Policies } from "../policies.ts"
import type { Versioned, Write } from "../ports/store.ts"
import { find, insert, removeVersioned, Store, update } from "../ports/store.ts"
import * as Table from "../storage/table.ts"
import { Accounts, Users } from "../storage/tables.ts"
import { randomToken, tokenHash } from "../tokens/keys.ts"
import type { StoredUser, User } from "../users/user.ts"
import { AccountName } from "./account-links.ts"
import { Authentication } from "./sign-in.ts"
import { noteUser } from "./subject.ts"

// What somebody is asked for before there is a session: a sign-in that is held up, and how it goes on.

const PendingSignIn = Schema.Struct({
  hash: Schema.String,
  /** The module that asks. */
  asked_by: Schema.String,
  user_id: Schema.String,
  /** What was proved was proved for the user as they were: once they have changed, it has to be proved again. */
  user_revision: Schema.Int,
  authentication: Authentication,
  /** The account that is linked once the sign-in succeeds. Linked earlier, it would sign in past the challenge the next time. */
  link: Schema.NullOr(AccountName),
  /** Wrong answers so far. */
  failures: Schema.Int,
  expires_at: Schema.DateTimeUtc,
})
type PendingSignIn = typeof PendingSignIn.Type

/** Sign-ins that wait for an answer. */
export const PendingSignIns = Table.make("held_up_sign_in", PendingSignIn, {
  key: "hash",
  references: { user_id: Users },
  expires: "expires_at",
})

/** Asks for more before there is a session (`Challenges.make`). */
export interface Challenger<out R> {
  readonly of: "every_sign_in" | "single_factor"
  /** Another output of every endpoint where it may be asked. */
  readonly output: Schema.Codec<any, any>
  readonly ask: (user: User, authentication: Authentication) => Effect.Effect<Option.Option<object>, AuthError, R>
}

/** Seconds that a challenge waits for its answer. */
const expires_in = 300

/** The wrong answer that ends a challenge. */
const maxFailures = 5

/** What somebody comes back with who is asked for more: it opens nothing but the endpoint of the module that asks. `expires_in`: seconds. */
export const ChallengeFields = { challenge_token: Schema.String, expires_in: Schema.Int }

/** What a module tells, of each of its challenges. */
type Told<A> = A extends unknown ? Omit<A, keyof typeof ChallengeFields> : never

/**
 * Declares what a module asks for. The endpoint that takes the answer `signsIn: "challenge"`, finds the sign-in by `pendingSignIn`,
 * and lets it go on by `Issuing.resume`.
 */
export const make = <A extends { readonly [Member in keyof typeof ChallengeFields]: unknown }, R>(challenger: {
  /** Who is asked: everybody who signs in, those who are new as well, or those alone who have shown one factor and no more. */
  readonly of: "every_sign_in" | "single_factor"
  /** The body of the answer in the session's place: what the module tells, and `...Ticket`. Its identifier is its name among the API's types. */
  readonly output: Schema.Codec<A, any>
  /** What the module tells; none for a user who is let in. Whoever changes the answer to more also writes the user, so that nobody slips by. */
  readonly ask: (user: User, authentication: Authentication) => Effect.Effect<Option.Option<Told<A>>, AuthError, R>
}): Challenger<R> => challenger

const kind = "challenge"

/** The first that is asked of a user. None where nobody asks: they are let in. */
export const firstChallenge = Effect.fnUntraced(function* firstChallenge(
  challengesFor: ReadonlyArray<ModuleChallenge>,
  user: User,
  authentication: Authentication,
) {
  for (const { name, ask } of challengesFor) {
    const told = yield* ask(user, authentication)
    if (Option.isSome(told)) return Option.some({ asked_by: name, told: told.value })
  }
  return Option.none()
})
type Asked = Option.Option.Value<Effect.Success<ReturnType<typeof firstChallenge>>>

/** A sign-in that is held up: what its user is told, and the write that lets them come back. */
export const challengeSignIn = Effect.fnUntraced(function* challengeSignIn(
  { asked_by, told }: Asked,
  { row: user, revision }: Versioned<StoredUser>,
  authentication: Authentication,
  link: AccountName | null,
) {
  const challenge_token = yield* randomToken
  const hash = yield* tokenHash(kind, challenge_token)
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: expires_in })
  const row: PendingSignIn = { hash, asked_by, user_id: user.id, user_revision: revision, authentication, link, failures: 0, expires_at }
  return { body: { ...told, challenge_token, expires_in }, write: insert(PendingSignIns, row) }
})

/** A sign-in that is held up and may go on. */
export interface PendingSignInOfUser {
  readonly pending: Versioned<PendingSignIn>
  readonly user: Versioned<StoredUser>
}

/**
 * The sign-in that a module has held up, by the token its user comes back with: `invalid_token` once its time is over or anything about
 * the user has changed, and a gate's code where one has closed.
 */
export const pendingSignIn = Effect.fnUntraced(function* readPendingSignIn(asked_by: string, token: string) {
  const found = yield* (yield* Store).readWithReferenced(PendingSignIns, { hash: yield* tokenHash(kind, token) }, "user_id")
  if (Option.isNone(found)) return yield* new InvalidToken()
  const [pending, user] = found.value
  const { row } = pending
  if (row.asked_by !== asked_by || !DateTime.isLessThan(yield* DateTime.now, row.expires_at)) return yield* new InvalidToken()

  yield* noteUser(user.row.id)
  yield* (yield* Policies).passGates(user.row)
  if (row.user_revision !== user.revision) return yield* new InvalidToken()
  // Another user linked the account meanwhile.
  if (row.link !== null && Option.isSome(yield* find(Accounts, { ...row.link }))) return yield* new InvalidToken()
  const pendingSignIn: PendingSignInOfUser = { pending, user }
  return pendingSignIn
})

/** Counts a wrong answer; the fifth ends the sign-in. */
export const missed = ({ pending }: PendingSignInOfUser): Write => {
  const failures = pending.row.failures + 1
  return failures < maxFailures ? update(PendingSignIns, pending, { failures }) : removeVersioned(PendingSignIns, pending)
}
