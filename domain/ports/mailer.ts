import { Context, type Effect } from "effect"
import type { DeliveryRefused } from "./delivery.ts"

/** One mail, ready to be sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /**
   * The local part of the Message-ID; the mailer adds its domain. It is the same for every
   * attempt to send one mail, so that a receiver can drop duplicates.
   */
  readonly messageId: string
}

/** Sends mail through a delivery service. Only the outbox calls it. Interrupting `send` aborts the attempt. */
export class Mailer extends Context.Service<Mailer, { send(mail: Mail): Effect.Effect<void, DeliveryRefused> }>()("sallyport/Mailer") {}
