import { lookup as systemLookup } from "node:dns"
import type { IncomingMessage } from "node:http"
import { isIP, type LookupFunction } from "node:net"
import { Effect, Layer } from "effect"
import { type WebhookAnswer, type WebhookMessage, WebhookSender } from "../../domain/ports/webhook-sender.ts"
import { http, https } from "../node-http.ts"
import { isPublic } from "./public-address.ts"

/** Milliseconds for one attempt, from the resolution of the name to the end of the answer. */
const timeout = 15_000
/** Bytes of an answer that are read; it is dropped. */
const maxAnswer = 16_384

class Refused extends Error {}

/** Sends webhooks. `lookup` resolves names; tests replace it. */
export const layer = (lookup: LookupFunction = systemLookup as LookupFunction) =>
  Layer.succeed(WebhookSender, { send: (message) => Effect.promise((signal) => send(message, signal, lookup)) })

const send = async (message: WebhookMessage, interrupted: AbortSignal, lookup: LookupFunction): Promise<WebhookAnswer> => {
  try {
    const url = allowedUrl(message)
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])
    return answerOf(await exchange(url, message, signal, message.allow_private ? lookup : checked(lookup)))
  } catch (error) {
    return failed(reasonOf(error))
  }
}

/** Literal addresses are checked here: a connection to them resolves no name. */
const allowedUrl = ({ url, allow_private }: WebhookMessage) => {
  const parsed = new URL(url)
  if (parsed.protocol !== "https:" && !(allow_private && parsed.protocol === "http:")) throw new Refused("the URL is not https")
  const host = parsed.hostname.replace(/^\[|\]$/g, "")
  if (!allow_private && isIP(host) !== 0 && !isPublic(host)) throw new Refused("the address is private")
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

/** Posts the event on a connection of its own. Redirects are not followed. */
const exchange = async (url: URL, { id, body, secrets }: WebhookMessage, signal: AbortSignal, lookup: LookupFunction) => {
  const { Webhook } = await import("standardwebhooks")
  const now = new Date()
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "user-agent": "Sallyport",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
  }
  const { request: make } = url.protocol === "https:" ? https : http
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = make(url, { method: "POST", headers, lookup, signal, agent: false }, (response) => {
      let read = 0
      response.on("data", (chunk: Buffer) => {
        read += chunk.length
        if (read <= maxAnswer) return
        resolve(response)
        response.destroy()
      })
      response.on("close", () => resolve(response))
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(body)
  })
}

const answerOf = ({ statusCode = 0, headers }: IncomingMessage): WebhookAnswer => {
  if (statusCode >= 200 && statusCode < 300) return { isAccepted: true }
  const wanted = Number(headers["retry-after"])
  return {
    isAccepted: false,
    reason: `status ${statusCode}`,
    isGone: statusCode === 410,
    retryAfter: Number.isInteger(wanted) && wanted > 0 ? wanted : null,
  }
}

const failed = (reason: string): WebhookAnswer => ({ isAccepted: false, reason, isGone: false, retryAfter: null })

/** Messages of network errors contain addresses, so only their codes are shown. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Refused) return error.message
  const { name, code } = Object(error) as { readonly name?: string; readonly code?: unknown }
  if (name === "TimeoutError") return "no answer in time"
  return typeof code === "string" ? code : "the request failed"
}
