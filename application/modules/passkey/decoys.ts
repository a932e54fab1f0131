import { Effect, Option } from "effect"
import { Base64Url } from "effect/encoding"
import { Keys } from "../../../domain/tokens/keys.ts"
import { strictBase64Url } from "../../../domain/values/strict-base64-url.ts"
import type { Descriptor } from "./wire.ts"

/** What passkeys are like where people have them: how long their ids are, in bytes, and the ways to them. */
const kinds = [
  { length: 16, transports: ["hybrid", "internal"] },
  { length: 20, transports: ["hybrid", "internal"] },
  { length: 32, transports: ["internal"] },
] as const

/** One address in so many has two. */
const withTwo = 4

/**
 * Passkeys of an address that has none. An address has the same ones each time, and nobody else can tell what they are made of: a list that
 * is empty, or another one at the next question, would say that nobody is known by it.
 */
export const decoysOf = Effect.fnUntraced(function* decoysOf(email: string) {
  const [count = 0] = yield* bytesOf("passkey-decoy-count", email)
  const first = yield* decoyOf(0, email)
  return count % withTwo === 0 ? [first, yield* decoyOf(1, email)] : [first]
})

/** The kind is drawn apart from the id, so that nothing in the one agrees with the other. */
const decoyOf = Effect.fnUntraced(function* decoyOf(index: number, email: string) {
  const [drawn = 0] = yield* bytesOf("passkey-decoy-kind", `${index}:${email}`)
  const { length, transports } = kinds[drawn % kinds.length] ?? kinds[0]
  const id = (yield* bytesOf("passkey-decoy", `${index}:${email}`)).subarray(0, length)
  const descriptor: Descriptor = { type: "public-key", id: Base64Url.encode(id), transports }
  return descriptor
})

const bytesOf = Effect.fnUntraced(function* bytesOf(purpose: string, text: string) {
  return Option.getOrThrow(strictBase64Url(yield* (yield* Keys).sign(purpose, text)))
})
