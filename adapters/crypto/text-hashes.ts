import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto"
import { Layer } from "effect"
import { TextHashes } from "../../domain/ports/text-hashes.ts"

const keys = new WeakMap<Uint8Array, KeyObject>()

/** The native form of a key. To make it for every tag would take longer than the tag itself. */
const keyOf = (bytes: Uint8Array): KeyObject => {
  const known = keys.get(bytes)
  if (known !== undefined) return known
  const key = createSecretKey(bytes)
  keys.set(bytes, key)
  return key
}

const hmacSha256 = (key: Uint8Array, text: string) => createHmac("sha256", keyOf(key)).update(text).digest("base64url")

export const layer = Layer.succeed(TextHashes, {
  sha256: (text) => hash("sha256", text, "base64url"),
  hmacSha256,
  verifyHmacSha256: (key, text, tag) => {
    const [wanted, given] = [Buffer.from(hmacSha256(key, text)), Buffer.from(tag)]
    return wanted.length === given.length && timingSafeEqual(wanted, given)
  },
})
