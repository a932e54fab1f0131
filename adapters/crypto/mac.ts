import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import { Mac } from "effect/crypto"

const hashes = { MD5: "md5", "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" } as const

const keys = new WeakMap<Uint8Array, KeyObject>()

const keyOf = (bytes: Uint8Array): KeyObject => {
  const known = keys.get(bytes)
  if (known !== undefined) return known
  const key = createSecretKey(bytes)
  keys.set(bytes, key)
  return key
}

/**
 * HMAC with cached native keys: the platform's own layer creates a native key for every tag, which takes five times as long as the
 * tag itself.
 */
export const layer = Mac.layerWebCryptoWith({
  hmac: (hash, key, data) => new Uint8Array(createHmac(hashes[hash], keyOf(key)).update(data).digest()),
}).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
