import { Data, Duration } from "effect"

/**
 * A message was not accepted. `permanent` when trying again cannot help (SMTP 5xx).
 * The reason is logged and stored: it repeats neither the message nor its receiver.
 */
export class DeliveryRefused extends Data.TaggedError("DeliveryRefused")<{ readonly permanent: boolean; readonly reason: string }> {}

/** What a sender has to bear at most: so many messages at once, and so long before the outbox interrupts one. */
export const limits = { concurrency: 8, timeout: Duration.seconds(30) } as const
