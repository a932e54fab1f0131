import { Context, type Effect } from "effect"
import type { DeliveryRefused } from "./delivery.ts"
import type { Sms } from "./messages.ts"

export type { Sms } from "./messages.ts"

/** Sends text messages through a gateway. Only the outbox calls it. Interrupting `send` aborts the attempt. */
export class SmsSender extends Context.Service<SmsSender, { send(sms: Sms): Effect.Effect<void, DeliveryRefused> }>()(
  "sallyport/SmsSender",
) {}
