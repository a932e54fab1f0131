import { Effect, Layer } from "effect"
import { SmsSender } from "../../application/ports/SmsSender.ts"

/** Sends nothing. */
export const layer = Layer.succeed(SmsSender, { send: () => Effect.void })
