import { Console, Layer, Schema } from "effect"
import { Mailer } from "../../domain/ports/mailer.ts"
import { developmentOnly } from "../kinds/adapter.ts"
import { mailAdapter } from "../kinds/delivery.ts"
import { oneLine, printable } from "../printable.ts"

/**
 * Prints mail to the terminal: for development, since mail contains tokens. Without pages of the service, a line below a link says what the
 * application has to serve.
 */
export const layer = ({ hasPages }: { readonly hasPages: boolean }) =>
  Layer.succeed(Mailer, {
    send: ({ to, subject, text }) =>
      Console.log(printable(`To: ${oneLine(to)}\nSubject: ${oneLine(subject)}\n\n${text}${hasLink(text) && !hasPages ? hint : ""}`)),
  })

export const printed = mailAdapter({
  kind: "console",
  settings: Schema.Struct({ kind: Schema.Literal("console") }),
  select: () => ({
    label: "console: mail is printed here",
    layer,
    stateOf: (settings) => developmentOnly(settings, "mail is printed, not delivered", "mail"),
  }),
})

const hasLink = (text: string) => /^\w[\w+.-]*:\/\//m.test(text)

const hint =
  "\n(Printed, not sent. Your application serves the page of the link: docs/configuration.md describes the request that the page sends.)\n"
