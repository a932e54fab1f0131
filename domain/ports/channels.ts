import { Context, type Effect } from "effect"
import type { DeliveryRefused } from "./delivery.ts"

/**
 * Delivers a message to a part of a channel. Without a part, returns the parts that get it: each has deliveries of its own, so that one
 * that hangs delays no other.
 */
export type Deliver<R = never> = (text: string, part: string | null) => Effect.Effect<ReadonlyArray<string>, DeliveryRefused, R>

/**
 * Where the outbox delivers messages that are neither mails nor SMS, by the name of the channel: to other services, in the protocol of the
 * module that sends them. A channel that is missing now, because its module is off, refuses its messages for good.
 */
export const Channels = Context.Reference("sallyport/Channels", {
  defaultValue: (): Readonly<Record<string, Deliver>> => ({}),
})
