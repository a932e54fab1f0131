import { Effect, Layer, type Redacted, Schema, type Scope } from "effect"
import type { Store } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { about, between, orElse, type SettingsValue } from "../../domain/settings.ts"
import type { CertificateHost } from "../certificate-expiry.ts"
import { watchClock } from "../clock-difference.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { loaded } from "../loaded.ts"
import { adapterFor, type Check } from "./adapter.ts"
import type { Facts } from "./facts.ts"

type Tables = ReadonlyArray<AnyTable>

/** A pending change of the database schema. */
export interface Change {
  readonly statement: string
  /** The declared table that it creates. */
  readonly newTable?: string
  /** Why only the owner of the database can make it. */
  readonly refusal?: string
  /** What it locks, and how much there is to do. */
  readonly note?: string
}

/** A database in a folder of this machine, which the first start creates. */
interface DatabaseFolder {
  readonly directory: string
  readonly exists: () => boolean
  readonly backup: (file: string) => Effect.Effect<void, unknown>
  readonly restore: (file: string) => Effect.Effect<void, unknown>
}

/** A database whose schema the commands maintain. `D` is the connection that the effects need. */
export interface Maintenance<D = never> {
  /** The store of a database that is not to be migrated. */
  readonly layerMigrated: (tables: Tables) => Layer.Layer<Store, unknown, D>
  readonly migrate: (tables: Tables) => Effect.Effect<ReadonlyArray<string>, unknown, D>
  readonly plan: (tables: Tables) => Effect.Effect<ReadonlyArray<Change>, unknown, D>
  /** Tables that no enabled module declares. */
  readonly unused: (tables: Tables) => Effect.Effect<ReadonlyArray<string>, unknown, D>
  /** The number of rows of each table. */
  readonly counts: (tables: Tables) => Effect.Effect<ReadonlyArray<readonly [table: string, rows: number]>, unknown, D>
}

/** A server of databases, apart from this process. */
interface Server<D = never> {
  readonly facts: (tables: Tables) => Effect.Effect<Facts, unknown, D>
}

/** A backup that was restored into a database of its own, which is removed with the scope. */
export interface Restored {
  readonly database: Maintenance
  /** When the backup was made, in milliseconds since 1970; null if it does not say. */
  readonly made: number | null
}

/** A database, for commands. */
export interface Database extends Maintenance {
  /** The role that connects; empty if it is not known. */
  readonly role: string
  readonly folder?: DatabaseFolder
  /** What `doctor --production` asks a server. */
  readonly server?: Server & {
    /** Connections of one process. */
    readonly connections: number
    readonly migrate: "start" | "never"
    /** The hosts whose certificates the connections need. */
    readonly certificates: ReadonlyArray<CertificateHost>
  }
  /** Restores a backup for a check: next to this database, or on the server of another URL. */
  readonly restoreAside: (file: string, server: Redacted.Redacted | undefined) => Effect.Effect<Restored, unknown, Scope.Scope>
  /** A database of another URL of the same kind, for checks. Undefined: there are no URLs. */
  readonly at?: (url: Redacted.Redacted) => Maintenance
}

/** A selected store. */
export interface SelectedStore {
  /** For the banner of the start. */
  readonly label: string
  /** Names the database within this process, without credentials; undefined if each use is a database of its own. */
  readonly identity?: string
  /** `db.system.name` of OpenTelemetry. */
  readonly system: string
  /** Whether several processes can use it at once. */
  readonly isShared: boolean
  /** Whether its data outlives the process. */
  readonly isLasting: boolean
  readonly layer: (tables: Tables) => Layer.Layer<Store, unknown>
  /** How many sessions a process keeps in memory, and for how long, in milliseconds; 0 is without end. */
  readonly sessionCache?: { readonly size: number; readonly max_age: number }
  readonly database?: Database
  /** The state without a database, or before it exists. */
  readonly stateOf?: (settings: SettingsValue) => Check
}
export const storeAdapter = adapterFor<SelectedStore>()

/** The parts of a database system, which are loaded at the first use: a driver takes tens of megabytes. */
interface Parts<D> {
  readonly connection: Layer.Layer<D, unknown>
  readonly store: Pick<Maintenance<D>, "layerMigrated"> & { readonly layer: Maintenance<D>["layerMigrated"] }
  readonly migrations: Omit<Maintenance<D>, "layerMigrated">
  /** Of a server, apart from this process. */
  readonly server?: Server<D> & { readonly clock: Effect.Effect<number, unknown, D> }
  /** What the service has around its store, such as replicas. */
  readonly around?: (store: Layer.Layer<Store, unknown, D>) => Layer.Layer<Store, unknown, D>
}

/** Fails unless the schema is what the declared tables need. */
const demandCurrent = <R>(plan: Effect.Effect<ReadonlyArray<Change>, unknown, R>) =>
  Effect.flatMap(plan, (changes) => {
    if (changes.length === 0) return Effect.void
    const refusals = DatabaseRefused.among(changes)?.refusals ?? []
    const due = changes.length - refusals.length
    const reason = `${due} changes of the schema are due, and store.migrate is "never": run \`migrate\` of this version first`
    return new DatabaseRefused({ refusals: due === 0 ? refusals : [...refusals, { reason }] })
  })

export const migrates = Schema.Literals(["start", "never"]).pipe(
  orElse("start"),
  about("Who updates the [schema](docs/operating.md#upgrade): every start, or the command `migrate` alone."),
)

/** The layer of a store, and the maintenance of its database. */
export const onDatabase = <D>(load: () => Promise<Parts<D>>, migrates: "start" | "never" = "start") => {
  const run = <A>(work: (parts: Parts<D>) => Effect.Effect<A, unknown, D>) =>
    Effect.flatMap(Effect.promise(load), (parts) => Effect.provide(work(parts), parts.connection))
  const built = (layerOf: (parts: Parts<D>) => Layer.Layer<Store, unknown, D>) =>
    loaded(async () => {
      const parts = await load()
      return Layer.provide(layerOf(parts), parts.connection)
    })
  const started = ({ store, migrations, server, around = (layer) => layer }: Parts<D>, tables: Tables) =>
    Layer.tap(
      around(
        migrates === "start"
          ? store.layer(tables)
          : Layer.unwrap(Effect.as(demandCurrent(migrations.plan(tables)), store.layerMigrated(tables))),
      ),
      () => (server === undefined ? Effect.void : watchClock(server.clock)),
    )
  return {
    layer: (tables: Tables) => built((parts) => started(parts, tables)),
    maintenance: {
      layerMigrated: (tables: Tables) => built(({ store }) => store.layerMigrated(tables)),
      migrate: (tables: Tables) => run(({ migrations }) => migrations.migrate(tables)),
      plan: (tables: Tables) => run(({ migrations }) => migrations.plan(tables)),
      unused: (tables: Tables) => run(({ migrations }) => migrations.unused(tables)),
      counts: (tables: Tables) => run(({ migrations }) => migrations.counts(tables)),
    },
    facts: (tables: Tables) =>
      run(({ server }) => (server === undefined ? Effect.die(new Error("This database has no server")) : server.facts(tables))),
  }
}

export const maxConnections = between(1, 1000).pipe(orElse(10), about("Connections of one process."))

export const sessionCache = (size: number) =>
  between(0, 1_000_000).pipe(
    orElse(size),
    about(
      "How many sessions the process keeps in memory for requests that only read them ([more](docs/operating.md#cache-of-sessions)); 0 turns the cache off.",
    ),
  )

export const sessionCacheAge = between(1, 300).pipe(
  orElse(5),
  about("Seconds after which a session in the cache is read again: so long, another process may accept a session after its end."),
)
