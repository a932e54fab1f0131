import { Effect, Layer } from "effect"
import type { PublicAnswer } from "../../domain/ports/public-fetch.ts"
import { PublicFetch } from "../../domain/ports/public-fetch.ts"
import { type WebhookAnswer, type WebhookMessage, WebhookSender } from "../../domain/ports/webhook-sender.ts"

/** Milliseconds for one attempt, from the resolution of the name to the end of the answer. */
const timeout = 15_000
/** Bytes of an answer that are read; it is dropped. */
const limit = 16_384

/** Sends webhooks. */
export const layer = Layer.effect(
  WebhookSender,
  Effect.map(PublicFetch, ({ fetch }) => ({
    send: Effect.fnUntraced(function* sendWebhook({ url, body, allow_private, ...message }: WebhookMessage) {
      const headers = yield* Effect.promise(() => signedHeaders({ ...message, body }))
      return yield* fetch({ method: "POST", url, headers, body, limit, timeout, allow_private }).pipe(
        Effect.map(answerOf),
        Effect.catch(({ reason }) => Effect.succeed<WebhookAnswer>({ isAccepted: false, reason, isGone: false, retryAfter: null })),
      )
    }),
  })),
)

const signedHeaders = async ({ id, body, secrets }: Pick<WebhookMessage, "id" | "body" | "secrets">) => {
  const { Webhook } = await import("standardwebhooks")
  const now = new Date()
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
  }
}

const answerOf = ({ status, retryAfter }: PublicAnswer): WebhookAnswer => {
  if (status >= 200 && status < 300) return { isAccepted: true }
  const wanted = Number(retryAfter)
  return {
    isAccepted: false,
    reason: `status ${status}`,
    isGone: status === 410,
    retryAfter: Number.isInteger(wanted) && wanted > 0 ? wanted : null,
  }
}
