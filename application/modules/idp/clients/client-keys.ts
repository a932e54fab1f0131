import { DateTime, Effect, Option, Schema } from "effect"
import type { Jwk } from "../../../../domain/ports/jose.ts"
import { PublicFetch } from "../../../../domain/ports/public-fetch.ts"
import { strictJsonObject } from "../../../../domain/values/strict-json.ts"
import { type Client, Jwks } from "./client.ts"
import { fetchCache } from "./fetch-cache.ts"

// The public keys of clients: in their settings, or at their `jwks_uri`.

/** Limit on the size of a key set, bytes. */
const limit = 65_536

/** Time for a client's server to answer, milliseconds. */
const patience = 2500

/** Seconds for which a key set is used without another request. */
const maxAge = 3600

/** Seconds between two requests to one URL: a stranger can send tokens with unknown keys. */
const refetchAfter = 30

/** The key set that was last read from a URL. */
interface Fetched {
  keys: ReadonlyArray<Jwk>
  /** Epoch milliseconds of the last request. */
  requested_at: number
}

const entryOf = fetchCache("ClientKeys", (): Fetched => ({ keys: [], requested_at: Number.NEGATIVE_INFINITY }))

/** The file at a URL of a client; none if it cannot be read. */
export const fetchedBytes = Effect.fnUntraced(function* fetchBytes(url: string, allow_private: boolean) {
  const headers = { accept: "application/json" }
  const { fetch } = yield* PublicFetch
  return yield* fetch({ method: "GET", url, headers, limit, patience, allow_private }).pipe(
    Effect.map(({ status, body }) => (status === 200 ? body : Option.none())),
    Effect.orElseSucceed(() => Option.none<Uint8Array>()),
  )
})

const fetchedKeys = (uri: string, allow_private: boolean) =>
  Effect.map(
    fetchedBytes(uri, allow_private),
    Option.flatMap((bytes) => Option.flatMap(strictJsonObject(bytes), Schema.decodeUnknownOption(Jwks))),
  )

const matching = (keys: ReadonlyArray<Jwk>, kid: string | undefined) => keys.filter((key) => kid === undefined || key["kid"] === kid)

/** Reads the key set again if it is old, or has no such key. A failed request leaves the known keys valid. */
const keysAt = Effect.fnUntraced(function* keysAt(uri: string, kid: string | undefined, allow_private: boolean) {
  // A client that may not reach the address must not exhaust the requests of one that may.
  const { mutex, value: entry } = yield* entryOf(`${allow_private} ${uri}`)
  const refresh = Effect.gen(function* () {
    const now = DateTime.toEpochMillis(yield* DateTime.now)
    const age = (now - entry.requested_at) / 1000
    const isDue = age >= (matching(entry.keys, kid).length === 0 ? refetchAfter : maxAge)
    if (!isDue) return
    entry.requested_at = now
    const set = yield* fetchedKeys(uri, allow_private)
    if (Option.isSome(set)) entry.keys = set.value.keys
    else yield* Effect.annotateLogs(Effect.logWarning("the keys of a client cannot be read"), { jwks_uri: uri })
  })
  yield* mutex.withPermits(1)(refresh)
  return matching(entry.keys, kid)
})

/** The public keys of a client that may have made a signature: that with this `kid`, or all of them if the token names none. */
export const publicKeysOf = ({ jwks, jwks_uri, public_only = false }: Client, kid: string | undefined) =>
  jwks_uri === null ? Effect.succeed(matching(jwks?.keys ?? [], kid)) : keysAt(jwks_uri, kid, !public_only)
