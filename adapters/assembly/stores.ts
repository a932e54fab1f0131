import { Effect, Layer } from "effect"
import { newestSecretSince } from "../../application/modules/audit/secret-days.ts"
import { Days } from "../../application/modules/audit/tables.ts"
import { verify } from "../../application/modules/audit/verify.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { openEach } from "../../domain/secrets/opened.ts"
import { sealedCounts } from "../../domain/secrets/sealed-counts.ts"
import { unreadable } from "../../domain/secrets/sealing.ts"
import { lastChecked, noteChecked } from "../../domain/storage/upkeep.ts"
import { type Copy, embeddedOnly, timeOf, type VerifyOptions } from "../cli/backup-verify.ts"
import { storeOf } from "../config/adapters.ts"
import type { Configuration } from "../config/load.ts"
import type { Maintenance, SelectedStore } from "../kinds/store.ts"
import { loaded } from "../loaded.ts"
import { waitForStore } from "../process/waiting.ts"
import { keys } from "./keys.ts"

type Tables = ReadonlyArray<AnyTable>

/** The configured store. Building the layer waits for the database, for a limited time. */
export const storage = (settings: Configuration["store"], tables: Tables): Layer.Layer<Store, unknown> => {
  const store = storeOf(settings)
  return cached(store, waitForStore(store.layer(tables)))
}

const cached = <E>({ sessionCache }: SelectedStore, layer: Layer.Layer<Store, E>): Layer.Layer<Store, unknown> => {
  if (sessionCache === undefined || sessionCache.size === 0) return layer
  return Layer.provide(
    loaded(async () => (await import("../session-cache/session-cache.ts")).layer(sessionCache)),
    layer,
  )
}

/** Maintenance of the database, for `migrate` and `doctor`; null without a database, or before the first start has made it. */
export const maintenance = (
  tables: Tables,
  { store, secrets, modules, settings }: Pick<Configuration, "store" | "secrets" | "modules" | "settings">,
) => {
  const { database } = storeOf(store)
  if (database === undefined) return null
  const stored = Effect.forEach(modules, ({ name, storedFindings }) =>
    Effect.map(storedFindings(settings), (findings) => findings.map((finding) => ({ module: name, ...finding }))),
  )
  return {
    ...views(database, tables, secrets),
    stored: Effect.map(Effect.provide(stored, database.layerMigrated(tables)), (each) => each.flat()),
    ...(database.server === undefined ? {} : { facts: database.server.facts(tables) }),
  }
}

const hasAudit = (tables: Tables) => tables.includes(Days)

/** What commands ask a database about. */
export const views = (database: Maintenance, tables: Tables, secrets: Configuration["secrets"]) => {
  const services = Layer.merge(database.layerMigrated(tables), keys(secrets))
  const upkeep = Effect.all({
    backup: lastChecked("backup"),
    auditLog: lastChecked("audit_log"),
    hasAudit: Effect.succeed(hasAudit(tables)),
    secretSince: hasAudit(tables) ? newestSecretSince : Effect.succeed(null),
  })
  return {
    declared: tables.length,
    migrate: database.migrate(tables),
    plan: database.plan(tables),
    unused: database.unused(tables),
    unreadable: Effect.provide(unreadable(tables), services),
    sealedCounts: Effect.provide(sealedCounts(tables), services),
    upkeep: Effect.provide(upkeep, services),
    counts: database.counts(tables),
    opened: Effect.provide(openEach(tables), services),
    /** Undefined without an audit log. */
    verifyAudit: hasAudit(tables) ? Effect.provide(verify, services) : undefined,
    noteChecked: (...checked: Parameters<typeof noteChecked>) => Effect.provide(noteChecked(...checked), services),
  }
}

/** The copy of a backup that `backup verify` checks: restored from a file, or by other means. */
export const backupCopy = Effect.fnUntraced(function* backupCopy(
  tables: Tables,
  { store, secrets }: Pick<Configuration, "store" | "secrets">,
  { file, server, restored }: VerifyOptions,
) {
  const { database } = storeOf(store)
  if (database === undefined || (database.at === undefined && (server ?? restored) !== undefined)) return yield* embeddedOnly
  const copy =
    restored !== undefined && database.at !== undefined
      ? { database: database.at(restored), made: null }
      : yield* database.restoreAside(file ?? "", server)
  return { view: views(copy.database, tables, secrets), made: timeOf(copy.made), isScratch: restored === undefined } satisfies Copy
})
