import { Console, Layer } from "effect"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import { oneLine, printable } from "../printable.ts"

/** Prints text messages to the terminal: for development, since they contain codes. */
export const layer = Layer.succeed(SmsSender, {
  send: ({ to, text }) => Console.log(printable(`SMS to: ${oneLine(to)}\n\n${text}`)),
})
