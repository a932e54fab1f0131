import { Clock, Effect, Semaphore } from "effect"
import { HttpClientRequest } from "effect/http"
import type { Jwk } from "../../../domain/ports/jose.ts"
import { OauthTokenError } from "./errors.ts"
import { answer, reported, Unusable } from "./requests.ts"

/** How long keys are cached, milliseconds. A revoked key is not accepted after this time. */
const cached = 3_600_000

/** The window in which requests for unknown keys are counted, milliseconds, and their limit: attackers can send tokens with any `kid`. */
const refetchWindow = 60_000
const maxRefetches = 5

/** Limit on the keys that are read from one set. */
const maxKeys = 100

interface KeySet {
  readonly keys: ReadonlyArray<Jwk>
  readonly until: number
}

/** A signature to verify: the test whether a key fits it, and the verification by a key. */
export interface Signature<R> {
  readonly isWanted: (key: Jwk) => boolean
  readonly verify: (key: Jwk) => Effect.Effect<boolean, never, R>
}

interface Refetches {
  readonly began: number
  readonly count: number
}

/** Reads and caches the keys of providers (RFC 7517 section 5). */
export const makeKeySets = (timeout: number) => {
  const sets = new Map<string, KeySet>()
  const refetches = new Map<string, Refetches>()
  const locks = new Map<string, Semaphore.Semaphore>()

  const fetched = Effect.fnUntraced(function* fetchedKeys(provider: string, url: string) {
    const { keys } = yield* Effect.retry(answer(HttpClientRequest.get(url), timeout), { times: 1 })
    if (!Array.isArray(keys)) return yield* new Unusable({ reason: "there are no keys in the answer" })
    const set = { keys: keys.slice(0, maxKeys).filter(isKey), until: (yield* Clock.currentTimeMillis) + cached }
    sets.set(provider, set)
    return set
  })

  const mayRefetch = Effect.fnUntraced(function* mayRefetch(provider: string) {
    const now = yield* Clock.currentTimeMillis
    const last = refetches.get(provider)
    const { began, count } = last !== undefined && now < last.began + refetchWindow ? last : { began: now, count: 0 }
    if (count >= maxRefetches) return false
    refetches.set(provider, { began, count: count + 1 })
    return true
  })

  const isVerified = Effect.fnUntraced(function* isVerifiedByOne<R>({ keys }: KeySet, { isWanted, verify }: Signature<R>) {
    for (const key of keys.filter(isWanted)) if (yield* verify(key)) return true
    return false
  })

  const check = Effect.fnUntraced(function* checkSignature<R>(provider: string, url: string, signature: Signature<R>) {
    const known = sets.get(provider)
    const isFresh = known !== undefined && (yield* Clock.currentTimeMillis) < known.until
    const set = isFresh ? known : yield* fetched(provider, url)
    if (yield* isVerified(set, signature)) return true
    if (!isFresh || !(yield* mayRefetch(provider))) return false
    return yield* isVerified(yield* fetched(provider, url), signature)
  })

  /**
   * Whether a key of the provider made the signature. If none did, the provider may have rotated its keys: they are read again, within a
   * limit.
   */
  return <R>(provider: string, url: string, signature: Signature<R>) => {
    const lock = locks.get(provider) ?? Semaphore.makeUnsafe(1)
    locks.set(provider, lock)
    return lock
      .withPermits(1)(check(provider, url, signature))
      .pipe(
        reported(provider, "jwks_url"),
        Effect.mapError(() => new OauthTokenError()),
      )
  }
}
export type KeySets = ReturnType<typeof makeKeySets>

const isKey = (value: unknown): value is Jwk => typeof value === "object" && value !== null && !Array.isArray(value)
