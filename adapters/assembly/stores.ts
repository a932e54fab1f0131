import { Effect, Layer } from "effect"
import type { Store } from "../../domain/ports/store.ts"
import { unreadable } from "../../domain/storage/sealing.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { Change } from "../cli/doctor.ts"
import { waitForStore } from "../cli/wait-for-store.ts"
import type { Configuration, KeptStore } from "../config/load.ts"
import * as OwnStore from "../own/store.ts"
import { keys } from "./keys.ts"

// Drivers are loaded when the configuration names them: each takes tens of megabytes.

type Tables = ReadonlyArray<AnyTable>
type Kept<Kind extends KeptStore["kind"]> = Extract<KeptStore, { readonly kind: Kind }>

/** The configured store, once it can be reached. */
export const storage = (store: Configuration["store"], tables: Tables): Layer.Layer<Store, unknown> => {
  if (store.kind === undefined) return OwnStore.layer(store, tables)
  if (store.kind === "memory") return loaded(async () => (await import("../memory/memory-store.ts")).layer(tables))
  return waitForStore(loaded(async () => (await adapterOf(store)).layer(tables)))
}

/** Maintenance of the database, for `migrate` and `doctor`. */
export const maintenance = (tables: Tables, { secrets }: Pick<Configuration, "secrets">) => ({
  migrate: (store: KeptStore) => Effect.flatMap(adapter(store), ({ migrate }) => migrate(tables)),
  plan: (store: KeptStore) => Effect.flatMap(adapter(store), ({ plan }) => plan(tables)),
  unused: (store: KeptStore) => Effect.flatMap(adapter(store), ({ unused }) => unused(tables)),
  unreadable: (store: KeptStore) =>
    Effect.flatMap(adapter(store), ({ layerMigrated }) => Effect.provide(unreadable(tables), [layerMigrated(tables), keys(secrets)])),
})

const loaded = <A, E, R>(load: () => Promise<Layer.Layer<A, E, R>>) => Layer.unwrap(Effect.promise(load))

/** One way to keep tables, with what maintains them. */
interface Adapter {
  readonly layer: (tables: Tables) => Layer.Layer<Store, unknown>
  readonly layerMigrated: (tables: Tables) => Layer.Layer<Store, unknown>
  readonly migrate: (tables: Tables) => Effect.Effect<ReadonlyArray<string>, unknown>
  readonly plan: (tables: Tables) => Effect.Effect<ReadonlyArray<Change>, unknown>
  readonly unused: (tables: Tables) => Effect.Effect<ReadonlyArray<string>, unknown>
}

const adapterOf = (store: KeptStore): Promise<Adapter> => (store.kind === "mongo" ? mongo(store) : postgres(store))
const adapter = (store: KeptStore) => Effect.promise(() => adapterOf(store))

const mongo = async ({ url, max_connections }: Kept<"mongo">) => {
  const [Database, Migrations, MongoStore] = await Promise.all([
    import("../mongo/database.ts"),
    import("../mongo/migrations.ts"),
    import("../mongo/mongo-store.ts"),
  ])
  const database = Database.layer(url, { maxConnections: max_connections })
  return {
    layer: (tables: Tables) => Layer.provide(MongoStore.layer(tables), database),
    layerMigrated: (tables: Tables) => Layer.provide(MongoStore.layerMigrated(tables), database),
    migrate: (tables: Tables) => Effect.provide(Migrations.migrate(tables), database),
    plan: (tables: Tables) => Effect.provide(Migrations.plan(tables), database),
    unused: (tables: Tables) => Effect.provide(Migrations.unused(tables), database),
  }
}

const postgres = async (store: Kept<"embedded" | "postgres">) => {
  const [Migrations, PostgresStore] = await Promise.all([import("../postgres/migrations.ts"), import("../postgres/postgres-store.ts")])
  const database = await databaseOf(store)
  return {
    layer: (tables: Tables) => Layer.provide(PostgresStore.layer(tables), database),
    layerMigrated: (tables: Tables) => Layer.provide(PostgresStore.layerMigrated(tables), database),
    migrate: (tables: Tables) => Effect.provide(Migrations.migrate(tables), database),
    plan: (tables: Tables) => Effect.provide(Migrations.plan(tables), database),
    unused: (tables: Tables) => Effect.provide(Migrations.unused(tables), database),
  }
}

const databaseOf = async (store: Kept<"embedded" | "postgres">) => {
  if (store.kind === "embedded") return (await import("../postgres/embedded.ts")).layer(store.directory)
  return (await import("../postgres/database.ts")).layer(store.url, { maxConnections: store.max_connections })
}
