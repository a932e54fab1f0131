import { Effect, Layer } from "effect"
import type { Store } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { sealedCounts } from "../../domain/secrets/sealed-counts.ts"
import { unreadable } from "../../domain/secrets/sealing.ts"
import type { Change } from "../cli/doctor.ts"
import type { Configuration, KeptStore } from "../config/load.ts"
import { loaded } from "../loaded.ts"
import * as OwnStore from "../own/store.ts"
import { waitForStore } from "../process/waiting.ts"
import { keys } from "./keys.ts"

// Drivers are loaded when the configuration names them: each takes tens of megabytes.

type Tables = ReadonlyArray<AnyTable>
type Kept<Kind extends KeptStore["kind"]> = Extract<KeptStore, { readonly kind: Kind }>

/** The configured store. Building the layer waits for the database, for a limited time. */
export const storage = (store: Configuration["store"], tables: Tables): Layer.Layer<Store, unknown> => {
  if (store.kind === undefined) return OwnStore.layer(store, tables)
  if (store.kind === "memory") return loaded(async () => (await import("../memory/memory-store.ts")).layer(tables))
  return cached(store, waitForStore(loaded(async () => (await adapterOf(store)).layer(tables))))
}

/** The store with its cache of sessions. The embedded database has no other process, so that its sessions need not be read again. */
const cached = <E>(store: KeptStore, layer: Layer.Layer<Store, E>): Layer.Layer<Store, unknown> => {
  const { session_cache: size } = store
  if (size === 0) return layer
  const max_age = store.kind === "embedded" ? 0 : store.session_cache_age * 1000
  return Layer.provide(
    loaded(async () => (await import("../session-cache/session-cache.ts")).layer({ size, max_age })),
    layer,
  )
}

/** Maintenance of the database, for `migrate` and `doctor`. */
export const maintenance = (tables: Tables, { secrets }: Pick<Configuration, "secrets">) => ({
  migrate: (store: KeptStore) => Effect.flatMap(adapter(store), ({ migrate }) => migrate(tables)),
  plan: (store: KeptStore) => Effect.flatMap(adapter(store), ({ plan }) => plan(tables)),
  unused: (store: KeptStore) => Effect.flatMap(adapter(store), ({ unused }) => unused(tables)),
  unreadable: (store: KeptStore) =>
    Effect.flatMap(adapter(store), ({ layerMigrated }) => Effect.provide(unreadable(tables), [layerMigrated(tables), keys(secrets)])),
  sealedCounts: (store: KeptStore) =>
    Effect.flatMap(adapter(store), ({ layerMigrated }) => Effect.provide(sealedCounts(tables), [layerMigrated(tables), keys(secrets)])),
})

interface StoreLayers<D> {
  readonly layer: (tables: Tables) => Layer.Layer<Store, unknown, D>
  readonly layerMigrated: (tables: Tables) => Layer.Layer<Store, unknown, D>
}
interface Migrations<D> {
  readonly migrate: (tables: Tables) => Effect.Effect<ReadonlyArray<string>, unknown, D>
  readonly plan: (tables: Tables) => Effect.Effect<ReadonlyArray<Change>, unknown, D>
  readonly unused: (tables: Tables) => Effect.Effect<ReadonlyArray<string>, unknown, D>
}

/** The store layers and the migrations of one database system. `D` is the database service that they need. */
interface Adapter<D = never> extends StoreLayers<D>, Migrations<D> {}

const onDatabase = <D>(database: Layer.Layer<D, unknown>, store: StoreLayers<D>, migrations: Migrations<D>): Adapter => ({
  layer: (tables) => Layer.provide(store.layer(tables), database),
  layerMigrated: (tables) => Layer.provide(store.layerMigrated(tables), database),
  migrate: (tables) => Effect.provide(migrations.migrate(tables), database),
  plan: (tables) => Effect.provide(migrations.plan(tables), database),
  unused: (tables) => Effect.provide(migrations.unused(tables), database),
})

const adapterOf = (store: KeptStore): Promise<Adapter> => (store.kind === "mongo" ? mongo(store) : postgres(store))
const adapter = (store: KeptStore) => Effect.promise(() => adapterOf(store))

const mongo = async ({ url, max_connections }: Kept<"mongo">) => {
  const [Database, Migrations, MongoStore] = await Promise.all([
    import("../mongo/database.ts"),
    import("../mongo/migrations.ts"),
    import("../mongo/mongo-store.ts"),
  ])
  return onDatabase(Database.layer(url, { maxConnections: max_connections }), MongoStore, Migrations)
}

const postgres = async (store: Kept<"embedded" | "postgres">) => {
  const [Migrations, PostgresStore] = await Promise.all([import("../postgres/migrations.ts"), import("../postgres/postgres-store.ts")])
  const database = await databaseOf(store)
  if (store.kind === "embedded" || store.replicas.length === 0) return onDatabase(database, PostgresStore, Migrations)
  const Replicas = await import("../postgres/replicas.ts")
  const layer = (tables: Tables) => Layer.provide(Replicas.layer(store), PostgresStore.layer(tables))
  return onDatabase(database, { ...PostgresStore, layer }, Migrations)
}

const databaseOf = async (store: Kept<"embedded" | "postgres">) => {
  if (store.kind === "embedded") return (await import("../postgres/embedded.ts")).layer(store.directory)
  const { max_connections: maxConnections, prepare, schema } = store
  return (await import("../postgres/database.ts")).layer(store.url, { maxConnections, prepare, schema })
}
