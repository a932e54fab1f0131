import { DateTime, Effect, Option } from "effect"
import { type AuthError, InvalidOtp, InvalidToken, invalidMember, RateLimited } from "../../../../domain/errors.ts"
import { randomCode } from "../../../../domain/limits/codes.ts"
import {
  check,
  orFail,
  removeVersioned,
  replace,
  retryOnConflict,
  Store,
  update,
  type Versioned,
  type Write,
} from "../../../../domain/ports/store.ts"
import type { Row } from "../../../../domain/ports/table.ts"
import type { StoredSession } from "../../../../domain/sessions/session.ts"
import { missed, type PendingSignInOfUser, PendingSignIns } from "../../../../domain/sign-in/challenges.ts"
import { allowed, missed as missedCode, noFailures, pauseOf } from "../../../../domain/sign-in/lockout.ts"
import { liveAt, readLive } from "../../../../domain/storage/live.ts"
import { Keys, tokenHash } from "../../../../domain/tokens/keys.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import type { Recipient } from "./channel.ts"
import { channels, type SentMethod } from "./methods.ts"
import { factorOf, factorTables, SentCodes } from "./tables.ts"

/** Digits of a code, its lifetime in seconds, the wrong guesses that end it, and the codes of one pending sign-in or session. */
const shape = { length: 6, ttl: 300, guesses: 3, sends: 5 }

/** Whom a code is for, and what it is bound to. */
interface Bound {
  readonly name: string
  readonly user: Versioned<StoredUser>
  /** Makes the commit fail once the code would be for nothing. */
  readonly checks: ReadonlyArray<Write>
  /** The budget of messages. Those for pending sign-ins must not use up that of the signed-in user. */
  readonly purpose: string
}

export const boundToSignIn = ({ pending, user }: PendingSignInOfUser): Bound => ({
  name: pending.row.hash,
  user,
  checks: [check(Users, user), check(PendingSignIns, pending)],
  purpose: "two_factor_code",
})

export const boundToSession = ({ id }: StoredSession, user: Versioned<StoredUser>) =>
  Effect.map(
    tokenHash(`${SentCodes.name}/session`, id),
    (name): Bound => ({ name, user, checks: [check(Users, user)], purpose: "two_factor_own_code" }),
  )

/** What the stored hash is made of. */
const signed = ({ name }: Bound, method: SentMethod, { name: recipient }: Pick<Recipient, "name">, code: string) =>
  `${code}:${method}:${recipient}:${name}`

/** Where the code goes; fails without a verified address or number. */
export const recipientFor = Effect.fnUntraced(function* recipientFor(method: SentMethod, user: StoredUser) {
  const recipient = yield* channels[method].recipientOf(user)
  if (Option.isSome(recipient)) return recipient.value
  return yield* invalidMember("method", `there is no verified ${method === "sms" ? "phone number" : "address"} to send a code to`)
})

/** Sends a code, which replaces an earlier one. The message is counted once, before the attempts to store it. */
export const send = Effect.fnUntraced(function* sendCode<E extends AuthError, R>(method: SentMethod, boundNow: Effect.Effect<Bound, E, R>) {
  const { purpose, user } = yield* boundNow
  yield* (yield* recipientFor(method, user.row)).count(purpose)
  yield* retryOnConflict(Effect.flatMap(boundNow, (bound) => store(method, bound)))
})

const store = Effect.fnUntraced(function* storeCode(method: SentMethod, bound: Bound) {
  const { name, user, checks } = bound
  const recipient = yield* recipientFor(method, user.row)
  const now = yield* DateTime.now
  const found = yield* (yield* Store).read(SentCodes, { name })
  const live = Option.filter(found, ({ row }) => liveAt(SentCodes, now)(row))
  const sends = Option.match(live, { onNone: () => 1, onSome: ({ row }) => row.sends + 1 })
  if (sends > shape.sends) return yield* new RateLimited({ retryAfter: shape.ttl, limit: shape.sends })
  const code = yield* randomCode(shape.length)
  const expires_at = DateTime.add(now, { seconds: shape.ttl })
  const hash = yield* (yield* Keys).sign(SentCodes.name, signed(bound, method, recipient, code))
  const row = { name, user_id: user.row.id, method, hash, attempts: 0, sends, expires_at }
  yield* (yield* Store).commit([...checks, replace(SentCodes, found, row), yield* recipient.message(code, expires_at, shape.ttl)])
})

/**
 * Checks one guess, and returns the write that consumes the right code. A wrong one is counted in one commit with the writes `missing`. Run
 * it within `retryOnConflict`.
 */
export const redeem = Effect.fnUntraced(function* redeemSentCode(
  bound: Bound,
  method: SentMethod,
  typed: string,
  missing: ReadonlyArray<Write> = [],
) {
  const found = yield* readLive(SentCodes, { name: bound.name })
  const isOpen = Option.exists(found, ({ row }) => row.method === method && row.attempts < shape.guesses)
  const hash = Option.match(found, { onNone: () => decoy, onSome: ({ row }) => row.hash })
  const recipient = yield* channels[method].recipientOf(bound.user.row)
  const named = Option.getOrElse(recipient, () => ({ name: "" }))
  const isRight = yield* (yield* Keys).verify(SentCodes.name, signed(bound, method, named, typed.replace(/\s/g, "")), hash)
  if (Option.isSome(found) && isOpen && isRight && Option.isSome(recipient)) return removeVersioned(SentCodes, found.value)
  const counts = [...missing, ...Option.toArray(Option.map(found, counted))]
  if (counts.length > 0) yield* (yield* Store).commit(counts)
  return yield* new InvalidOtp()
})

const counted = (code: Versioned<Row<typeof SentCodes>>) => update(SentCodes, code, { attempts: code.row.attempts + 1 })

/** A well-formed HMAC that no code has. */
const decoy = "A".repeat(43)

/**
 * The same for a pending sign-in: returns the writes that consume the code. Wrong codes are counted for the user as well, as those of an app
 * are, so that a new sign-in gives no new guesses.
 */
export const guess = Effect.fnUntraced(function* guessSentCode(signIn: PendingSignInOfUser, method: SentMethod, typed: string) {
  const now = yield* DateTime.now
  const factor = yield* orFail(factorOf(method, signIn.user.row.id), () => new InvalidToken())
  const pause = pauseOf(factor.row, now)
  if (pause > 0) return yield* new RateLimited({ retryAfter: pause, limit: allowed })
  const table = factorTables[method]
  const consumed = yield* redeem(boundToSignIn(signIn), method, typed, [missed(signIn), update(table, factor, missedCode(factor.row, now))])
  return [consumed, update(table, factor, noFailures)]
})
