import { Console, Layer } from "effect"
import { Mailer } from "../../application/ports/Mailer.ts"
import { oneLine, printable } from "../printable.ts"

/** Prints letters to the terminal: for development, since they carry tokens. */
export const layer = Layer.succeed(Mailer, {
  send: ({ to, subject, text }) => Console.log(printable(`To: ${oneLine(to)}\nSubject: ${oneLine(subject)}\n\n${text}`)),
})
