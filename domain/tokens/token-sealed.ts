import { Effect, Option } from "effect"
import { Aead, Kdf, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { strictBase64Url } from "../values/strict-base64-url.ts"

// Text that only the bearer of a random token can read: the key is derived from the token, which the store does not have.

const utf8 = new TextEncoder()
const algorithm = Aead.aes256Gcm

const keyOf = Effect.fnUntraced(function* keyOf(token: string) {
  const kdf = yield* Kdf.Kdf
  const info = utf8.encode("sallyport/token-sealed")
  return yield* Aead.key(algorithm, yield* kdf.derive(Kdf.hkdfSha256, utf8.encode(token), { salt: new Uint8Array(), length: 32, info }))
})

/** Encrypts a text for the bearer of a token of at least 256 random bits. `context` must be the same when it is opened. */
export const seal = Effect.fnUntraced(function* seal(token: string, context: string, text: string) {
  const nonce = yield* (yield* SecureRandom.SecureRandom).randomBytes(algorithm.nonceLength)
  const sealed = yield* (yield* Aead.Aead).encrypt(yield* keyOf(token), utf8.encode(text), { nonce, aad: utf8.encode(context) })
  return Base64Url.encode(Uint8Array.from([...nonce, ...sealed]))
}, Effect.orDie)

/** The text; none for another token or another context. */
export const open = Effect.fnUntraced(function* open(token: string, context: string, sealed: string) {
  const bytes = strictBase64Url(sealed)
  if (Option.isNone(bytes)) return Option.none<string>()
  const nonce = bytes.value.subarray(0, algorithm.nonceLength)
  const key = yield* Effect.orDie(keyOf(token))
  const text = (yield* Aead.Aead).decrypt(key, bytes.value.subarray(algorithm.nonceLength), { nonce, aad: utf8.encode(context) })
  return Option.map(yield* Effect.option(text), (plain) => new TextDecoder().decode(plain))
})
