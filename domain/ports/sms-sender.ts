import type { Effect } from "effect"
import { Context } from "effect"
import type { DeliveryRefused } from "./delivery.ts"

/** One short message, ready to be sent. */
export interface Sms {
  /** The number as the user typed it. */
  readonly to: string
  readonly text: string
  /** The same for every attempt at one message, so that a gateway can drop a repeated one. */
  readonly id: string
}

/** Hands short messages to whoever delivers them; the outbox calls it, nobody else. Interrupting `send` gives the message up. */
export class SmsSender extends Context.Service<SmsSender, { send(sms: Sms): Effect.Effect<void, DeliveryRefused> }>()(
  "sallyport/SmsSender",
) {}
