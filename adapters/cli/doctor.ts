import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Console, Effect, Result } from "effect"
import { createTransport } from "nodemailer"
import type { SettingsValue } from "../../domain/settings.ts"
import { missing, type Unreadable } from "../../domain/storage/sealing.ts"
import { isLocal } from "../../domain/values/url.ts"
import type { ConfigurationFault } from "../config/faults.ts"
import type { Configuration, KeptStore } from "../config/load.ts"
import { portOf } from "../config/load.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { server } from "../mail/smtp-settings.ts"
import * as PwnedPasswords from "../passwords/pwned-passwords.ts"
import { DirectoryInUse } from "../postgres/directory-lock.ts"
import { DirectoryUnusable, holdsDatabase } from "../postgres/embedded.ts"
import * as Twilio from "../sms/twilio.ts"
import { codes, outage, reasonOf, Stop } from "./stop.ts"

/** What was looked at. It succeeds with what is well, and fails with what is not. */
interface Check {
  readonly name: string
  readonly look: Effect.Effect<string, string>
}

/** Something that stands between a database and the tables. */
interface Change {
  readonly statement: string
  /** Why it is left to the owner of the database. */
  readonly refused?: string
}

/** What can be seen of a database without touching it. */
interface View {
  readonly plan: (store: KeptStore) => Effect.Effect<ReadonlyArray<Change>, unknown>
  /** Tables that no module that is on has. */
  readonly unused: (store: KeptStore) => Effect.Effect<ReadonlyArray<string>, unknown>
  /** Values of up-to-date tables that none of the secrets opens. */
  readonly unreadable: (store: KeptStore) => Effect.Effect<ReadonlyArray<Unreadable>, unknown>
}

/** Looks at everything the service needs, one line each; stops with a fault when something is wrong. */
export const doctor = Effect.fnUntraced(function* (configuration: Configuration, view: View) {
  const due = yield* Effect.cached(dueChanges(configuration, view))
  const checks: ReadonlyArray<Check> = [
    { name: "configuration", look: Effect.succeed("every key is known and holds") },
    { name: "secret", look: secretCheck(configuration, view, due) },
    { name: "store", look: storeCheck(configuration, view, due) },
    { name: "mail", look: mailCheck(configuration) },
    { name: "sms", look: smsCheck(configuration) },
    { name: "rate_limit", look: Effect.succeed(limitsOf(configuration.settings)) },
    { name: "public_url", look: addressCheck(configuration.settings) },
    ...(configuration.settings.email_password.enabled ? [{ name: "passwords", look: passwordCheck(configuration.settings) }] : []),
    ...moduleChecks(configuration),
  ]
  const well = yield* Effect.forEach(checks, report)
  if (well.includes(false)) return yield* somethingWrong
})

/** What is left to say when the configuration cannot be read: everything else hangs from it. */
export const misconfigured = Effect.fnUntraced(function* ({ faults }: ConfigurationFault) {
  yield* Effect.forEach(faults, (fault) => report({ name: "configuration", look: Effect.fail(fault) }))
  return yield* somethingWrong
})

/** What modules say of their settings. */
const moduleChecks = ({ settings, modules }: Configuration): ReadonlyArray<Check> =>
  modules.flatMap(({ name, findings }) =>
    findings(settings).map(({ severity, text }) => ({
      name: `modules.${name}`,
      look: severity === "note" ? Effect.succeed(text) : Effect.fail(text),
    })),
  )

const somethingWrong = new Stop({ code: codes.failed, lines: ["Something is wrong; see above."] })

const report = Effect.fnUntraced(function* ({ name, look }: Check) {
  const found = yield* Effect.result(look)
  const well = Result.isSuccess(found)
  yield* Console.log(`${well ? "ok   " : "fault"}  ${name}: ${well ? found.success : found.failure}`)
  return well
})

/** What is to be changed before the store can be used; asked once, since an embedded one that is in use is waited for. */
type Due = Effect.Effect<ReadonlyArray<Change>, unknown>

const dueChanges = ({ store }: Configuration, { plan }: View): Due => (isKept(store) ? plan(store) : Effect.succeed([]))

/** Whether there is a database by now. */
const isKept = (store: Configuration["store"]): store is KeptStore =>
  store.kind !== "memory" && (store.kind !== "embedded" || holdsDatabase(store.directory))

const secretCheck = ({ secrets, store }: Configuration, { unreadable }: View, due: Due): Effect.Effect<string, string> => {
  const enough = secrets.length === 1 ? "long enough" : `all ${secrets.length} are long enough`
  if (!isKept(store)) return Effect.succeed(enough)
  const look = Effect.flatMap(due, (changes) => (changes.length > 0 ? Effect.succeed([]) : unreadable(store)))
  return Effect.matchEffect(look, {
    // What the store lacks stands in its own line.
    onFailure: () => Effect.succeed(enough),
    onSuccess: (found) => (found.length === 0 ? Effect.succeed(enough) : Effect.fail(missing(found))),
  })
}

const storeCheck = ({ settings, store }: Configuration, { unused }: View, due: Due) => {
  if (store.kind === "memory") return inMemory(settings)
  if (store.kind === "embedded" && !holdsDatabase(store.directory)) return placeCheck(store.directory)
  return Effect.zip(due, unused(store)).pipe(
    Effect.matchEffect({
      onSuccess: ([changes, left]) => {
        const refused = changes.find((change) => change.refused !== undefined)
        if (refused !== undefined) return Effect.fail(`${refused.refused}; to change it, run: ${refused.statement}`)
        if (changes.length > 0)
          return Effect.fail(`reachable, but ${changes.length} changes are due; \`migrate\` or the next start makes them`)
        const unused = left.length === 0 ? "" : `; no module that is on uses ${left.join(", ")}`
        return Effect.succeed(`reachable, and its tables are up to date${unused}`)
      },
      onFailure: (fault) => {
        if (fault instanceof DatabaseRefused || fault instanceof DirectoryUnusable) return Effect.fail(fault.message)
        return fault instanceof DirectoryInUse
          ? Effect.succeed(`${fault.directory} is in use by process ${fault.pid}, so it was not looked at`)
          : Effect.fail(outage(fault))
      },
    }),
  )
}

const placeCheck = (directory: string): Effect.Effect<string, string> =>
  isWritable(directory)
    ? Effect.succeed(`a database is made in ${directory} at the first start`)
    : Effect.fail(`no database can be made in ${directory}: mend its owner or mode, or store.directory`)

/** Whether somebody could make this folder, or make something in it. */
const isWritable = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK)
    return statSync(directory).isDirectory()
  } catch {
    return !existsSync(directory) && isWritable(dirname(directory))
  }
}

/** What needs nobody to be asked. The start goes on over it, but says it. */
export const apparent = (configuration: Configuration): ReadonlyArray<Effect.Effect<string, string>> => {
  const { settings, store, mail, sms } = configuration
  return [
    addressCheck(settings),
    ...(store.kind === "memory" ? [inMemory(settings)] : []),
    ...(mail.kind === "smtp" ? [] : [mailCheck(configuration)]),
    ...(sms.kind === "console" ? [smsCheck(configuration)] : []),
    ...moduleChecks(configuration).map(({ look }) => look),
  ]
}

/** What serves whoever tries the service on their own machine, and nobody else. */
const forTrying = ({ public_url }: SettingsValue, found: string, key: string): Effect.Effect<string, string> =>
  isLocal(new URL(public_url)) ? Effect.succeed(found) : Effect.fail(`${found}, and ${public_url} is not this machine: mend ${key}`)

const inMemory = (settings: SettingsValue) => forTrying(settings, "in memory, everything is forgotten at the end", "store")

const withoutMessages = ({ email_password }: SettingsValue): Effect.Effect<string, string> =>
  email_password.require_email_verification
    ? Effect.fail("letters are not sent, so nobody can verify an address: mend mail, or turn email_password.require_email_verification off")
    : Effect.succeed("letters are not sent")

const mailCheck = ({ settings, mail }: Configuration) => {
  if (mail.kind === "console") return forTrying(settings, "letters are printed, nobody receives them", "mail")
  if (mail.kind === "none") return withoutMessages(settings)
  return Effect.flatMap(server(mail.url), (options) =>
    Effect.acquireUseRelease(
      Effect.sync(() => createTransport({ ...options, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 })),
      (transport) => Effect.tryPromise({ try: () => transport.verify(), catch: (error) => error }),
      (transport) => Effect.sync(() => transport.close()),
    ),
  ).pipe(
    Effect.as("the server is reachable and takes our letters"),
    Effect.mapError((fault) => `the server cannot be used (${reasonOf(fault)}); mail.url or SMTP_URL names it`),
  )
}

const smsCheck = ({ settings, sms, needsSms }: Configuration) => {
  const printed = "messages are printed, nobody receives them"
  if (sms.kind === "console") return needsSms ? forTrying(settings, printed, "sms") : Effect.succeed(printed)
  if (sms.kind === "none") return Effect.succeed("messages are not sent")
  if (sms.kind === "webhook") return Effect.succeed("messages are signed and posted; the receiver was not asked")
  return Twilio.check(sms).pipe(
    Effect.provide(NodeHttpClient.layerUndici),
    Effect.as("Twilio takes our credentials"),
    Effect.mapError(({ reason }) => `Twilio cannot be used (${reason})`),
    Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.fail("Twilio does not answer") }),
  )
}

const passwordCheck = ({ email_password: { blocklist, breached } }: SettingsValue): Effect.Effect<string, string> => {
  const common =
    blocklist === "common" ? "common ones are refused" : 'common ones are accepted; email_password.blocklist "common" is recommended'
  if (!breached.enabled) return Effect.succeed(common)
  return PwnedPasswords.check(breached).pipe(
    Effect.provide(NodeHttpClient.layerUndici),
    Effect.as(`${common}, and the list of breached ones answers`),
    Effect.mapError(({ reason }) => `breached ones are not found out (${reason}); email_password.breached.url names the list`),
  )
}

/** Where requests and failed sign-ins are counted, and whether all clients count as one. */
const limitsOf = ({ public_url, rate_limit, trusted_proxies }: SettingsValue): string => {
  if (!rate_limit.enabled) return "off: requests, guesses and messages have no limit"
  const place = rate_limit.store === "store" ? "counted in the store" : "counted in each process by itself"
  if (trusted_proxies.length > 0 || isLocal(new URL(public_url))) return place
  return `${place}; trusted_proxies is empty, so that behind a proxy all clients count as one address`
}

/** Whether links, and browsers after them, go to a port of this machine where this service is not. Something there may lead here. */
export const portCheck = ({ public_url }: SettingsValue, port: number): Effect.Effect<void, string> =>
  isLocal(new URL(public_url)) && new URL(public_url).protocol === "http:" && portOf(public_url) !== port
    ? Effect.fail(
        `links and browsers go to ${public_url}, but the service listens on port ${port}: mend public_url (SALLYPORT_PUBLIC_URL), unless something there leads here`,
      )
    : Effect.void

/** Whether browsers would keep the cookie and send it back. */
const addressCheck = ({ public_url, base_path, cookie }: SettingsValue): Effect.Effect<string, string> => {
  const { protocol, hostname } = new URL(public_url)
  const isEncrypted = protocol === "https:"
  const isInTheClear = !isEncrypted && !isLocal(new URL(public_url))
  if (isInTheClear && cookie.secure) return Effect.fail("browsers drop a Secure cookie over http: use https, or turn cookie.secure off")
  if (isEncrypted && !cookie.secure) return Effect.fail("the service is reached over https, but cookie.secure is off")
  if (isInTheClear) return Effect.fail("passwords and cookies travel in the clear: use https")

  const isHostOnly = cookie.host_prefix && cookie.secure
  if (!isHostOnly && !`${base_path}/`.startsWith(cookie.path.replace(/\/?$/, "/")))
    return Effect.fail(`browsers do not bring a cookie for ${cookie.path} to ${base_path}/: mend cookie.path`)
  const domain = cookie.host_prefix ? null : cookie.domain?.replace(/^\./, "")
  if (typeof domain === "string" && hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    return Effect.fail(`browsers drop a cookie for ${domain} that comes from ${hostname}: mend cookie.domain`)
  }
  return Effect.succeed(`${public_url} suits the cookie's settings`)
}
