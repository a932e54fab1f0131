import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer, Result } from "effect"
import type { Finding as OfModule } from "../../application/service/module.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import { isLocal } from "../../domain/values/url.ts"
import { mailerOf, smsSenderOf, storeOf } from "../config/adapters.ts"
import { type Configuration, portOf } from "../config/load.ts"
import type { ConfigurationFault } from "../configuration-faults.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { contextOf } from "../key-management/layer.ts"
import type { SelectedDelivery } from "../kinds/delivery.ts"
import type { Change } from "../kinds/store.ts"
import * as PwnedPasswords from "../passwords/pwned-passwords.ts"
import { DirectoryInUse } from "../postgres/directory-lock.ts"
import { DirectoryUnusable } from "../postgres/embedded.ts"
import { codes, isForbidden, redisFaultText, storeFaultText } from "../process/start-faults.ts"
import { Stop } from "../process/stop.ts"
import { reasonOf } from "../root-cause.ts"
import { type Finding, fine, print } from "./finding.ts"
import { type HashMachine, hashCheck, hashTimeCheck, type MeasuredFinding } from "./hash.ts"
import { type ProductionView, productionChecks } from "./production.ts"
import { keyManagementCheck, type Sealed, type SealedView, sealedIn, secretCheck } from "./secrets.ts"

/** A check. `run` succeeds with a description of the healthy state and fails with the fault, or with several. */
interface Check<A = string, E = string> {
  readonly name: string
  readonly run: Effect.Effect<A, E>
}
type AnyCheck = Check<string | MeasuredFinding, string | ReadonlyArray<string>>

/** The options of the command. */
export interface Options {
  /** Prints JSON, one object for each check. */
  readonly json: boolean
  /** Suggests the cost of the password hash for this time, in milliseconds. */
  readonly hashTime: number | undefined
  /** Also checks what production needs, for so many instances. */
  readonly production?: { readonly instances: number } | undefined
}

interface View extends SealedView, ProductionView {
  /** How many tables the enabled modules declare. */
  readonly declared: number
  readonly plan: Effect.Effect<ReadonlyArray<Change>, unknown>
  /** Tables that no enabled module declares. */
  readonly unused: Effect.Effect<ReadonlyArray<string>, unknown>
  /** What modules find in the rows; the tables must be up to date. */
  readonly stored: Effect.Effect<ReadonlyArray<StoredFinding>, unknown>
}

interface StoredFinding extends OfModule {
  readonly module: string
}

/** Prints one line per check and exits with 1 when a check fails. `view` is null for a store without a database. */
export const doctor = Effect.fnUntraced(function* doctor<E>(
  configuration: Configuration,
  view: View | null,
  machine: HashMachine,
  { json, hashTime, production }: Options,
  application: Effect.Effect<ReadonlyArray<Finding>, E>,
) {
  const database = exists(configuration) ? view : null
  // Cached: opening an embedded store that is in use takes seconds.
  const inspected = yield* Effect.cached(database === null ? Effect.succeed(nothing) : inspect(database))
  const hasPasswords = configuration.settings.email_password.enabled
  const checks: ReadonlyArray<AnyCheck> = [
    { name: "configuration", run: Effect.succeed(`${configuration.file ?? "no file"}; every key is known and valid`) },
    {
      name: "secret",
      run: secretCheck(
        configuration,
        Effect.map(inspected, ({ sealed }) => sealed),
      ),
    },
    ...(contextOf(configuration) === null ? [] : [{ name: "key_management", run: keyManagementCheck(configuration) }]),
    { name: "store", run: storeCheck(configuration, database === null ? null : inspected) },
    { name: "mail", run: deliveryCheck(mailerOf(configuration.mail), configuration.settings, true) },
    { name: "sms", run: deliveryCheck(smsSenderOf(configuration.sms), configuration.settings, configuration.needsSms) },
    { name: "rate_limit", run: limitsCheck(configuration) },
    { name: "public_url", run: addressCheck(configuration) },
    ...(hasPasswords ? [{ name: "password_hash", run: hashCheck(configuration, machine) }] : []),
    ...(hashTime === undefined ? [] : [{ name: "hash_time", run: hashTimeCheck(configuration, machine, hashTime) }]),
    ...(hasPasswords ? [{ name: "passwords", run: passwordCheck(configuration) }] : []),
    ...settingChecks(configuration),
  ]
  const ofSettings = yield* Effect.forEach(checks, (check) => report(check, json))
  const { stored } = yield* Effect.orElseSucceed(inspected, () => nothing)
  const ofRows = yield* Effect.forEach(stored, ({ module, ...finding }) => report(moduleCheck(module, finding), json))
  const results = [...ofSettings, ...ofRows]
  const findings = [
    ...(yield* application),
    ...(production === undefined ? [] : yield* productionChecks(configuration, database, production.instances)),
  ]
  yield* Effect.forEach(findings, (finding) => print(finding, json))
  if (results.includes(false) || findings.some(({ level }) => level === "error")) return yield* checksFailed
})

/** The report on a configuration that cannot be read; no other check can run. */
export const misconfigured = Effect.fnUntraced(function* misconfigured({ faults }: ConfigurationFault, { json }: Pick<Options, "json">) {
  yield* Effect.forEach(faults, (fault) => report({ name: "configuration", run: Effect.fail(fault) }, json))
  return yield* checksFailed
})

const settingChecks = ({ settings, modules }: Configuration): ReadonlyArray<Check> => [
  ...testUsersCheck(settings),
  ...modules.flatMap(({ name, findings }) => findings(settings).map((finding) => moduleCheck(name, finding))),
]

const moduleCheck = (module: string, { severity, text }: OfModule): Check => ({
  name: `modules.${module}`,
  run: severity === "note" ? Effect.succeed(text) : Effect.fail(text),
})

/** A warning where others reach the service. */
const testUsersCheck = ({ test_users, public_url }: SettingsValue): ReadonlyArray<Check> => {
  if (test_users === undefined) return []
  const text = `a known code signs in as ${Object.keys(test_users.codes).join(", ")}`
  const run = isLocal(new URL(public_url))
    ? Effect.succeed(`${text}, since public_url is on this machine`)
    : Effect.fail(`${text}: remove test_users as soon as the review is over`)
  return [{ name: "test_users", run }]
}

const checksFailed = new Stop({ code: codes.failed, lines: ["At least one check failed; see above."] })

const report = Effect.fnUntraced(function* report({ name, run }: AnyCheck, json: boolean) {
  const result = yield* Effect.result(run)
  if (Result.isSuccess(result)) {
    const found = result.success
    const { text, details } = typeof found === "string" ? { text: found, details: {} } : found
    yield* print({ ...fine(name, text), ...details }, json)
    return true
  }
  const faults = typeof result.failure === "string" ? [result.failure] : result.failure
  yield* Effect.forEach(faults, (text) => print({ check: name, level: "error", text }, json))
  return false
})

/** Whether there is a database to look into; the first start creates an embedded one. */
const exists = ({ store }: Configuration): boolean => {
  const { database } = storeOf(store)
  return database !== undefined && database.folder?.exists() !== false
}

interface Inspected {
  /** Whether the database has no table of the service. */
  readonly isEmpty: boolean
  readonly changes: ReadonlyArray<Change>
  readonly unusedTables: ReadonlyArray<string>
  readonly sealed: Sealed
  readonly stored: ReadonlyArray<StoredFinding>
}

const nothing: Inspected = { isEmpty: false, changes: [], unusedTables: [], sealed: [[], []], stored: [] }

/** Rows are read only where the tables are up to date. */
const inspect = Effect.fnUntraced(function* inspect({ declared, plan, unused, stored, ...sealedView }: View) {
  const changes = yield* plan
  const unusedTables = yield* unused
  const isEmpty = unusedTables.length === 0 && changes.filter(({ newTable }) => newTable !== undefined).length === declared
  return {
    isEmpty: isEmpty && changes.length > 0,
    changes,
    unusedTables,
    sealed: changes.length > 0 ? nothing.sealed : yield* sealedIn(sealedView),
    stored: changes.length > 0 ? nothing.stored : yield* Effect.catchDefect(stored, Effect.fail),
  }
})

const storeCheck = ({ settings, store }: Configuration, inspected: Effect.Effect<Inspected, unknown> | null): AnyCheck["run"] => {
  const { label, stateOf, database } = storeOf(store)
  if (inspected === null) return stateOf?.(settings) ?? unchecked(label)
  return Effect.matchEffect(inspected, {
    onSuccess: ({ isEmpty, changes, unusedTables }): AnyCheck["run"] => {
      const refused = changes.filter(({ refusal }) => refusal !== undefined)
      if (refused.length > 0) return Effect.fail(refused.map(({ refusal, statement }) => `${refusal}; to change it, run: ${statement}`))
      if (isEmpty && database?.server?.migrate !== "never")
        return Effect.succeed("reachable, and empty: the first start creates the tables")
      if (changes.length > 0)
        return Effect.fail(`reachable, but ${changes.length} schema changes are pending; \`migrate\` or the next start applies them`)
      const note = unusedTables.length === 0 ? "" : `; no enabled module uses ${unusedTables.join(", ")}`
      return Effect.succeed(`reachable, and its tables are up to date${note}`)
    },
    onFailure: (fault): AnyCheck["run"] => {
      if (fault instanceof DatabaseRefused) return Effect.fail(fault.lines)
      if (fault instanceof DirectoryUnusable) return Effect.fail(fault.message)
      const role = database?.role ? ` ${database.role}` : ""
      if (isForbidden(fault)) return Effect.fail(`the role${role} lacks rights (${reasonOf(fault)})`)
      return fault instanceof DirectoryInUse
        ? Effect.succeed(`${fault.directory} is in use by process ${fault.pid}, so it was not checked`)
        : Effect.fail(storeFaultText(fault))
    },
  })
}

const unchecked = (label: string) => Effect.succeed(`${label}; it was not checked`)

/** The checks that need no connection. A start logs their faults as warnings and continues. */
export const offlineChecks = (configuration: Configuration): ReadonlyArray<Effect.Effect<string, string>> => {
  const { settings, store, mail, sms, needsSms } = configuration
  const { database, stateOf } = storeOf(store)
  const states = [
    database === undefined ? stateOf?.(settings) : undefined,
    mailerOf(mail).stateOf?.(settings, true),
    smsSenderOf(sms).stateOf?.(settings, needsSms),
  ]
  return [
    addressCheck(configuration),
    ...states.filter((state) => state !== undefined),
    ...settingChecks(configuration).map(({ run }) => run),
  ]
}

const deliveryCheck = ({ label, stateOf, check }: SelectedDelivery, settings: SettingsValue, isNeeded: boolean) =>
  stateOf?.(settings, isNeeded) ?? check ?? unchecked(label)

const passwordCheck = ({ passwords: { blocklist, breached } }: Configuration): Effect.Effect<string, string> => {
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

const limitsCheck = (configuration: Configuration): Effect.Effect<string, string> => {
  const { settings, redis } = configuration
  const limits = Effect.succeed(limitsOf(configuration))
  if (settings.rate_limit.store !== "redis" || redis === undefined) return limits
  return Effect.promise(() => import("../redis/connection.ts")).pipe(
    Effect.flatMap(({ layer }) => Effect.scoped(Layer.build(layer(redis.url)))),
    Effect.andThen(limits),
    Effect.mapError((fault) => `Redis ${redisFaultText(fault)}`),
  )
}

const counters = { memory: "counted in each process separately", store: "counted in the store", redis: "counted in Redis, which answers" }

/** Where requests and failed sign-ins are counted, and whether all clients count as one. */
const limitsOf = ({ settings: { public_url, rate_limit }, httpSettings: { trusted_proxies, client_address } }: Configuration): string => {
  if (!rate_limit.enabled) return "off: requests, guesses and messages have no limit"
  const place = counters[rate_limit.store]
  if (client_address !== "peer" || trusted_proxies.length > 0 || isLocal(new URL(public_url))) return place
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
const addressCheck = ({ settings: { public_url, base_path }, httpSettings: { cookie } }: Configuration): Effect.Effect<string, string> => {
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
