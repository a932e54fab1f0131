import { Context, type Effect } from "effect"
import type { DeliveryRefused } from "./delivery.ts"
import type { Mail } from "./messages.ts"

export type { Mail } from "./messages.ts"

/** Sends mail through a delivery service. Only the outbox calls it. Interrupting `send` aborts the attempt. */
export class Mailer extends Context.Service<Mailer, { send(mail: Mail): Effect.Effect<void, DeliveryRefused> }>()("sallyport/Mailer") {}
