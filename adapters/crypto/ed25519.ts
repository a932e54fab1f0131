import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { Effect, Layer } from "effect"
import { Base64Url } from "effect/encoding"
import { Ed25519 } from "../../domain/ports/ed25519.ts"
import { retainedOnSuccess } from "../retained.ts"

type Noble = typeof import("@noble/curves/ed25519.js")["ed25519"]

/** Caches the result per array of bytes. */
const cached = <A>(make: (noble: Noble, bytes: Uint8Array) => A) => {
  const cache = new WeakMap<Uint8Array, A>()
  return (noble: Noble, bytes: Uint8Array): A => {
    const known = cache.get(bytes)
    if (known !== undefined) return known
    const fresh = make(noble, bytes)
    cache.set(bytes, fresh)
    return fresh
  }
}

const okp = (publicKey: Uint8Array) => ({ kty: "OKP", crv: "Ed25519", x: Base64Url.encode(publicKey) })

const privateKeyOf = cached((noble, seed) =>
  createPrivateKey({ key: { ...okp(noble.getPublicKey(seed)), d: Base64Url.encode(seed) }, format: "jwk" }),
)

/** Null unless the bytes are a point of prime order: other points accept several signatures for one message. */
const publicKeyOf = cached((noble, bytes): KeyObject | null => {
  if (!isStrictPoint(noble, bytes)) return null
  return createPublicKey({ key: okp(bytes), format: "jwk" })
})

const isStrictPoint = (noble: Noble, bytes: Uint8Array) => {
  try {
    const point = noble.Point.fromBytes(bytes, false)
    return !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    return false
  }
}

/** `@noble/curves` derives and validates each key once, and is loaded with the first one. Node signs and verifies, fifteen times as fast. */
export const layer = Layer.effect(
  Ed25519,
  Effect.gen(function* makeEd25519() {
    const loaded = yield* retainedOnSuccess(Effect.promise(() => import("@noble/curves/ed25519.js")))
    return Ed25519.of({
      publicKey: (secretKey) => Effect.map(loaded, ({ ed25519 }) => ed25519.getPublicKey(secretKey)),
      sign: (secretKey, data) => Effect.map(loaded, ({ ed25519 }) => new Uint8Array(sign(null, data, privateKeyOf(ed25519, secretKey)))),
      verify: (publicKey, signature, data) =>
        Effect.map(loaded, ({ ed25519 }) => {
          const key = publicKeyOf(ed25519, publicKey)
          return key !== null && verify(null, data, key, signature)
        }),
    })
  }),
)
