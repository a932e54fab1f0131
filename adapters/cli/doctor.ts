import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Console, Effect, Layer, Redacted, Result } from "effect"
import type { SettingsValue } from "../../domain/settings.ts"
import { isLocal } from "../../domain/values/url.ts"
import type { Configuration, KeptStore } from "../config/load.ts"
import { portOf } from "../config/load.ts"
import type { ConfigurationFault } from "../configuration-faults.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { server } from "../mail/smtp-settings.ts"
import * as PwnedPasswords from "../passwords/pwned-passwords.ts"
import { DirectoryInUse } from "../postgres/directory-lock.ts"
import { DirectoryUnusable, holdsDatabase } from "../postgres/embedded.ts"
import { roleOf } from "../postgres/url.ts"
import { codes, isForbidden, redisFaultText, storeFaultText } from "../process/start-faults.ts"
import { Stop } from "../process/stop.ts"
import { reasonOf } from "../root-cause.ts"
import * as Twilio from "../sms/twilio.ts"
import { type Finding, type HashMachine, hashCheck, hashTimeCheck } from "./doctor-hash.ts"
import { inspect, keyManagementCheck, type SealedView, secretCheck } from "./doctor-secrets.ts"

/** One line of the report. `run` succeeds with a description of the healthy state and fails with the fault. */
interface Check<A = string> {
  readonly name: string
  readonly run: Effect.Effect<A, string>
}

/** The options of the command. */
export interface Options {
  /** Prints JSON, one object for each check. */
  readonly json: boolean
  /** Suggests the cost of the password hash for this time, in milliseconds. */
  readonly hashTime: number | undefined
}

/** A pending change of the database schema. */
export interface Change {
  readonly statement: string
  /** Why only the owner of the database can make it. */
  readonly refusal?: string
}

/** Read-only queries about a database. */
interface View extends SealedView {
  readonly plan: (store: KeptStore) => Effect.Effect<ReadonlyArray<Change>, unknown>
  /** Tables that no enabled module declares. */
  readonly unused: (store: KeptStore) => Effect.Effect<ReadonlyArray<string>, unknown>
}

/** Prints one line per check and exits with 1 when a check fails. */
export const doctor = Effect.fnUntraced(function* doctor(
  configuration: Configuration,
  view: View,
  machine: HashMachine,
  { json, hashTime }: Options,
) {
  const pending = yield* Effect.cached(pendingChanges(configuration, view))
  const currentStore = yield* Effect.orElseSucceed(currentStoreOf(configuration, pending), () => null)
  const inspected = yield* Effect.cached(inspect(view, currentStore))
  const hasPasswords = configuration.settings.email_password.enabled
  const checks: ReadonlyArray<Check<string | Finding>> = [
    { name: "configuration", run: Effect.succeed(`${configuration.file ?? "no file"}; every key is known and valid`) },
    { name: "secret", run: secretCheck(configuration, inspected) },
    ...(configuration.key_management.kind === "local" ? [] : [{ name: "key_management", run: keyManagementCheck(configuration) }]),
    { name: "store", run: storeCheck(configuration, view, pending, inspected) },
    { name: "mail", run: mailCheck(configuration) },
    { name: "sms", run: smsCheck(configuration) },
    { name: "rate_limit", run: limitsCheck(configuration) },
    { name: "public_url", run: addressCheck(configuration.settings) },
    ...(hasPasswords ? [{ name: "password_hash", run: hashCheck(configuration, machine) }] : []),
    ...(hashTime === undefined ? [] : [{ name: "hash_time", run: hashTimeCheck(configuration, machine, hashTime) }]),
    ...(hasPasswords ? [{ name: "passwords", run: passwordCheck(configuration.settings) }] : []),
    ...moduleChecks(configuration),
  ]
  const results = yield* Effect.forEach(checks, (check) => report(check, json))
  if (results.includes(false)) return yield* checksFailed
})

/** The report on a configuration that cannot be read; no other check can run. */
export const misconfigured = Effect.fnUntraced(function* misconfigured({ faults }: ConfigurationFault, { json }: Pick<Options, "json">) {
  yield* Effect.forEach(faults, (fault) => report({ name: "configuration", run: Effect.fail(fault) }, json))
  return yield* checksFailed
})

/** The findings of modules about their settings. */
const moduleChecks = ({ settings, modules }: Configuration): ReadonlyArray<Check> =>
  modules.flatMap(({ name, findings }) =>
    findings(settings).map(({ severity, text }) => ({
      name: `modules.${name}`,
      run: severity === "note" ? Effect.succeed(text) : Effect.fail(text),
    })),
  )

const checksFailed = new Stop({ code: codes.failed, lines: ["At least one check failed; see above."] })

const report = Effect.fnUntraced(function* report({ name, run }: Check<string | Finding>, json: boolean) {
  const result = yield* Effect.result(run)
  const ok = Result.isSuccess(result)
  const found = ok ? result.success : result.failure
  const { text, details } = typeof found === "string" ? { text: found, details: {} } : found
  yield* Console.log(json ? JSON.stringify({ check: name, ok, text, ...details }) : `${ok ? "ok   " : "fault"}  ${name}: ${text}`)
  return ok
})

/** The pending changes of the schema. Cached: opening an embedded store that is in use takes seconds. */
type PendingChanges = Effect.Effect<ReadonlyArray<Change>, unknown>

const pendingChanges = ({ store }: Configuration, { plan }: View): PendingChanges => (isKept(store) ? plan(store) : Effect.succeed([]))

/** Whether the store is a database that exists; the first start creates an embedded one. */
const isKept = (store: Configuration["store"]): store is KeptStore =>
  store.kind !== undefined && store.kind !== "memory" && (store.kind !== "embedded" || holdsDatabase(store.directory))

/** The database, if its tables are up to date. Fails if it cannot be reached. */
const currentStoreOf = ({ store }: Configuration, pending: PendingChanges): Effect.Effect<KeptStore | null, unknown> =>
  isKept(store) ? Effect.map(pending, (changes) => (changes.length > 0 ? null : store)) : Effect.succeed(null)

const storeCheck = (
  { settings, store }: Configuration,
  { unused }: View,
  pending: PendingChanges,
  inspected: Effect.Effect<unknown, unknown>,
) => {
  if (store.kind === undefined) return Effect.succeed("your own; it was not checked")
  if (store.kind === "memory") return inMemory(settings)
  if (store.kind === "embedded" && !holdsDatabase(store.directory)) return directoryCheck(store.directory)
  return Effect.all([pending, unused(store), inspected]).pipe(
    Effect.matchEffect({
      onSuccess: ([changes, unusedTables]) => {
        const refused = changes.find(({ refusal }) => refusal !== undefined)
        if (refused !== undefined) return Effect.fail(`${refused.refusal}; to change it, run: ${refused.statement}`)
        if (changes.length > 0)
          return Effect.fail(`reachable, but ${changes.length} schema changes are pending; \`migrate\` or the next start applies them`)
        const note = unusedTables.length === 0 ? "" : `; no enabled module uses ${unusedTables.join(", ")}`
        return Effect.succeed(`reachable, and its tables are up to date${note}`)
      },
      onFailure: (fault) => {
        if (fault instanceof DatabaseRefused || fault instanceof DirectoryUnusable) return Effect.fail(fault.message)
        if (isForbidden(fault)) return Effect.fail(`the role${roleText(store)} lacks rights (${reasonOf(fault)})`)
        return fault instanceof DirectoryInUse
          ? Effect.succeed(`${fault.directory} is in use by process ${fault.pid}, so it was not checked`)
          : Effect.fail(storeFaultText(fault))
      },
    }),
  )
}

const roleText = (store: KeptStore): string => {
  const role = store.kind === "postgres" ? roleOf(Redacted.value(store.url)) : ""
  return role === "" ? "" : ` ${role}`
}

const directoryCheck = (directory: string): Effect.Effect<string, string> =>
  isWritable(directory)
    ? Effect.succeed(`the first start creates a database in ${directory}`)
    : Effect.fail(`cannot create a database in ${directory}: change its owner or mode, or store.directory`)

/** Whether this process can write into the folder, or create it. */
const isWritable = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK)
    return statSync(directory).isDirectory()
  } catch {
    return !existsSync(directory) && isWritable(dirname(directory))
  }
}

/** The checks that need no connection. A start logs their faults as warnings and continues. */
export const offlineChecks = (configuration: Configuration): ReadonlyArray<Effect.Effect<string, string>> => {
  const { settings, store, mail, sms } = configuration
  return [
    addressCheck(settings),
    ...(store.kind === "memory" ? [inMemory(settings)] : []),
    ...(mail.kind === "smtp" ? [] : [mailCheck(configuration)]),
    ...(sms.kind === "console" ? [smsCheck(configuration)] : []),
    ...moduleChecks(configuration).map(({ run }) => run),
  ]
}

/** A setting for development: a fault unless `public_url` is on this machine. */
const developmentOnly = ({ public_url }: SettingsValue, state: string, key: string): Effect.Effect<string, string> =>
  isLocal(new URL(public_url)) ? Effect.succeed(state) : Effect.fail(`${state}, and ${public_url} is not this machine: change ${key}`)

const inMemory = (settings: SettingsValue) => developmentOnly(settings, "in memory, all data is lost when the process ends", "store")

const noMailCheck = ({ email_password }: SettingsValue): Effect.Effect<string, string> =>
  email_password.require_email_verification
    ? Effect.fail("mail is not sent, so users cannot verify an address: change mail, or turn email_password.require_email_verification off")
    : Effect.succeed("mail is not sent")

const mailCheck = ({ settings, mail }: Configuration) => {
  if (mail.kind === undefined) return Effect.succeed("your own; it was not checked")
  if (mail.kind === "console") return developmentOnly(settings, "mail is printed, not delivered", "mail")
  if (mail.kind === "none") return noMailCheck(settings)
  return Effect.flatMap(server(mail.url), (options) =>
    Effect.acquireUseRelease(
      Effect.map(
        Effect.promise(() => import("nodemailer")),
        ({ createTransport }) => createTransport({ ...options, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }),
      ),
      (transport) => Effect.tryPromise({ try: () => transport.verify(), catch: (error) => error }),
      (transport) => Effect.sync(() => transport.close()),
    ),
  ).pipe(
    Effect.as("the server is reachable and accepts the login"),
    Effect.mapError((fault) => `the server cannot be used (${reasonOf(fault)}); mail.url or SMTP_URL names it`),
  )
}

const smsCheck = ({ settings, sms, needsSms }: Configuration) => {
  const printed = "messages are printed, not delivered"
  if (sms.kind === "console") return needsSms ? developmentOnly(settings, printed, "sms") : Effect.succeed(printed)
  if (sms.kind === undefined) return Effect.succeed("your own; it was not checked")
  if (sms.kind === "none") return Effect.succeed("messages are not sent")
  if (sms.kind === "webhook") return Effect.succeed("messages are signed and posted; the receiver was not checked")
  return Twilio.check(sms).pipe(
    Effect.provide(NodeHttpClient.layerUndici),
    Effect.as("Twilio accepts the credentials"),
    Effect.mapError(({ reason }) => `Twilio cannot be used (${reason})`),
    Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.fail("Twilio does not answer") }),
  )
}

const passwordCheck = ({ email_password: { blocklist, breached } }: SettingsValue): Effect.Effect<string, string> => {
  const common =
    blocklist === "common"
      ? "common passwords are refused"
      : 'common passwords are accepted; email_password.blocklist "common" is recommended'
  if (!breached.enabled) return Effect.succeed(common)
  return PwnedPasswords.check(breached).pipe(
    Effect.provide(NodeHttpClient.layerUndici),
    Effect.as(`${common}, and the list of breached passwords answers`),
    Effect.mapError(({ reason }) => `breached passwords are not detected (${reason}); email_password.breached.url names the list`),
  )
}

const limitsCheck = ({ settings, redis }: Configuration): Effect.Effect<string, string> => {
  const limits = Effect.succeed(limitsOf(settings))
  if (settings.rate_limit.store !== "redis" || redis === undefined) return limits
  return Effect.promise(() => import("../redis/connection.ts")).pipe(
    Effect.flatMap(({ layer }) => Effect.scoped(Layer.build(layer(redis.url)))),
    Effect.andThen(limits),
    Effect.mapError((fault) => `Redis ${redisFaultText(fault)}`),
  )
}

const counters = { memory: "counted in each process separately", store: "counted in the store", redis: "counted in Redis, which answers" }

/** Where requests and failed sign-ins are counted, and whether all clients count as one. */
const limitsOf = ({ public_url, rate_limit, trusted_proxies }: SettingsValue): string => {
  if (!rate_limit.enabled) return "off: requests, guesses and messages have no limit"
  const place = counters[rate_limit.store]
  if (trusted_proxies.length > 0 || isLocal(new URL(public_url))) return place
  return `${place}; trusted_proxies is empty, so behind a proxy all clients count as one address`
}

/** Fails when `public_url` names a port of this machine on which the service does not listen; a proxy on that port may forward to it. */
export const portCheck = ({ public_url }: SettingsValue, port: number): Effect.Effect<void, string> =>
  isLocal(new URL(public_url)) && new URL(public_url).protocol === "http:" && portOf(public_url) !== port
    ? Effect.fail(
        `links point to ${public_url}, but the service listens on port ${port}: change public_url (SALLYPORT_PUBLIC_URL), unless a proxy there forwards to this service`,
      )
    : Effect.void

/** Whether browsers store the cookie and send it back. */
const addressCheck = ({ public_url, base_path, cookie }: SettingsValue): Effect.Effect<string, string> => {
  const { protocol, hostname } = new URL(public_url)
  const isEncrypted = protocol === "https:"
  const isPlaintext = !isEncrypted && !isLocal(new URL(public_url))
  if (isPlaintext && cookie.secure) return Effect.fail("browsers drop a Secure cookie over http: use https, or turn cookie.secure off")
  if (isEncrypted && !cookie.secure) return Effect.fail("the service is reached over https, but cookie.secure is off")
  if (isPlaintext) return Effect.fail("passwords and cookies are sent unencrypted: use https")

  const isHostOnly = cookie.host_prefix && cookie.secure
  if (!isHostOnly && !`${base_path}/`.startsWith(cookie.path.replace(/\/?$/, "/")))
    return Effect.fail(`browsers do not send a cookie for ${cookie.path} to ${base_path}/: change cookie.path`)
  const domain = cookie.host_prefix ? null : cookie.domain?.replace(/^\./, "")
  if (typeof domain === "string" && hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    return Effect.fail(`browsers drop a cookie for ${domain} set by ${hostname}: change cookie.domain`)
  }
  return Effect.succeed(`${public_url} suits the cookie's settings`)
}
