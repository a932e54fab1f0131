import { Context, type Effect } from "effect"
import type { DeliveryRefused } from "./delivery.ts"

/** One short message, ready to be sent. */
export interface Sms {
  /** The number as the user typed it. */
  readonly to: string
  readonly text: string
  /** The same for every attempt to send one message, so that a gateway can drop duplicates. */
  readonly id: string
}

/** Sends text messages through a gateway. Only the outbox calls it. Interrupting `send` aborts the attempt. */
export class SmsSender extends Context.Service<SmsSender, { send(sms: Sms): Effect.Effect<void, DeliveryRefused> }>()(
  "sallyport/SmsSender",
) {}
