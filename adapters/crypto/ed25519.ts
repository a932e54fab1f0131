import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { ed25519 } from "@noble/curves/ed25519.js"
import { Effect, Layer } from "effect"
import { Base64Url } from "effect/encoding"
import { Ed25519 } from "../../domain/ports/ed25519.ts"

/** Caches the result per array of bytes. */
const cached = <A>(make: (bytes: Uint8Array) => A) => {
  const cache = new WeakMap<Uint8Array, A>()
  return (bytes: Uint8Array): A => {
    const known = cache.get(bytes)
    if (known !== undefined) return known
    const fresh = make(bytes)
    cache.set(bytes, fresh)
    return fresh
  }
}

const okp = (publicKey: Uint8Array) => ({ kty: "OKP", crv: "Ed25519", x: Base64Url.encode(publicKey) })

const privateKeyOf = cached((seed) =>
  createPrivateKey({ key: { ...okp(ed25519.getPublicKey(seed)), d: Base64Url.encode(seed) }, format: "jwk" }),
)

/** Null unless the bytes are a point of prime order: other points accept several signatures for one message. */
const publicKeyOf = cached((bytes): KeyObject | null => {
  if (!isStrictPoint(bytes)) return null
  return createPublicKey({ key: okp(bytes), format: "jwk" })
})

const isStrictPoint = (bytes: Uint8Array) => {
  try {
    const point = ed25519.Point.fromBytes(bytes, false)
    return !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    return false
  }
}

/** `@noble/curves` derives and validates each key once. Node signs and verifies, fifteen times as fast. */
export const layer = Layer.succeed(
  Ed25519,
  Ed25519.of({
    publicKey: (secretKey) => Effect.sync(() => ed25519.getPublicKey(secretKey)),
    sign: (secretKey, data) => Effect.sync(() => new Uint8Array(sign(null, data, privateKeyOf(secretKey)))),
    verify: (publicKey, signature, data) =>
      Effect.sync(() => {
        const key = publicKeyOf(publicKey)
        return key !== null && verify(null, data, key, signature)
      }),
  }),
)
