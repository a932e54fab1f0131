import { Console, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import type { Configuration } from "../config/load.ts"

const stores = {
  embedded: ({ directory }: { readonly directory: string }) => `embedded PostgreSQL, in ${directory}`,
  postgres: () => "PostgreSQL",
  mongo: () => "MongoDB",
  memory: () => "memory: everything is forgotten at the end",
}
const mails = { smtp: "SMTP", console: "console: letters are printed here", none: "none: letters are not sent" }
const messages = {
  twilio: "Twilio",
  webhook: "webhook",
  console: "console: short messages are printed here",
  none: "none: short messages are not sent",
}

export const storeOf = (store: Configuration["store"]): string =>
  store.kind === "embedded" ? stores.embedded(store) : stores[store.kind]()

/** Says that the service is there: to people on a terminal, in the log elsewhere. */
export const layer = ({ settings, store, mail, sms }: Configuration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const address = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
      const base_url = `${settings.public_url}${settings.base_path}`
      if (!process.stdout.isTTY) {
        return yield* Effect.annotateLogs(Effect.logInfo("listening"), {
          address,
          base_url,
          store: store.kind,
          mail: mail.kind,
          sms: sms.kind,
        })
      }
      const lines = { "listens on": address, "base URL": base_url, store: storeOf(store), mail: mails[mail.kind], sms: messages[sms.kind] }
      yield* Console.log(
        ["", "Sallyport", ...Object.entries(lines).map(([what, value]) => `  ${what.padEnd(12)}${value}`), "", "Ctrl+C stops it.", ""].join(
          "\n",
        ),
      )
    }),
  )
