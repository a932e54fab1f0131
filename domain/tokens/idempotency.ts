import { Data, DateTime, Effect, Option, Schema } from "effect"
import { IdempotencyKeyReused } from "../errors.ts"
import { replace, Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { liveAt } from "../storage/live.ts"
import { Users } from "../users/tables.ts"
import { Keys, tokenHash } from "./keys.ts"
import * as TokenSealed from "./token-sealed.ts"

const purpose = "idempotency"

const Idempotency = Schema.Struct({
  /** The hash of the caller, the operation and the key that the caller chose. */
  hash: Schema.String,
  /** The answer, and the hash of the input, from which a password could be guessed. Sealed under the key that the caller chose as well. */
  answer: Schema.String,
  /** The user whom the answer shows, with whom the row is removed. */
  user_id: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})

/** The answers of operations that callers may repeat with the same key. */
export const Idempotencies = Table.make("idempotency", Idempotency, {
  key: "hash",
  expires: "expires_at",
  sealed: { answer: purpose },
  references: { user_id: Users },
  data: { secret: ["hash", "answer"], other: ["user_id", "expires_at"] },
})

/** Hours in which a repetition gets the same answer. */
const lifetime = 24

/** An operation with a key that its caller chose. */
export interface Keyed {
  /** The caller and the operation: others may choose the same key. */
  readonly scope: ReadonlyArray<string>
  readonly key: string
  /** Identifies the input. */
  readonly fingerprint: string
}

/** The operation was committed by another call with the same key, which this one repeats. */
export class Repeated extends Data.TaggedError("Repeated") {}

const Kept = Schema.fromJsonString(Schema.Struct({ fingerprint: Schema.String, answer: Schema.String }))

const hashOf = ({ scope, key }: Keyed) => tokenHash(purpose, JSON.stringify([...scope, key]))

const storedUnder = Effect.fnUntraced(function* storedUnder(hash: string) {
  const stored = yield* (yield* Store).read(Idempotencies, { hash })
  const isLive = liveAt(Idempotencies, yield* DateTime.now)
  return { stored, live: Option.filter(stored, ({ row }) => isLive(row)) }
})

/** The answer of an earlier call with this key; fails if that call had another input. */
export const earlierAnswer = Effect.fnUntraced(function* earlierAnswer(keyed: Keyed) {
  const hash = yield* hashOf(keyed)
  const { live } = yield* storedUnder(hash)
  if (Option.isNone(live)) return Option.none<string>()
  const sealed = yield* (yield* Keys).open(purpose, live.value.row.answer)
  const text = Option.isNone(sealed) ? sealed : yield* TokenSealed.open(keyed.key, hash, sealed.value)
  const kept = Option.flatMap(text, Schema.decodeOption(Kept))
  if (Option.isNone(kept) || kept.value.fingerprint !== keyed.fingerprint) return yield* new IdempotencyKeyReused()
  return Option.some(kept.value.answer)
})

/**
 * The write that keeps the answer, for the commit of the operation. That commit then happens once for a key: another call with the same
 * key gets a `Conflict`, and here `Repeated`.
 */
export const keptAnswer = Effect.fnUntraced(function* keptAnswer(keyed: Keyed, answer: string, user_id: string | null) {
  const hash = yield* hashOf(keyed)
  const { stored, live } = yield* storedUnder(hash)
  if (Option.isSome(live)) return yield* new Repeated()
  const text = Schema.encodeSync(Kept)({ fingerprint: keyed.fingerprint, answer })
  const sealed = yield* (yield* Keys).seal(purpose, yield* TokenSealed.seal(keyed.key, hash, text))
  const expires_at = DateTime.add(yield* DateTime.now, { hours: lifetime })
  return replace(Idempotencies, stored, { hash, answer: sealed, user_id, expires_at })
})
