import { Effect, Layer } from "effect"
import { Mailer } from "../../domain/ports/mailer.ts"

/** Sends nothing. */
export const layer = Layer.succeed(Mailer, { send: () => Effect.void })
