import { Console, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { mailerOf, smsSenderOf, storeOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import { offlineChecks, portCheck } from "../doctor/doctor.ts"
import { pathOf } from "../pages/settings.ts"

/** The banner on a terminal: addresses, store, mail and SMS. */
export const lines = ({ settings, store, mail, sms, graphql, pages }: Configuration, address: string): ReadonlyArray<string> => {
  const values = {
    ...(pages === undefined ? {} : { pages: `${settings.public_url}${pathOf(pages, "/")}` }),
    "base URL": `${settings.public_url}${settings.base_path}`,
    ...(graphql.enabled ? { GraphQL: `${settings.public_url}${graphql.path}` } : {}),
    // Not a URL: a browser that opens it has another origin than public_url, which is refused.
    "listens on": address.replace(/^http:\/\//, ""),
    store: storeOf(store).label,
    mail: mailerOf(mail).label,
    sms: smsSenderOf(sms).label,
  }
  return ["", "Sallyport", ...Object.entries(values).map(([label, value]) => `  ${label.padEnd(12)}${value}`), "", "Ctrl+C stops it.", ""]
}

/** Prints the banner on a terminal or logs the address elsewhere, then logs the faults of the offline checks as warnings. */
export const layer = (configuration: Configuration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const bound = (yield* HttpServer.HttpServer).address
      const address = HttpServer.formatAddress(bound)
      yield* process.stdout.isTTY ? Console.log(lines(configuration, address).join("\n")) : logAddress(configuration, address)
      const port = "port" in bound ? [portCheck(configuration.settings, bound.port)] : []
      yield* Effect.forEach([...offlineChecks(configuration), ...port], Effect.catch(Effect.logWarning))
    }),
  )

const logAddress = ({ settings, store, mail, sms, graphql, pages }: Configuration, address: string) =>
  Effect.annotateLogs(Effect.logInfo("listening"), {
    address,
    ...(pages === undefined ? {} : { pages: `${settings.public_url}${pathOf(pages, "/")}` }),
    base_url: `${settings.public_url}${settings.base_path}`,
    ...(graphql.enabled ? { graphql: `${settings.public_url}${graphql.path}` } : {}),
    store: store.kind ?? "own",
    mail: mail.kind ?? "own",
    sms: sms.kind ?? "own",
  })
