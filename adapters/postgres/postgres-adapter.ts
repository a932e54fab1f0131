import { Effect, Layer, Redacted, Schema } from "effect"
import type { Store } from "../../domain/ports/store.ts"
import { about, between, orElse } from "../../domain/settings.ts"
import { hidden } from "../hidden.ts"
import { maxConnections, migrates, onDatabase, sessionCache, sessionCacheAge, storeAdapter } from "../kinds/store.ts"
import type { Database } from "./database.ts"
import { rootCertificateFault } from "./root-certificate.ts"
import { certificatesOf, roleOf, urlsOf } from "./url.ts"

/** The file that `sslrootcert` names is read, so that a wrong name is found at the start. */
const trustedFile = Schema.makeFilter((url: Redacted.Redacted) => rootCertificateFault(Redacted.value(url)))

const Url = hidden(
  (text) => urlsOf(text).every((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? "")),
  "a URL that begins with postgres:// or postgresql://",
).check(trustedFile)

const ReplicaUrl = hidden(
  (text) => urlsOf(text).length === 1 && /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ""),
  "a URL of one server that begins with postgres:// or postgresql://",
).check(trustedFile)

const Settings = Schema.Struct({
  kind: Schema.Literal("postgres"),
  url: Url.pipe(
    about(
      "`postgres://user:password@host:5432/name`, also with several hosts ([`sslmode` and `sslrootcert`](docs/operating.md#encryption-between-service-and-database)).",
    ),
  ),
  max_connections: maxConnections,
  migrate: migrates,
  prepare: Schema.Boolean.pipe(
    orElse(true),
    about(
      "False for poolers that assign a connection for each transaction and do not know prepared statements, such as [PgBouncer](docs/operating.md#pgbouncer) before 1.21.",
    ),
  ),
  schema: Schema.String.check(
    Schema.isPattern(/^(?!pg_|information_schema$)[A-Za-z_][A-Za-z0-9_-]{0,62}$/, {
      expected: 'a name of letters, digits, _ and -, such as "auth", that does not begin with pg_',
    }),
  ).pipe(
    Schema.optionalKey,
    about(
      "The schema of all tables, which `migrate` or the first start creates ([a database shared with an application](docs/operating.md#a-database-shared-with-an-application)). Default: that of the role's `search_path`.",
    ),
  ),
  partitions: Schema.Boolean.pipe(
    orElse(false),
    about(
      "Keep the audit log in a [partition for each month](docs/scaling.md#partitions). A table that exists becomes the first partition. The role that runs the service has to own the table.",
    ),
  ),
  replicas: Schema.Array(ReplicaUrl).pipe(
    orElse([]),
    about("URLs of standbys from which [sessions are read](docs/operating.md#replicas)."),
  ),
  replica_lag: between(3, 300).pipe(
    orElse(5),
    about("Seconds by which a replica may lag behind the primary. At least 3, because the lag is measured every second."),
  ),
  session_cache: sessionCache(0),
  session_cache_age: sessionCacheAge,
})
type Settings = typeof Settings.Type

type StoreLayer = Layer.Layer<Store, unknown, Database>

const partsOf = async (settings: Settings) => {
  const [{ Database, layer }, migrations, store, { facts, timeOf }] = await Promise.all([
    import("./database.ts"),
    import("./migrations.ts"),
    import("./postgres-store.ts"),
    import("./upkeep/facts.ts"),
  ])
  const { url, max_connections, prepare, schema, replicas, partitions } = settings
  const connection = layer(url, { maxConnections: max_connections, prepare, schema, isPartitioned: partitions })
  const server = { facts, clock: Effect.flatMap(Database, ({ withShared }) => withShared(timeOf)) }
  if (replicas.length === 0) return { connection, store, migrations, server }
  const Replicas = await import("./replicas.ts")
  return { connection, store, migrations, server, around: (layer: StoreLayer) => Layer.provide(Replicas.layer(settings), layer) }
}

const databaseOf = (url: string) => {
  const { host, pathname } = new URL(url)
  return host + pathname
}

/** PostgreSQL, on a server. */
export const postgres = storeAdapter({
  kind: "postgres",
  settings: Settings,
  variables: [{ name: "DATABASE_URL", key: "url", selects: () => true }],
  select: (settings) => {
    const { url, max_connections, migrate } = settings
    const { layer, maintenance, facts } = onDatabase(() => partsOf(settings), migrate)
    const at = (url: Redacted.Redacted) => onDatabase(() => partsOf({ ...settings, url, replicas: [] })).maintenance
    return {
      label: "PostgreSQL",
      identity: [...urlsOf(Redacted.value(settings.url)).map(databaseOf), settings.schema ?? ""].join(" "),
      system: "postgresql",
      isShared: true,
      isLasting: true,
      layer,
      sessionCache: { size: settings.session_cache, max_age: settings.session_cache_age * 1000 },
      database: {
        ...maintenance,
        role: roleOf(Redacted.value(url)),
        server: { facts, connections: max_connections, migrate, certificates: certificatesOf(Redacted.value(url)) },
        restoreAside: Effect.fnUntraced(function* restoreAside(file, server = url) {
          const { restoreAside } = yield* Effect.promise(() => import("./upkeep/restore-aside.ts"))
          const restored = yield* restoreAside(file, server)
          return { database: at(restored.url), made: restored.made }
        }),
        at,
      },
    }
  },
})
