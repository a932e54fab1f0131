import { Context, DateTime, Effect, Option, Schema } from "effect"
import { Jose, type Jwk, type SigningAlgorithm } from "../../../../domain/ports/jose.ts"
import { commitOrConflict, insert, removeEach, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { isReached } from "../../../../domain/sessions/session.ts"
import { Keys } from "../../../../domain/tokens/keys.ts"
import type { KeyRotation, ShownKey } from "../../../../domain/tokens/shown-key.ts"
import { algorithmsOf, type Settings } from "../settings.ts"
import { type SigningKey, SigningKeys, sealingPurpose } from "../tables.ts"

const day = 86_400

/** The seconds between the publication of a key and its first signature: relying parties may cache the key set this long. */
const publishedAhead = day

/** The seconds for which a retired key still verifies the hints of clients (OpenID Connect RP-Initiated Logout section 2). */
const hintLifetime = 90 * day

/** The public part of a key (RFC 7517); the members depend on the algorithm. */
export const PublishedKey = Schema.Struct({
  kty: Schema.String,
  crv: Schema.optionalKey(Schema.String),
  x: Schema.optionalKey(Schema.String),
  y: Schema.optionalKey(Schema.String),
  n: Schema.optionalKey(Schema.String),
  e: Schema.optionalKey(Schema.String),
  use: Schema.Literal("sig"),
  alg: Schema.String,
  kid: Schema.String,
})
const publishedKey = Schema.decodeUnknownSync(Schema.fromJsonString(PublishedKey))

/** The stored keys at a moment. */
interface Ring {
  readonly rows: ReadonlyArray<SigningKey>
  readonly now: DateTime.Utc
}

const successorOf = ({ rows }: Ring, { alg, generation }: SigningKey) =>
  rows.find((row) => row.alg === alg && row.generation === generation + 1)

/** Whether the seconds since the first signature of a key's successor are fewer than this. True for a key without a successor. */
const isReplacedWithin = (ring: Ring, row: SigningKey, seconds: number) => {
  const successor = successorOf(ring, row)
  return successor === undefined || DateTime.isLessThan(ring.now, DateTime.add(successor.signs_from, { seconds }))
}

const newestOf = (rows: ReadonlyArray<SigningKey>, alg: SigningAlgorithm): SigningKey | undefined =>
  rows.filter((row) => row.alg === alg).toSorted((one, other) => other.generation - one.generation)[0]

/** The rows that were last read from a store, and their opened private keys by `kid`. */
interface Cached {
  readonly rows: ReadonlyArray<SigningKey>
  readonly until: DateTime.Utc
  readonly privateKeys: Map<string, Jwk>
}

/** By the service that opens them, which lives as long as the process. The `Store` would not do: each recorded call has one of its own. */
const Cache = Context.Reference("sallyport/idp/SigningKeys", { defaultValue: () => new WeakMap<Keys["Service"], Cached>() })

/** Far shorter than `publishedAhead`, so that every process has read a key before it signs. */
const cacheSeconds = 60

const readRows = Effect.flatMap(Store, (store) => store.list(SigningKeys, {}, { limit: 1000 }))

/** The stored keys. Adds the first key of an algorithm, and the next one when the rotation is due. */
const ringOf = Effect.fnUntraced(function* ringOf(settings: Settings) {
  const service = yield* Keys
  const cache = yield* Cache
  const now = yield* DateTime.now
  const cached = cache.get(service)
  if (cached !== undefined && DateTime.isLessThan(now, cached.until)) return { ...cached, now }
  const ahead = settings.key_rotation - publishedAhead
  const rows = yield* retryOnConflict(addDue(settings, ({ signs_from }) => isReached(DateTime.add(signs_from, { seconds: ahead }), now)))
  const fresh: Cached = { rows, until: DateTime.add(now, { seconds: cacheSeconds }), privateKeys: cached?.privateKeys ?? new Map() }
  cache.set(service, fresh)
  return { ...fresh, now }
})

type IsDue = (newest: SigningKey) => boolean

/** Adds the keys that are due. Of several processes, one adds them: the generation of an algorithm is unique. */
const addDue = Effect.fnUntraced(function* addDueKeys(settings: Settings, isDue: IsDue) {
  const { rows, writes } = yield* dueKeys(settings, isDue)
  if (writes.length > 0) yield* commitOrConflict(writes)
  return rows
})

/** The keys that are due, the writes that add them and remove forgotten ones, and all rows after these writes. */
const dueKeys = Effect.fnUntraced(function* dueSigningKeys(settings: Settings, isDue: IsDue) {
  const rows = yield* readRows
  const due = algorithmsOf(settings).flatMap((alg) => {
    const newest = newestOf(rows, alg)
    return newest === undefined || isDue(newest) ? [{ alg, newest }] : []
  })
  if (due.length === 0) return { added: [], rows, writes: [] }
  const now = yield* DateTime.now
  const added = yield* Effect.forEach(due, ({ alg, newest }) => generated(alg, newest, now))
  const ring = { rows, now }
  const forgotten = rows.filter((row) => !isReplacedWithin(ring, row, hintLifetime)).map(({ kid }) => kid)
  const writes = [...added.map((row) => insert(SigningKeys, row)), removeEach(SigningKeys, forgotten)]
  return { added, rows: [...rows.filter(({ kid }) => !forgotten.includes(kid)), ...added], writes }
})

/** A new key of an algorithm. It signs a day later, when relying parties have read it. The first key of an algorithm signs at once. */
const generated = Effect.fnUntraced(function* generated(alg: SigningAlgorithm, newest: SigningKey | undefined, now: DateTime.Utc) {
  const jose = yield* Jose
  const { publicKey, privateKey } = yield* jose.generate(alg)
  const kid = Option.getOrThrow(yield* jose.thumbprint(publicKey))
  return {
    kid,
    alg,
    generation: (newest?.generation ?? 0) + 1,
    public_jwk: JSON.stringify({ ...publicKey, use: "sig", alg, kid }),
    sealed_jwk: yield* (yield* Keys).seal(sealingPurpose, JSON.stringify(privateKey)),
    signs_from: newest === undefined ? now : DateTime.add(now, { seconds: publishedAhead }),
  } satisfies SigningKey
})

/** The next key of every algorithm whose newest key already signs. */
export const rotation = (settings: Settings) =>
  Effect.gen(function* nextSigningKeys() {
    const now = yield* DateTime.now
    const { added, writes } = yield* dueKeys(settings, ({ signs_from }) => isReached(signs_from, now))
    const [cache, service] = [yield* Cache, yield* Keys]
    const published = Effect.sync(() => void cache.delete(service))
    return { added: added.map(({ kid }) => kid), writes, published } satisfies KeyRotation
  })

/** Adds these keys. Returns their number. */
export const rotateKeys = Effect.fnUntraced(function* rotateKeys(settings: Settings) {
  const { added, writes, published } = yield* rotation(settings)
  if (writes.length > 0) yield* commitOrConflict(writes)
  yield* published
  return added.length
}, retryOnConflict)

/** The stored keys for administrators, without a write: the first use of the provider adds the first keys. */
export const shownKeys = (settings: Settings) =>
  Effect.gen(function* shownSigningKeys() {
    const ring = { rows: yield* readRows, now: yield* DateTime.now }
    const used = algorithmsOf(settings)
    return ring.rows.map((row): ShownKey => {
      const until = successorOf(ring, row)?.signs_from ?? null
      const isNext = row.generation > 1 && !isReached(row.signs_from, ring.now)
      const isFormer = until !== null && isReached(until, ring.now)
      const state = isNext ? "next" : isFormer ? "former" : "current"
      const isReplaced = until === null && used.includes(row.alg)
      const due_at = isReplaced ? DateTime.add(row.signs_from, { seconds: settings.key_rotation }) : null
      return { use: "idp", id: row.kid, algorithm: row.alg, state, from: row.signs_from, until, due_at }
    })
  })

/**
 * The public keys: of current and future signatures, and of tokens that may still be valid. A retired key stays published for a day
 * after its last ID token has expired.
 */
export const publishedKeys = Effect.fnUntraced(function* publishedKeys(settings: Settings) {
  const ring = yield* ringOf(settings)
  const shown = ring.rows.filter((row) => isReplacedWithin(ring, row, settings.id_token_ttl + day))
  const newestFirst = shown.toSorted((one, other) => one.alg.localeCompare(other.alg) || other.generation - one.generation)
  return { keys: newestFirst.map(({ public_jwk }) => publishedKey(public_jwk)) }
})

/** The key that signs now, with its private part. */
export const signingKey = Effect.fnUntraced(function* signingKey(settings: Settings, alg: SigningAlgorithm) {
  const { rows, now, privateKeys } = yield* ringOf(settings)
  // The clock of the process that generated the first key may be ahead.
  const active = rows.filter(({ generation, signs_from }) => generation === 1 || isReached(signs_from, now))
  const row = newestOf(active, alg)
  if (row === undefined) return yield* Effect.die(new Error(`no key signs with ${alg}`))
  const privateKey = privateKeys.get(row.kid) ?? (yield* opened(row))
  privateKeys.set(row.kid, privateKey)
  return { kid: row.kid, privateKey }
})

/** The private part of a key. A start without the secret that it is encrypted under fails, so it can be decrypted. */
const opened = Effect.fnUntraced(function* opened({ kid, sealed_jwk }: SigningKey) {
  const json = yield* (yield* Keys).open(sealingPurpose, sealed_jwk)
  if (Option.isNone(json)) return yield* Effect.die(new Error(`no listed secret opens the signing key ${kid}`))
  return JSON.parse(json.value) as Jwk
})

/** The public key with this `kid` and algorithm. Keys stay valid for hints for 90 days after they were retired. */
export const verificationKey = Effect.fnUntraced(function* verificationKey(settings: Settings, alg: string, kid: string | undefined) {
  const ring = yield* ringOf(settings)
  const row = ring.rows.find((row) => row.kid === kid && row.alg === alg && isReplacedWithin(ring, row, hintLifetime))
  return row === undefined ? Option.none<Jwk>() : Option.some<Jwk>(publishedKey(row.public_jwk))
})
