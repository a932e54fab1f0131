import { Context, type Effect } from "effect"
import type { DeliveryRefused } from "./delivery.ts"

/**
 * Where the outbox delivers messages that are neither mails nor SMS, by the name of the channel: to other services, in the protocol of the
 * module that sends them. A channel that is missing now, because its module is off, refuses its messages for good.
 */
export const Channels = Context.Reference("sallyport/Channels", {
  defaultValue: (): Readonly<Record<string, (text: string) => Effect.Effect<void, DeliveryRefused>>> => ({}),
})
