import { lookup as systemLookup } from "node:dns"
import type { IncomingMessage } from "node:http"
import type { LookupFunction } from "node:net"
import { Effect, Layer, Option } from "effect"
import { NoResponse, PublicFetch, type PublicRequest, type PublicResponse } from "../../domain/ports/public-fetch.ts"
import { isPublicAddress, isPublicUrl } from "../../domain/values/public-address.ts"
import { isWebUrl } from "../../domain/values/url.ts"
import { http, https } from "../node-http.ts"
import { lookupOf } from "./dns-lookup.ts"

class Refused extends Error {}

/** Sends requests to public addresses. `lookup` resolves names in place of the system; for tests. */
export const layer = (lookup?: LookupFunction) =>
  Layer.succeed(PublicFetch, {
    fetch: (request) => Effect.tryPromise({ try: (signal) => send(request, signal, lookup), catch: noResponse }),
  })

const send = async (request: PublicRequest, interrupted: AbortSignal, lookup: LookupFunction | undefined) => {
  const url = allowedUrl(request)
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(request.patience)])
  return exchange(
    url,
    request,
    signal,
    request.allow_private ? (lookup ?? (systemLookup as LookupFunction)) : checked(lookup ?? lookupOf()),
  )
}

/** Literal addresses are checked here: a connection to them resolves no name. */
const allowedUrl = ({ url, allow_private }: PublicRequest) => {
  const allowed = allow_private ? isWebUrl(url) : isPublicUrl(url)
  if (allowed) return new URL(url)
  throw new Refused(/^https:/i.test(url) ? "the address is private" : "the URL is not https")
}

/**
 * Resolves a name for a connection, and fails if one of its addresses is private. The connection uses exactly these addresses: a second
 * resolution could return others (DNS rebinding).
 */
const checked =
  (lookup: LookupFunction): LookupFunction =>
  (host, options, done) =>
    lookup(host, options, (error, found, family) => {
      if (error !== null) return done(error, found, family)
      const addresses = typeof found === "string" ? [found] : found.map(({ address }) => address)
      if (addresses.length > 0 && addresses.every(isPublicAddress)) return done(null, found, family)
      return done(new Refused("the address is private"), "", 0)
    })

/** Sends the request on a connection of its own: one that is kept could be to an address of an earlier resolution. */
const exchange = (url: URL, { method, headers, body, limit }: PublicRequest, signal: AbortSignal, lookup: LookupFunction) =>
  new Promise<PublicResponse>((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http
    const all = { "user-agent": "Sallyport", "accept-encoding": "identity", ...headers, ...lengthOf(body) }
    const sent = request(url, { method, headers: all, lookup, signal, agent: false }, (response) => read(response, limit, resolve, reject))
    sent.on("error", reject)
    sent.on("close", () => reject(new Error("the connection was closed")))
    sent.end(body)
  })

const lengthOf = (body: string | undefined) => (body === undefined ? {} : { "content-length": Buffer.byteLength(body) })

/** Reads the body, and ends the connection of a longer one. */
const read = (response: IncomingMessage, limit: number, resolve: (response: PublicResponse) => void, reject: (error: unknown) => void) => {
  const { statusCode: status = 0, headers } = response
  const chunks: Array<Buffer> = []
  let left = limit
  response.on("data", (chunk: Buffer) => {
    left -= chunk.length
    chunks.push(chunk)
    if (left >= 0) return
    resolve({ status, headers, body: Option.none() })
    response.destroy()
  })
  response.on("end", () => resolve({ status, headers, body: Option.some(new Uint8Array(Buffer.concat(chunks))) }))
  response.on("error", reject)
}

/** Messages of network errors contain addresses, so only their codes are shown. */
const noResponse = (error: unknown) => {
  if (error instanceof Refused) return new NoResponse({ reason: error.message, refused: true })
  const { cause, code } = Object(error) as { readonly cause?: unknown; readonly code?: unknown }
  if (Object(cause).name === "TimeoutError") return new NoResponse({ reason: "no answer in time", refused: false })
  return new NoResponse({ reason: typeof code === "string" ? code : "the request failed", refused: false })
}
