import { Effect, Layer } from "effect"
import { type NoResponse, PublicFetch, type PublicResponse } from "../../domain/ports/public-fetch.ts"
import { type WebhookAnswer, type WebhookMessage, WebhookSender } from "../../domain/ports/webhook-sender.ts"

/** Milliseconds for one attempt. */
const patience = 15_000
/** Bytes of an answer that are read; it is dropped. */
const limit = 16_384

/** Sends webhooks. */
export const layer = Layer.effect(
  WebhookSender,
  Effect.map(PublicFetch, ({ fetch }) => ({
    send: (message: WebhookMessage) =>
      Effect.promise(() => signed(message))
        .pipe(Effect.flatMap(fetch))
        .pipe(Effect.match({ onSuccess: answerOf, onFailure: failed })),
  })),
)

const signed = async ({ id, url, body, secrets, allow_private }: WebhookMessage) => {
  const { Webhook } = await import("standardwebhooks")
  const now = new Date()
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
  }
  return { method: "POST", url, headers, body, limit, patience, allow_private } as const
}

const answerOf = ({ status, headers }: PublicResponse): WebhookAnswer => {
  if (status >= 200 && status < 300) return { isAccepted: true, status }
  const wanted = Number(headers["retry-after"])
  return {
    isAccepted: false,
    status,
    reason: `status ${status}`,
    isGone: status === 410,
    retryAfter: Number.isInteger(wanted) && wanted > 0 ? wanted : null,
  }
}

const failed = ({ reason }: NoResponse): WebhookAnswer => ({ isAccepted: false, status: null, reason, isGone: false, retryAfter: null })
