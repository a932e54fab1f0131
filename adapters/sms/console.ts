import { Console, Effect, Layer, Schema } from "effect"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import { developmentOnly } from "../kinds/adapter.ts"
import { smsAdapter } from "../kinds/delivery.ts"
import { oneLine, printable } from "../printable.ts"

/** Prints text messages to the terminal: for development, since they contain codes. */
export const layer = Layer.succeed(SmsSender, {
  send: ({ to, text }) => Console.log(printable(`SMS to: ${oneLine(to)}\n\n${text}`)),
})

const state = "messages are printed, not delivered"

export const printed = smsAdapter({
  kind: "console",
  settings: Schema.Struct({ kind: Schema.Literal("console") }),
  select: () => ({
    label: "console: text messages are printed here",
    layer: () => layer,
    stateOf: (settings, isNeeded) => (isNeeded ? developmentOnly(settings, state, "sms") : Effect.succeed(state)),
  }),
})
