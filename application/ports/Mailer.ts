import type { Effect } from "effect"
import { Context, Data, Duration } from "effect"

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

/**
 * A letter was not accepted. `permanent` when trying again cannot help (SMTP 5xx).
 * The reason is logged and stored: it repeats neither the letter nor its receiver.
 */
export class MailRefused extends Data.TaggedError("MailRefused")<{ readonly permanent: boolean; readonly reason: string }> {}

/** Hands letters to whoever delivers them; the outbox calls it, nobody else. Interrupting `send` gives the letter up. */
export class Mailer extends Context.Service<Mailer, { send(mail: Mail): Effect.Effect<void, MailRefused> }>()("sallyport/Mailer") {}

/** What a mailer has to bear at most: so many letters at once, and so long before the outbox interrupts one. */
export const limits = { concurrency: 8, timeout: Duration.seconds(30) } as const
