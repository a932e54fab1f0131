import type { Effect } from "effect"
import { Context } from "effect"
import type { DeliveryRefused } from "./delivery.ts"

/** One letter, ready to be sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /**
   * What the Message-ID begins with, the mailer adds its domain. It is the same for every
   * attempt at one letter, so that a receiver can drop a repeated one.
   */
  readonly messageId: string
}

/** Hands letters to whoever delivers them; the outbox calls it, nobody else. Interrupting `send` gives the letter up. */
export class Mailer extends Context.Service<Mailer, { send(mail: Mail): Effect.Effect<void, DeliveryRefused> }>()("sallyport/Mailer") {}
