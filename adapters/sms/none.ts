import { Effect, Layer } from "effect"
import { SmsSender } from "../../domain/ports/sms-sender.ts"

/** Sends nothing. */
export const layer = Layer.succeed(SmsSender, { send: () => Effect.void })
