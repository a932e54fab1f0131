import { Context, type Effect } from "effect"

/** One delivery of an event to a webhook. */
export interface WebhookMessage {
  /** The id of the event, the same for every attempt. */
  readonly id: string
  readonly url: string
  /** JSON. */
  readonly body: string
  /** `whsec_…`; each of them signs, so that the receiver can rotate them. */
  readonly secrets: ReadonlyArray<string>
  /** Whether the address may be private, and the URL `http:`. */
  readonly allow_private: boolean
}

/** What became of an attempt. Only answers with a status of 200 to 299 are accepted. */
export type WebhookAnswer =
  | { readonly isAccepted: true; readonly status: number }
  | {
      readonly isAccepted: false
      /** Null without an answer. */
      readonly status: number | null
      /** A short sentence without content of the answer. */
      readonly reason: string
      /** Whether the receiver refuses all further events (410). */
      readonly isGone: boolean
      /** Seconds until the next attempt, if the receiver sent `Retry-After`. */
      readonly retryAfter: number | null
    }

/** Sends events with a signature of Standard Webhooks (https://www.standardwebhooks.com). */
export class WebhookSender extends Context.Service<WebhookSender, { send(message: WebhookMessage): Effect.Effect<WebhookAnswer> }>()(
  "sallyport/WebhookSender",
) {}
