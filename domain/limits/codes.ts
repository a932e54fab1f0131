import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AuthError, InvalidOtp } from "../errors.ts"
import {
  type Conflict,
  put,
  removeVersioned,
  retryOnConflict,
  Store,
  type Taken,
  update,
  type Versioned,
  type Write,
} from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { between, flag, orElse, Positive, Seconds } from "../settings.ts"
import { readLive } from "../storage/live.ts"
import { Keys } from "../tokens/keys.ts"
import { consumeProof } from "../tokens/single-use.ts"
import type { SignInName } from "../users/sign-in-name.ts"
import { isTestCode } from "../users/test-users.ts"
import { countedCode } from "./limits.ts"

// One-time codes are short enough to type, so they expire within minutes and allow few guesses.

/** The settings of a module that sends codes. */
export const CodeSettings = Schema.Struct({
  length: between(4, 10).pipe(orElse(6, "Digits of a code.")),
  ttl: Seconds.pipe(orElse(300, "Lifetime of a code, seconds.")),
  max_attempts: Positive.pipe(orElse(3, "The number of wrong guesses that invalidates a code.")),
  disable_signup: flag("Whether only existing users can sign in."),
})
export type CodeSettings = typeof CodeSettings.Type
type Attempts = Pick<CodeSettings, "max_attempts">

const Code = Schema.Struct({
  /** The address or number that the code was sent to, or the name of a flow (`flow-codes.ts`). It has at most one code. */
  recipient: Schema.String,
  /** HMAC: a plain hash of so few digits could be reversed by trying them all. */
  hash: Schema.String,
  /** Wrong guesses so far. */
  attempts: Schema.Int,
  expires_at: Schema.DateTimeUtc,
})
type Code = typeof Code.Type

/** A table of codes of one kind. Its name is the purpose of their HMAC key. */
export const table = (name: string, data: Table.DataKinds<keyof Code> = { address: "recipient" }) =>
  Table.make(name, Code, { key: "recipient", expires: "expires_at", data })
export type CodeTable = ReturnType<typeof table>

/** Random digits. */
export const randomCode = Effect.fnUntraced(function* randomCode(length: number) {
  const { intBetween } = yield* SecureRandom.SecureRandom
  return String(yield* intBetween(0, 10 ** length, { halfOpen: true })).padStart(length, "0")
})

/** A new code, or the given one, and the write that makes it valid and replaces an earlier one. */
export const newCode = Effect.fnUntraced(function* newCode(
  codes: CodeTable,
  recipient: string,
  { length, ttl }: CodeSettings,
  given?: string,
) {
  const random = yield* randomCode(length)
  const code = given ?? random
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: ttl })
  return { code, expires_at, write: yield* codeWrite(codes, recipient, code, expires_at) }
})

/** The write that makes a code valid in a table. */
export const codeWrite = Effect.fnUntraced(function* codeWrite(
  codes: CodeTable,
  recipient: string,
  code: string,
  expires_at: DateTime.Utc,
) {
  const hash = yield* (yield* Keys).sign(codes.name, yield* bound(recipient, code))
  return put(codes, { recipient, hash, attempts: 0, expires_at })
})

/** A known code of a test user is never accepted as a secret one, also once the configuration does not have it any more. */
const bound = (recipient: string, code: string) =>
  Effect.map(isTestCode(recipient, code), (isTest) => `${isTest ? "test " : ""}${code}:${recipient}`)

/**
 * Checks one guess at the code of a recipient. For the right code, `use` commits the code's removal together with the sign-in or change.
 * `use` runs again after a conflict, and returns none if the user cannot sign in. A right code is consumed in any case.
 */
export const guess =
  (codes: CodeTable, { max_attempts }: Attempts, recipient: string, typed: string) =>
  <A, E extends AuthError, R>(use: (proof: Write) => Effect.Effect<Option.Option<A>, E | Conflict | Taken, R>) => {
    const attempt = Effect.gen(function* () {
      const code = yield* readLive(codes, { recipient })
      const isRight = yield* matches(codes, code, recipient, typed)
      if (Option.isNone(code)) return yield* new InvalidOtp()
      if (!isRight) {
        yield* (yield* Store).commit([missed(codes, code.value, max_attempts)])
        return yield* new InvalidOtp()
      }
      return yield* consumeProof(removeVersioned(codes, code.value), new InvalidOtp(), use)
    })
    return retryOnConflict(attempt)
  }

/**
 * Checks a guess, and also counts a wrong one against the recipient's budget, which outlives the code. `counted` is the name that all
 * spellings of the recipient share.
 */
export const redeem =
  <R0>(codes: CodeTable, settings: Attempts, recipient: string, typed: string, counted: SignInName<R0>) =>
  <A, E extends AuthError, R>(use: (proof: Write) => Effect.Effect<Option.Option<A>, E | Conflict | Taken, R>) =>
    countedCode(codes.name, counted)(guess(codes, settings, recipient, typed)(use))

/** A well-formed HMAC that no code has. Guesses at a missing code are compared with it, so that they take as long. */
const decoy = "A".repeat(43)

const matches = Effect.fnUntraced(function* matches(
  codes: CodeTable,
  code: Option.Option<Versioned<Code>>,
  recipient: string,
  typed: string,
) {
  const hash = Option.match(code, { onNone: () => decoy, onSome: ({ row }) => row.hash })
  return yield* (yield* Keys).verify(codes.name, yield* bound(recipient, typed), hash)
})

/**
 * The write that counts a wrong guess, or removes the code after the last allowed one. The write is conditional on the row's revision, so
 * that each of many concurrent guesses counts.
 */
const missed = (codes: CodeTable, code: Versioned<Code>, max_attempts: number): Write => {
  const attempts = code.row.attempts + 1
  return attempts < max_attempts ? update(codes, code, { attempts }) : removeVersioned(codes, code)
}
