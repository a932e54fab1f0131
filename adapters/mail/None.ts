import { Effect, Layer } from "effect"
import { Mailer } from "../../application/ports/Mailer.ts"

/** Sends nothing. */
export const layer = Layer.succeed(Mailer, { send: () => Effect.void })
