import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { AuthError } from "../errors.ts"
import { InvalidOtp } from "../errors.ts"
import { countedCode } from "../limits/limits.ts"
import type { Conflict, Taken, Versioned, Write } from "../ports/store.ts"
import { put, removeVersioned, retryOnConflict, Store, update } from "../ports/store.ts"
import { between, orElse, Positive, Seconds } from "../settings.ts"
import * as Table from "../storage/table.ts"
import { Keys } from "../tokens/keys.ts"
import { useUp } from "../tokens/single-use.ts"
import type { SignInName } from "./sign-in-name.ts"

// One-time codes: short enough to be typed, so they live for minutes and bear few guesses.

/** The settings of a module that sends codes. */
export const CodeSettings = Schema.Struct({
  /** Digits of a code. */
  length: between(4, 10).pipe(orElse(6)),
  /** Lifetime of a code, seconds. */
  ttl: Seconds.pipe(orElse(300)),
  /** The wrong guess that ends a code. */
  max_attempts: Positive.pipe(orElse(3)),
  /** Whether only users who are there already get in. */
  disable_signup: Schema.Boolean.pipe(orElse(false)),
})
export type CodeSettings = typeof CodeSettings.Type

const Code = Schema.Struct({
  /** The address or number that the code was sent to, which has no other. */
  recipient: Schema.String,
  /** HMAC: the digits are so few that a plain hash would give them away. */
  hash: Schema.String,
  /** Wrong guesses so far. */
  attempts: Schema.Int,
  expires_at: Schema.DateTimeUtc,
})
type Code = typeof Code.Type

/** A table of codes of one kind; its name is what their HMAC is made for. */
export const table = (name: string) => Table.make(name, Code, { key: "recipient", expires: "expires_at" })
export type CodeTable = ReturnType<typeof table>

/** A new code, and the write that makes it valid in the place of any that was sent before. */
export const newCode = Effect.fnUntraced(function* newCode(codes: CodeTable, recipient: string, { length, ttl }: CodeSettings) {
  const { intBetween } = yield* SecureRandom.SecureRandom
  const code = String(yield* intBetween(0, 10 ** length, { halfOpen: true })).padStart(length, "0")
  const hash = yield* (yield* Keys).sign(codes.name, bound(recipient, code))
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: ttl })
  return { code, expires_at, write: put(codes, { recipient, hash, attempts: 0, expires_at }) }
})

const bound = (recipient: string, code: string) => `${code}:${recipient}`

/**
 * One guess at the code that was sent to a recipient. With the right one, `use` commits the write that uses it up together with what the code
 * is good for; `use` runs again after a conflict, and answers none where the code lets no user in. A right code is used up in any case.
 */
export const guess =
  (codes: CodeTable, { max_attempts }: CodeSettings, recipient: string, typed: string) =>
  <A, E extends AuthError, R>(use: (proof: Write) => Effect.Effect<Option.Option<A>, E | Conflict | Taken, R>) => {
    const attempt = Effect.gen(function* () {
      const store = yield* Store
      const held = yield* live(codes, recipient)
      const isRight = yield* matches(codes, held, recipient, typed)
      if (Option.isNone(held)) return yield* new InvalidOtp()
      if (!isRight) {
        yield* store.commit([missed(codes, held.value, max_attempts)])
        return yield* new InvalidOtp()
      }
      return yield* useUp(removeVersioned(codes, held.value), new InvalidOtp(), use)
    })
    return retryOnConflict(attempt)
  }

/** A guess whose failures count against a budget that outlives the code: that of the recipient, whose spellings share the name in `counted`. */
export const redeem =
  <R0>(codes: CodeTable, settings: CodeSettings, recipient: string, typed: string, counted: SignInName<R0>) =>
  <A, E extends AuthError, R>(use: (proof: Write) => Effect.Effect<Option.Option<A>, E | Conflict | Taken, R>) =>
    countedCode(codes.name, counted)(guess(codes, settings, recipient, typed)(use))

const live = Effect.fnUntraced(function* live(codes: CodeTable, recipient: string) {
  const held = yield* (yield* Store).read(codes, { recipient })
  const now = yield* DateTime.now
  return Option.filter(held, ({ row }) => DateTime.isLessThan(now, row.expires_at))
})

/** A well-formed HMAC of nothing: where there is no code, the guess is compared with this. */
const decoy = "A".repeat(43)

const matches = Effect.fnUntraced(function* matches(
  codes: CodeTable,
  held: Option.Option<Versioned<Code>>,
  recipient: string,
  typed: string,
) {
  const hash = Option.match(held, { onNone: () => decoy, onSome: ({ row }) => row.hash })
  return yield* (yield* Keys).verify(codes.name, bound(recipient, typed), hash)
})

/** Counts a wrong guess, or ends the code with it. Conditional on the row, so that of many guesses at once each counts. */
const missed = (codes: CodeTable, held: Versioned<Code>, max_attempts: number): Write => {
  const attempts = held.row.attempts + 1
  return attempts < max_attempts ? update(codes, held, { attempts }) : removeVersioned(codes, held)
}
