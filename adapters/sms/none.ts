import { Effect, Layer, Schema } from "effect"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import { smsAdapter } from "../kinds/delivery.ts"

/** Sends nothing. */
export const layer = Layer.succeed(SmsSender, { send: () => Effect.void })

export const none = smsAdapter({
  kind: "none",
  settings: Schema.Struct({ kind: Schema.Literal("none") }),
  select: () => ({
    label: "none: text messages are not sent",
    layer: () => layer,
    stateOf: () => Effect.succeed("messages are not sent"),
  }),
})
