import { Context, DateTime, Effect, Option, Schema, Semaphore, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Jwk } from "../../../../domain/ports/jose.ts"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import type { Client } from "./client.ts"
import { Jwks } from "./client.ts"

// The public keys of clients: in their settings, or at their `jwks_uri`.

/** Limit on the size of a key set, bytes. */
const maxBytes = 65_536

/** Time for a client's server to answer, milliseconds. */
const patience = 2500

/** Seconds for which a key set is used without another request. */
const maxAge = 3600

/** Seconds between two requests to one URL: a stranger can send tokens with unknown keys. */
const refetchAfter = 30

/** The key set that was last read from a URL. */
interface Fetched {
  readonly mutex: Semaphore.Semaphore
  keys: ReadonlyArray<Jwk>
  /** Epoch milliseconds of the last request. */
  requested_at: number
}
const Cache = Context.Reference("sallyport/idp/ClientKeys", { defaultValue: () => new WeakMap<StoreService, Map<string, Fetched>>() })

/** Limit on the URLs in the cache. */
const maxUrls = 1000

const entryOf = Effect.fnUntraced(function* entryOf(uri: string) {
  const cache = yield* Cache
  const store = yield* Store
  const urls = cache.get(store) ?? new Map<string, Fetched>()
  cache.set(store, urls)
  const known = urls.get(uri)
  if (known !== undefined) return known
  const [oldest] = urls.keys()
  if (urls.size >= maxUrls && oldest !== undefined) urls.delete(oldest)
  const entry: Fetched = { mutex: Semaphore.makeUnsafe(1), keys: [], requested_at: Number.NEGATIVE_INFINITY }
  urls.set(uri, entry)
  return entry
})

const unreadable = "unreadable"

const read = Effect.fnUntraced(function* readFile({ status, stream }: HttpClientResponse.HttpClientResponse) {
  if (status !== 200) return Option.none<Uint8Array>()
  const body = yield* Stream.mapError(stream, () => unreadable).pipe(
    Stream.limitBytes(maxBytes, () => Stream.fail(unreadable)),
    Stream.mkUint8Array,
  )
  return Option.some(body)
})

/** The file of a client at a URL; none if it cannot be read. Redirects are not followed: they could lead to a private network. */
export const fetchedBytes = Effect.fnUntraced(
  function* fetchBytes(uri: string) {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const request = HttpClientRequest.setHeaders(HttpClientRequest.get(uri), { accept: "application/json", "user-agent": "sallyport" })
    return yield* client.execute(request).pipe(
      Effect.flatMap(read),
      Effect.scoped,
      Effect.timeout(patience),
      Effect.orElseSucceed(() => Option.none<Uint8Array>()),
    )
  },
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
)

const fetchedKeys = (uri: string) =>
  Effect.map(
    fetchedBytes(uri),
    Option.flatMap((bytes) => Option.flatMap(strictJsonObject(bytes), Schema.decodeUnknownOption(Jwks))),
  )

const matching = (keys: ReadonlyArray<Jwk>, kid: string | undefined) => keys.filter((key) => kid === undefined || key["kid"] === kid)

/** Reads the key set again if it is old, or has no such key. A failed request leaves the known keys valid. */
const keysAt = Effect.fnUntraced(function* keysAt(uri: string, kid: string | undefined) {
  const entry = yield* entryOf(uri)
  const refresh = Effect.gen(function* () {
    const now = DateTime.toEpochMillis(yield* DateTime.now)
    const age = (now - entry.requested_at) / 1000
    const isDue = age >= (matching(entry.keys, kid).length === 0 ? refetchAfter : maxAge)
    if (!isDue) return
    entry.requested_at = now
    const set = yield* fetchedKeys(uri)
    if (Option.isSome(set)) entry.keys = set.value.keys
    else yield* Effect.annotateLogs(Effect.logWarning("the keys of a client cannot be read"), { jwks_uri: uri })
  })
  yield* entry.mutex.withPermits(1)(refresh)
  return matching(entry.keys, kid)
})

/** The public keys of a client that may have made a signature: that with this `kid`, or all of them if the token names none. */
export const publicKeysOf = ({ jwks, jwks_uri }: Client, kid: string | undefined) =>
  jwks_uri === null ? Effect.succeed(matching(jwks?.keys ?? [], kid)) : keysAt(jwks_uri, kid)
