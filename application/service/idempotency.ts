import { Effect, Option, Schema } from "effect"
import { CurrentPrincipal, ofPrincipal } from "../../domain/administration/principal.ts"
import { Policies } from "../../domain/policies.ts"
import type { Write } from "../../domain/ports/store.ts"
import { earlierAnswer, type Keyed, keptAnswer, Repeated } from "../../domain/tokens/idempotency.ts"
import { tokenHash } from "../../domain/tokens/keys.ts"
import { inOrder } from "../../domain/values/json.ts"
import { Text } from "../../domain/values/text.ts"
import { type Reply, reply } from "./endpoint.ts"

// Operations of administrators that may be sent again after a time-out, and have their effect once.

/** The member of inputs with the key of a request that may be sent again. */
export const IdempotencyKey = {
  idempotency_key: Schema.optionalKey(Text.check(Schema.isMinLength(1), Schema.isMaxLength(255))).pipe(
    Schema.annotateKey({
      description: "Chosen by the caller: for 24 hours, the same request gets the same answer. Over HTTP also as `Idempotency-Key`.",
    }),
  ),
}
interface WithKey {
  readonly idempotency_key?: string
}

/** The writes that keep the answer of an operation, for its commit; none without a key. */
export type Keep<O> = (answer: O) => Effect.Effect<ReadonlyArray<Write>, Repeated, Effect.Services<ReturnType<typeof keptAnswer>>>

/**
 * The handler of an operation that takes an `IdempotencyKey`: its commit has to contain the writes of `keep`, and is repeated after a
 * `Conflict`. The effect and its answer are then stored together, so no repetition finds an operation half done. Refusals are not kept.
 * Declare `IdempotencyKeyReused`.
 */
export const idempotent = <I extends WithKey, O, E, R>(
  output: Schema.Codec<O, any>,
  handler: (input: Omit<I, "idempotency_key">, keep: Keep<O>) => Effect.Effect<Reply<O>, E | Repeated, R>,
) => {
  const json = Schema.fromJsonString(Schema.toCodecJson(output))
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeSync(json)

  /** The caller may have lost the permission since it was asked for. */
  const repeated = Effect.fnUntraced(function* repeatedAnswer(answer: string) {
    yield* ofPrincipal(null)
    const again: Reply<O> = { ...reply(decode(answer)), fields: { "idempotency-replayed": "true" } }
    return again
  })

  return Effect.fnUntraced(function* withKey({ idempotency_key: key, ...input }: I) {
    if (key === undefined) return yield* Effect.catchIf(handler(input, keepNothing), isRepeated, Effect.die)
    const keyed = yield* keyedBy(key, input)
    const earlier = yield* earlierAnswer(keyed)
    if (Option.isSome(earlier)) return yield* repeated(earlier.value)
    const keep: Keep<O> = (answer) => Effect.map(keptAnswer(keyed, encode(answer), userIn(answer)), (write) => [write])
    // A concurrent call with the same key may be the reason of any refusal, such as that an address is taken.
    const orRepeated = Effect.fnUntraced(function* orRepeated(error: E | Repeated) {
      const answer = yield* earlierAnswer(keyed)
      if (Option.isSome(answer)) return yield* repeated(answer.value)
      return yield* isRepeated(error) ? Effect.die(error) : Effect.fail(error)
    })
    return yield* Effect.catch(handler(input, keep), orRepeated)
  })
}

const decodeShown = Schema.decodeUnknownOption(Schema.Struct({ user: Schema.Struct({ id: Schema.String }) }))

/** The user whom an answer shows. */
const userIn = (answer: unknown) => Option.getOrNull(Option.map(decodeShown(answer), ({ user }) => user.id))

const keepNothing = () => Effect.succeed([])

const isRepeated = (error: unknown): error is Repeated => error instanceof Repeated

const keyedBy = Effect.fnUntraced(function* keyedBy(key: string, input: object) {
  const { kind, id } = yield* CurrentPrincipal
  const { endpoint } = yield* Policies
  const fingerprint = yield* tokenHash("idempotent-input", JSON.stringify(input, inOrder))
  return { scope: [kind, id, endpoint.name], key, fingerprint } satisfies Keyed
})
