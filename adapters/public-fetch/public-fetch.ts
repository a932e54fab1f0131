import { lookup as systemLookup } from "node:dns"
import type { IncomingMessage } from "node:http"
import { isIP, type LookupFunction } from "node:net"
import { Effect, Layer } from "effect"
import type { PublicAnswer, PublicRequest } from "../../domain/ports/public-fetch.ts"
import { NotFetched, PublicFetch } from "../../domain/ports/public-fetch.ts"
import { isLocal } from "../../domain/values/url.ts"
import { http, https } from "../node-http.ts"
import { isPublic } from "./public-address.ts"

/** Its message contains nothing of the request or the answer. */
class Refused extends Error {}

/** Sends requests to URLs from outside. `lookup` resolves names; tests replace it. */
export const layer = (lookup: LookupFunction = systemLookup as LookupFunction) =>
  Layer.succeed(PublicFetch, {
    isPublicUrl,
    fetch: (request) =>
      Effect.tryPromise({
        try: (signal) => exchange(request, AbortSignal.any([signal, AbortSignal.timeout(request.timeout)]), lookup),
        catch: (error) => new NotFetched({ reason: reasonOf(error) }),
      }),
  })

const isPublicUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "") return false
  const host = hostOf(url)
  return isIP(host) === 0 ? !isLocal({ hostname: host.replace(/\.$/, "") }) : isPublic(host)
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "")

/** Literal addresses are checked here: a connection to them resolves no name. */
const allowedUrl = ({ url, allow_private }: PublicRequest) => {
  const parsed = new URL(url)
  if (parsed.protocol !== "https:" && !(allow_private && parsed.protocol === "http:")) throw new Refused("the URL is not https")
  if (!allow_private && !isPublicUrl(url)) throw new Refused("the address is private")
  return parsed
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
      if (addresses.length > 0 && addresses.every(isPublic)) return done(null, found, family)
      return done(new Refused("the address is private"), "", 0)
    })

/** Sends the request on a connection of its own. Redirects are not followed. */
const exchange = async (sent: PublicRequest, signal: AbortSignal, lookup: LookupFunction) => {
  const url = allowedUrl(sent)
  const { method, body = "", limit } = sent
  const headers = {
    "user-agent": "Sallyport",
    "accept-encoding": "identity",
    ...sent.headers,
    ...(method === "POST" ? { "content-length": Buffer.byteLength(body) } : {}),
  }
  const { request: make } = url.protocol === "https:" ? https : http
  const options = { method, headers, lookup: sent.allow_private ? lookup : checked(lookup), signal, agent: false }
  return new Promise<PublicAnswer>((resolve, reject) => {
    const request = make(url, options, (response) => resolve(answerOf(response, limit, signal)))
    request.on("error", reject)
    request.end(body)
  })
}

const answerOf = async (response: IncomingMessage, limit: number, signal: AbortSignal): Promise<PublicAnswer> => {
  const { statusCode: status = 0, headers } = response
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) break
    chunks.push(chunk)
  }
  // A response that is aborted ends without an error.
  signal.throwIfAborted()
  if (length <= limit && !response.complete) throw new Refused("the answer is incomplete")
  return { status, retryAfter: headers["retry-after"], body: length > limit ? null : Buffer.concat(chunks) }
}

/** Messages of network errors contain addresses, so only their codes are shown. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Refused) return error.message
  const { name, code } = Object(error) as { readonly name?: string; readonly code?: unknown }
  if (name === "TimeoutError") return "no answer in time"
  return typeof code === "string" ? code : "the request failed"
}
