import { Console, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import type { Configuration } from "../config/load.ts"
import { apparent, portCheck } from "./doctor.ts"

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

const storeOf = (store: Configuration["store"]): string => (store.kind === "embedded" ? stores.embedded(store) : stores[store.kind]())

/** What people are told where the service is, and what it does. */
export const lines = ({ settings, store, mail, sms, graphql }: Configuration, address: string): ReadonlyArray<string> => {
  const said = {
    "base URL": `${settings.public_url}${settings.base_path}`,
    ...(graphql.enabled ? { GraphQL: `${settings.public_url}${graphql.path}` } : {}),
    // Not as a URL: to browsers that would be another origin than public_url, which is refused.
    "listens on": address.replace(/^http:\/\//, ""),
    store: storeOf(store),
    mail: mails[mail.kind],
    sms: messages[sms.kind],
  }
  return ["", "Sallyport", ...Object.entries(said).map(([what, value]) => `  ${what.padEnd(12)}${value}`), "", "Ctrl+C stops it.", ""]
}

/** Says that the service is there, to people on a terminal and in the log elsewhere, and what looks wrong with it. */
export const layer = (configuration: Configuration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const listening = (yield* HttpServer.HttpServer).address
      const address = HttpServer.formatAddress(listening)
      yield* process.stdout.isTTY ? Console.log(lines(configuration, address).join("\n")) : logged(configuration, address)
      const port = "port" in listening ? [portCheck(configuration.settings, listening.port)] : []
      yield* Effect.forEach([...apparent(configuration), ...port], Effect.catch(Effect.logWarning))
    }),
  )

const logged = ({ settings, store, mail, sms, graphql }: Configuration, address: string) =>
  Effect.annotateLogs(Effect.logInfo("listening"), {
    address,
    base_url: `${settings.public_url}${settings.base_path}`,
    ...(graphql.enabled ? { graphql: `${settings.public_url}${graphql.path}` } : {}),
    store: store.kind,
    mail: mail.kind,
    sms: sms.kind,
  })
