import { Data, Duration } from "effect"

/**
 * A message was not accepted. `permanent` when a retry cannot succeed (SMTP 5xx).
 * The reason is logged and stored: it must not contain the message or its recipient.
 */
export class DeliveryRefused extends Data.TaggedError("DeliveryRefused")<{
  readonly permanent: boolean
  readonly reason: string
  /** Whether only this message was refused: the receiver works, so others need not wait. */
  readonly ofMessage?: boolean
}> {}

/** A receiver gets at most `concurrency` deliveries at once; the outbox interrupts one after `timeout`. */
export const limits = { concurrency: 8, timeout: Duration.seconds(30) } as const
