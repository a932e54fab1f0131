import { Console, Layer } from "effect"
import { Mailer } from "../../domain/ports/mailer.ts"
import { oneLine, printable } from "../printable.ts"

/** Prints letters to the terminal: for development, since they carry tokens. */
export const layer = Layer.succeed(Mailer, {
  send: ({ to, subject, text }) =>
    Console.log(printable(`To: ${oneLine(to)}\nSubject: ${oneLine(subject)}\n\n${text}${hasLink(text) ? hint : ""}`)),
})

const hasLink = (text: string) => /^\w[\w+.-]*:\/\//m.test(text)

const hint = '\n(Printed, not sent. The page of the link is yours to write: "Letters" in docs/configuration.md says what it sends where.)\n'
