import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { Aead, Kdf, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { Jose } from "../ports/jose.ts"
import { TextHashes } from "../ports/text-hashes.ts"
import { strictBase64Url } from "../values/strict-base64-url.ts"
import type { SigningKey } from "./jws.ts"
import * as SealedText from "./sealed-text.ts"
import { ed25519, hmac } from "./signing-key.ts"

/** A secret shorter than this many bytes is refused. */
export const minSecretBytes = 32

/** The list of secrets is empty, or one of them is too short. */
class WeakSecret extends Data.TaggedError("WeakSecret")<{ readonly message: string }> {}

/**
 * Operations with secret keys. Each purpose has its own key, derived from the secret with HKDF (RFC 5869), so that a value made for one
 * purpose is not valid for another. The first secret makes new values; all secrets verify and decrypt old ones.
 */
export class Keys extends Context.Service<
  Keys,
  {
    /** HMAC-SHA256 of a text, base64url. */
    sign(purpose: string, text: string): Effect.Effect<string>
    /** Whether the tag was made with one of the secrets; compared in constant time. */
    verify(purpose: string, text: string, tag: string): Effect.Effect<boolean>
    /** Encrypts a text, for `open` with the same purpose. */
    seal(purpose: string, text: string): Effect.Effect<string>
    /**
     * Seals the text of `sealed` again with the first secret. Unchanged if it is sealed with that secret already; none if `open` returns
     * none.
     */
    reseal(purpose: string, sealed: string): Effect.Effect<Option.Option<string>>
    /** The ids of the secrets in sealed texts, the newest first. Derived with HKDF, so that an id does not reveal its secret. */
    readonly ids: readonly [string, ...ReadonlyArray<string>]
    /** Decrypts a sealed text. None if it was modified, or sealed for another purpose or with a secret that is no longer configured. */
    open(purpose: string, sealed: string): Effect.Effect<Option.Option<string>>
    /** An Ed25519 key pair per secret, the newest first, for tokens that other services verify. */
    signingKeys(purpose: string): Effect.Effect<readonly [Pair, ...ReadonlyArray<Pair>]>
    /** The key of `sign` per secret, the newest first, for tokens that only this service verifies. */
    macKeys(purpose: string): Effect.Effect<readonly [SigningKey, ...ReadonlyArray<SigningKey>]>
  }
>()("sallyport/Keys") {}

type Pair = Effect.Success<ReturnType<typeof ed25519>>

const utf8 = new TextEncoder()
const fromUtf8 = new TextDecoder()
const nonceBytes = Aead.aes256Gcm.nonceLength

export const layer = (secrets: ReadonlyArray<Redacted.Redacted<string>>) => Layer.effect(Keys, make(secrets))

/** Keys from a list of secrets, the newest first; fails with `WeakSecret`. */
export const make = Effect.fnUntraced(function* make(secrets: ReadonlyArray<Redacted.Redacted<string>>) {
  const [newest, ...older] = yield* Effect.forEach(secrets, checked)
  if (newest === undefined) return yield* new WeakSecret({ message: "at least one secret is required" })
  const kdf = yield* Kdf.Kdf
  const materials: Materials = [newest, ...older]
  const derive = deriver(kdf, materials)
  const forPairs = yield* Effect.context<Jose>()
  const pair = derive("ed25519", (bytes) => Effect.provide(ed25519(bytes), forPairs))
  const macKey = derive("mac", (bytes) => Effect.succeed(hmac(bytes)))
  const ofEach =
    <K>(of: (material: Uint8Array, purpose: string) => Effect.Effect<K>) =>
    (purpose: string) =>
      Effect.all([of(newest, purpose), ...older.map((material) => of(material, purpose))])

  return Keys.of({
    ...tagging(materials, derive, yield* TextHashes),
    ...(yield* sealing(materials, derive, kdf)),
    signingKeys: ofEach(pair),
    macKeys: ofEach(macKey),
  })
})

type Materials = readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]
type Derive = ReturnType<typeof deriver>

/** Derives keys of one kind, once per secret and purpose. */
const deriver =
  (kdf: Kdf.Kdf["Service"], materials: Materials) =>
  <K, E>(kind: string, make: (bytes: Uint8Array) => Effect.Effect<K, E>) => {
    const cache = new Map<Uint8Array, Map<string, K>>(materials.map((material) => [material, new Map()]))
    return (material: Uint8Array, purpose: string): Effect.Effect<K> => {
      const cached = cache.get(material)?.get(purpose)
      if (cached !== undefined) return Effect.succeed(cached)
      const info = utf8.encode(`sallyport/${kind}/${purpose}`)
      return kdf.derive(Kdf.hkdfSha256, material, { salt: new Uint8Array(), length: 32, info }).pipe(
        Effect.flatMap(make),
        Effect.tap((key) => Effect.sync(() => cache.get(material)?.set(purpose, key))),
        Effect.orDie,
      )
    }
  }

const tagging = (materials: Materials, derive: Derive, hashes: TextHashes["Service"]): Pick<Keys["Service"], "sign" | "verify"> => {
  const key = derive("mac", Effect.succeed)
  return {
    sign: (purpose, text) => Effect.map(key(materials[0], purpose), (bytes) => hashes.hmacSha256(bytes, text)),
    verify: Effect.fnUntraced(function* verify(purpose, text, tag) {
      for (const material of materials) if (hashes.verifyHmacSha256(yield* key(material, purpose), text, tag)) return true
      return false
    }),
  }
}

const sealing = Effect.fnUntraced(function* sealing(materials: Materials, derive: Derive, kdf: Kdf.Kdf["Service"]) {
  const aead = yield* Aead.Aead
  const random = yield* SecureRandom.SecureRandom
  const key = derive("seal", (bytes) => Aead.key(Aead.aes256Gcm, bytes))
  const [newest, ...older] = materials
  const newestId = yield* idOf(kdf, newest)
  const olderIds = yield* Effect.forEach(older, (material) => idOf(kdf, material))
  const ids = [newestId, ...olderIds] as const

  const openWith = (material: Uint8Array, purpose: string, sealed: Uint8Array) =>
    Effect.flatMap(key(material, purpose), (key) =>
      aead.decrypt(key, sealed.subarray(nonceBytes), { nonce: sealed.subarray(0, nonceBytes) }),
    )
  const seal = Effect.fnUntraced(function* seal(purpose: string, text: string) {
    const nonce = yield* random.randomBytes(nonceBytes)
    const sealed = yield* aead.encrypt(yield* key(newest, purpose), utf8.encode(text), { nonce })
    return SealedText.written(newestId, Base64Url.encode(Uint8Array.from([...nonce, ...sealed])))
  }, Effect.orDie)
  const open = Effect.fnUntraced(function* open(purpose: string, sealed: string) {
    const { id, value } = SealedText.parsed(sealed)
    const bytes = strictBase64Url(value)
    if (Option.isNone(bytes)) return Option.none<string>()
    for (const [at, material] of materials.entries()) {
      if (id !== null && id !== ids[at]) continue
      const text = yield* Effect.option(openWith(material, purpose, bytes.value))
      if (Option.isSome(text)) return Option.some(fromUtf8.decode(text.value))
    }
    return Option.none<string>()
  })
  const reseal = Effect.fnUntraced(function* reseal(purpose: string, sealed: string) {
    if (SealedText.parsed(sealed).id === newestId) return Option.some(sealed)
    const text = yield* open(purpose, sealed)
    return Option.isNone(text) ? text : Option.some(yield* seal(purpose, text.value))
  })
  return { seal, open, reseal, ids }
})

/** 48 bits: enough to distinguish the few secrets of one service. */
const idOf = (kdf: Kdf.Kdf["Service"], material: Uint8Array) =>
  kdf
    .derive(Kdf.hkdfSha256, material, { salt: new Uint8Array(), length: 6, info: utf8.encode("sallyport/id") })
    .pipe(Effect.map(Base64Url.encode), Effect.orDie)

const checked = (secret: Redacted.Redacted<string>) => {
  const bytes = utf8.encode(Redacted.value(secret))
  return bytes.length < minSecretBytes
    ? Effect.fail(new WeakSecret({ message: `a secret needs at least ${minSecretBytes} bytes, this one has ${bytes.length}` }))
    : Effect.succeed(bytes)
}

/** A new secret of 256 bits, base64url, for cookies, links and one-time tokens. */
export const randomToken = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return Base64Url.encode(yield* random.randomBytes(32))
})

/** The stored form of a token: SHA-256 over its kind and the token, so that a token is valid for its own kind only. */
export const tokenHash = (kind: string, token: string) => Effect.map(TextHashes, ({ sha256 }) => sha256(`${kind}:${token}`))
