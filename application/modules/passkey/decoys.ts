import { Effect, Option } from "effect"
import { Base64Url } from "effect/encoding"
import { Keys } from "../../../domain/tokens/keys.ts"
import { strictBase64Url } from "../../../domain/values/strict-base64-url.ts"
import type { Descriptor } from "./wire.ts"

/** The kinds of common passkeys: length of their ids in bytes, and transports. */
const kinds = [
  { length: 16, transports: ["hybrid", "internal"] },
  { length: 20, transports: ["hybrid", "internal"] },
  { length: 32, transports: ["internal"] },
] as const

/** One in this many addresses has two decoys. */
const withTwo = 4

/**
 * Decoy passkeys for an address that has none. They are derived from the address with a secret key: an empty list, or one that changes
 * between requests, would reveal that the address has no passkeys.
 */
export const decoysOf = Effect.fnUntraced(function* decoysOf(email: string) {
  const [count = 0] = yield* bytesOf("passkey-decoy-count", email)
  const first = yield* decoyOf(0, email)
  return count % withTwo === 0 ? [first, yield* decoyOf(1, email)] : [first]
})

/** Derives the kind separately from the id, so that the two are not correlated. */
const decoyOf = Effect.fnUntraced(function* decoyOf(index: number, email: string) {
  const [drawn = 0] = yield* bytesOf("passkey-decoy-kind", `${index}:${email}`)
  const { length, transports } = kinds[drawn % kinds.length] ?? kinds[0]
  const id = (yield* bytesOf("passkey-decoy", `${index}:${email}`)).subarray(0, length)
  return { type: "public-key", id: Base64Url.encode(id), transports } satisfies Descriptor
})

const bytesOf = Effect.fnUntraced(function* bytesOf(purpose: string, text: string) {
  return Option.getOrThrow(strictBase64Url(yield* (yield* Keys).sign(purpose, text)))
})
