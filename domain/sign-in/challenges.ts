import { Effect, Option, Schema } from "effect"
import { type AuthError, type CodeOf, type CommonCode, type ErrorClass, InvalidToken } from "../errors.ts"
import { type ModuleChallenge, Policies } from "../policies.ts"
import { find, removeVersioned, update, type Versioned, type Write } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { joinedMethods } from "../sessions/session.ts"
import { Authentication, type AuthenticationMethod } from "../sessions/sign-in.ts"
import { noteUser } from "../sessions/subject.ts"
import { singleUseToken } from "../tokens/single-use-token.ts"
import { Accounts, Users } from "../users/tables.ts"
import type { StoredUser } from "../users/user.ts"
import { AccountName } from "./account-links.ts"
import { shownMethods, signInStart } from "./sign-in-start.ts"

// A challenge requires a further answer from the user before a sign-in gets a session. Until then, the sign-in is stored as pending.

const PendingSignIn = Schema.Struct({
  hash: Schema.String,
  /** The name of the module whose challenge it is. */
  asked_by: Schema.String,
  user_id: Schema.String,
  /** The revision of the user at the time of the proof. If the user's row has changed since, the user must sign in again. */
  user_revision: Schema.Int,
  authentication: Authentication,
  /** The account that is linked once the sign-in succeeds. If it were linked before, the next sign-in would bypass the challenge. */
  link: Schema.NullOr(AccountName),
  /** The first step of the sign-in (`SignInStart`). */
  began_at: Schema.NullOr(Schema.String),
  provider_id: Schema.NullOr(Schema.String),
  /** Null in rows of earlier versions. */
  is_sign_up: Schema.NullOr(Schema.Boolean),
  /** The methods of the proof so far (RFC 8176), separated by blanks. Null in rows of earlier versions, and if there are none. */
  methods: Schema.NullOr(Schema.String),
  /** Wrong answers so far. */
  failures: Schema.Int,
  expires_at: Schema.DateTimeUtc,
})
type PendingSignIn = typeof PendingSignIn.Type

/** Sign-ins that wait for an answer. Existing databases have the name of the table: with another one, they would be lost at an upgrade. */
export const PendingSignIns = Table.make("held_up_sign_in", PendingSignIn, {
  key: "hash",
  references: { user_id: Users },
  expires: "expires_at",
  data: {
    personal: ["asked_by", "link", "provider_id", "methods", "expires_at"],
    secret: ["hash"],
    other: ["user_id", "user_revision", "authentication", "began_at", "is_sign_up", "failures"],
  },
})

/** The challenge of a module (`make`). */
export interface Challenger<out R> {
  readonly of: "every_sign_in" | "single_factor"
  /** Whether it is asked after those of all modules, and again after each answer to one of its own. */
  readonly isLast?: true
  /** The module whose endpoints accept the answer; undefined: its own. */
  readonly answeredBy?: ModuleChallenge["answeredBy"]
  /** A further output of every endpoint that can return the challenge. */
  readonly output: Schema.Codec<any, any>
  /** The errors that `ask` fails with. */
  readonly errors?: ReadonlyArray<ErrorClass>
  readonly ask: (user: StoredUser, authentication: Authentication) => Effect.Effect<Option.Option<object>, AuthError, R>
}

/** Lifetime of a pending sign-in, seconds. */
const expires_in = 300

/** The number of wrong answers that ends a pending sign-in. */
const maxFailures = 5

/** The members of every challenge. Only endpoints of the module whose challenge it is accept the token. `expires_in`: seconds. */
export const ChallengeFields = { challenge_token: Schema.String, expires_in: Schema.Int }

/** The module's own members of each of its challenges. */
type OwnMembers<A> = A extends unknown ? Omit<A, keyof typeof ChallengeFields> : never

/**
 * Declares the challenge of a module. The endpoint that accepts the answer declares `signsIn: "challenge"`, reads the pending sign-in by
 * `pendingSignIn`, and continues it by `resume` (`issuing.ts`).
 */
export const make = <
  A extends { readonly [Member in keyof typeof ChallengeFields]: unknown },
  R,
  const Errors extends ReadonlyArray<ErrorClass> = readonly [],
>(challenger: {
  /** Which sign-ins are challenged: all, including those of new users, or those by a single factor. */
  readonly of: "every_sign_in" | "single_factor"
  /** Whether it is asked after those of all modules, and again after each answer to one of its own. */
  readonly isLast?: true
  /** The module whose endpoints accept the answer to a challenge with these members; undefined: its own. */
  readonly answeredBy?: ModuleChallenge["answeredBy"]
  /**
   * The response instead of a session: the module's own members, and `ChallengeFields`. The schema's identifier names it in the API's
   * types.
   */
  readonly output: Schema.Codec<A, any>
  /** The errors that `ask` fails with. Endpoints that sign in declare them too. */
  readonly errors?: Errors
  /**
   * Returns the module's own members of the response, or none to admit the user. An operation that changes the result must also write the
   * user: see `Gate`.
   */
  readonly ask: (
    user: StoredUser,
    authentication: Authentication,
  ) => Effect.Effect<Option.Option<OwnMembers<A>>, AuthError<CodeOf<Errors[number]> | CommonCode>, R>
}): Challenger<R> => challenger

const challengeTokens = singleUseToken(PendingSignIns, { kind: "challenge" })

const ownAnswer = () => Effect.undefined

/** The first challenge that applies to the user and that no module waives. */
export const firstChallenge = Effect.fnUntraced(function* firstChallenge(
  challengesFor: ReadonlyArray<ModuleChallenge>,
  user: StoredUser,
  authentication: Authentication,
) {
  const { isWaived } = yield* Policies
  const signIn = { proof: authentication, began: yield* signInStart(authentication) }
  for (const { name, ask, answeredBy = ownAnswer } of challengesFor) {
    const challenge = yield* ask(user, authentication)
    if (Option.isNone(challenge) || (yield* isWaived(name, user, challenge.value, signIn))) continue
    return Option.some({ asked_by: (yield* answeredBy(challenge.value)) ?? name, members: challenge.value })
  }
  return Option.none()
})
type Asked = Option.Option.Value<Effect.Success<ReturnType<typeof firstChallenge>>>

/** The response of a challenged sign-in, and the write that stores it as pending. */
export const challengeSignIn = Effect.fnUntraced(function* challengeSignIn(
  { asked_by, members }: Asked,
  { row: user, revision }: Versioned<StoredUser>,
  authentication: Authentication,
  link: AccountName | null,
) {
  const { path, ...rest } = yield* signInStart(authentication)
  const start = { began_at: path, ...rest, methods: yield* shownMethods }
  const pending = { asked_by, user_id: user.id, user_revision: revision, authentication, link, ...start, failures: 0 }
  const { token: challenge_token, write } = yield* challengeTokens.issue(pending, expires_in)
  return { body: { ...members, challenge_token, expires_in }, write }
})

/** The first step of a pending sign-in, for the operation that continues the sign-in by further methods. */
export const startOf = (
  { began_at: path, provider_id, is_sign_up, methods }: PendingSignIn,
  further: ReadonlyArray<AuthenticationMethod> = [],
) => ({ path, provider_id, is_sign_up, methods: joinedMethods([...(methods?.split(" ") ?? []), ...further]) })

/** A pending sign-in, and its user. */
export interface PendingSignInOfUser {
  readonly pending: Versioned<PendingSignIn>
  readonly user: Versioned<StoredUser>
}

/**
 * The pending sign-in of a challenge of the endpoint's own module, by its token. Fails with `invalid_token` if it has expired or the user
 * has changed since, and with a gate's code if a gate refuses the user.
 */
export const pendingSignIn = Effect.fnUntraced(function* readPendingSignIn(token: string) {
  const found = yield* challengeTokens.readWithReferenced(token, "user_id")
  if (Option.isNone(found)) return yield* new InvalidToken()
  const [pending, user] = found.value
  const { row } = pending
  const { endpoint, passGates } = yield* Policies
  if (row.asked_by !== endpoint.module) return yield* new InvalidToken()

  yield* noteUser(user.row.id)
  yield* passGates(user.row)
  if (row.user_revision !== user.revision) return yield* new InvalidToken()
  // Refused if another user has linked the account in the meantime.
  if (row.link !== null && Option.isSome(yield* find(Accounts, { ...row.link }))) return yield* new InvalidToken()
  const pendingSignIn: PendingSignInOfUser = { pending, user }
  return pendingSignIn
})

/** Counts a wrong answer; the fifth ends the pending sign-in. */
export const missed = ({ pending }: PendingSignInOfUser): Write => {
  const failures = pending.row.failures + 1
  return failures < maxFailures ? update(PendingSignIns, pending, { failures }) : removeVersioned(PendingSignIns, pending)
}
