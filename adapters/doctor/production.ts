import { Cause, DateTime, Duration, Effect } from "effect"
import type { Checked } from "../../domain/storage/upkeep.ts"
import { type CertificateHost, certificateExpiry } from "../certificate-expiry.ts"
import { mailerOf, storeOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import type { Facts } from "../kinds/facts.ts"
import { reasonOf } from "../root-cause.ts"
import { connectionCheck, databaseChecks, migrationCheck } from "./database-checks.ts"
import { type Finding, fault, warn } from "./finding.ts"
import { senderChecks } from "./sender-domain.ts"
import { certificateCheck, secretChecks, settingChecks, upkeepCheck } from "./service-checks.ts"

/** What commands have noted in the database. */
export interface UpkeepView {
  readonly backup: Checked | undefined
  readonly auditLog: Checked | undefined
  readonly hasAudit: boolean
  readonly secretSince: string | null
}

/** Read-only queries about a database. */
export interface ProductionView {
  /** Undefined for a database of this process alone. */
  readonly facts?: Effect.Effect<Facts, unknown>
  readonly upkeep: Effect.Effect<UpkeepView, unknown>
}

/** What production needs and a service for development does not. */
export const productionChecks = Effect.fnUntraced(function* productionChecks(
  configuration: Configuration,
  view: ProductionView | null,
  instances: number,
) {
  const { settings, listen, store, secrets, mail } = configuration
  const { database } = storeOf(store)
  const now = yield* DateTime.now
  const processes = instances * listen.workers
  const ofSettings = settingChecks(configuration, processes)
  const url = new URL(settings.public_url)
  const hosts = [
    ...(url.protocol === "https:" ? [["certificate", { host: url.hostname, port: Number(url.port || 443) }] as const] : []),
    ...(database?.server?.certificates ?? []).map((host) => ["database_certificate", host] as const),
  ]
  const certificates = yield* Effect.forEach(hosts, ([check, host]) => expiryOf(check, host, now), { concurrency: 4 })
  const { sender } = mailerOf(mail)
  const ofMail = sender === undefined ? [] : yield* senderChecks(sender)
  const ofDatabase = view === null ? [unsuited(store.kind)] : yield* attempted("database", databaseFindings(configuration, view, instances))
  const { length } = yield* Effect.orElseSucceed(secrets, () => [])
  const ofUpkeep =
    view === null
      ? []
      : yield* attempted(
          "upkeep",
          Effect.map(view.upkeep, (noted) => upkeepFindings(noted, settings, length, now)),
        )
  return [...ofSettings, ...certificates, ...ofMail, ...ofDatabase, ...ofUpkeep]
})

const expiryOf = (check: string, host: CertificateHost, now: DateTime.Utc) =>
  Effect.match(certificateExpiry(host), {
    onFailure: (reason) => certificateCheck(check, host.host, { fault: reason }, now),
    onSuccess: (millis) => certificateCheck(check, host.host, { expires: DateTime.makeUnsafe(millis) }, now),
  })

const unsuited = (kind: string | undefined): Finding =>
  warn("database", `nothing is known about the store ${kind ?? "of your own"}`, 'production needs "postgres", or "mongo" as a replica set')

/** A database that cannot answer is an error, and the other findings are printed nevertheless. */
const attempted = (check: string, findings: Effect.Effect<ReadonlyArray<Finding>, unknown>) =>
  Effect.catchCause(findings, (cause) =>
    Effect.succeed([fault(check, `it could not be checked (${reasonOf(Cause.squash(cause))})`, "see the findings above")]),
  )

const databaseFindings = ({ listen, store }: Configuration, { facts }: ProductionView, instances: number) => {
  const server = storeOf(store).database?.server
  if (facts === undefined || server === undefined)
    return Effect.succeed([
      instances > 1
        ? fault("database", "the embedded database serves one process only", 'set store.kind to "postgres" or "mongo"')
        : warn("database", "the embedded database is lost with this machine", "make backups, or use a server with a standby"),
    ])
  const deployment = { instances, workers: listen.workers, each: server.connections, migrate: server.migrate }
  return Effect.map(facts, (known) => [...databaseChecks(known), connectionCheck(known, deployment), ...migrationCheck(known, deployment)])
}

const upkeepFindings = (
  { backup, auditLog, hasAudit, secretSince }: UpkeepView,
  settings: Configuration["settings"],
  count: number,
  now: DateTime.Utc,
): ReadonlyArray<Finding> => [
  upkeepCheck({ name: "backup", command: "`backup verify`", most: Duration.days(8) }, backup, now),
  hasAudit
    ? upkeepCheck({ name: "audit_log", command: "`audit verify`", most: Duration.days(2) }, auditLog, now)
    : warn("audit_log", "there is no audit log", "enable modules.audit"),
  ...secretChecks({ count, since: secretSince, hasAudit }, settings, now),
]
