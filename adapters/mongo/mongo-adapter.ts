import { Effect, Redacted, Schema } from "effect"
import { about } from "../../domain/settings.ts"
import { hidden } from "../hidden.ts"
import { maxConnections, migrates, onDatabase, sessionCache, sessionCacheAge, storeAdapter } from "../kinds/store.ts"
import { isUrl } from "./url.ts"

const Settings = Schema.Struct({
  kind: Schema.Literal("mongo"),
  url: hidden(isUrl, "a URL that begins with mongodb:// or mongodb+srv://, as the driver reads it").pipe(
    about("The URL of a replica set. The database is `sallyport` unless the URL names another."),
  ),
  max_connections: maxConnections,
  migrate: migrates,
  session_cache: sessionCache(0),
  session_cache_age: sessionCacheAge,
})

const partsOf = async ({ url, max_connections }: typeof Settings.Type) => {
  const [Database, migrations, store, server] = await Promise.all([
    import("./database.ts"),
    import("./migrations.ts"),
    import("./mongo-store.ts"),
    import("./facts.ts"),
  ])
  return { connection: Database.layer(url, { maxConnections: max_connections }), store, migrations, server }
}

/** MongoDB. */
export const mongo = storeAdapter({
  kind: "mongo",
  settings: Settings,
  variables: [{ name: "DATABASE_URL", key: "url", selects: (url) => /^mongodb(\+srv)?:/i.test(url) }],
  select: (settings) => {
    const { url, max_connections, migrate } = settings
    const { layer, maintenance, facts } = onDatabase(() => partsOf(settings), migrate)
    const at = (url: Redacted.Redacted) => onDatabase(() => partsOf({ ...settings, url })).maintenance
    return {
      label: "MongoDB",
      identity: Redacted.value(settings.url).replace(/^(mongodb(?:\+srv)?:\/\/)(?:[^@/]*@)?([^?]*).*$/s, "$1$2"),
      system: "mongodb",
      isShared: true,
      isLasting: true,
      layer,
      sessionCache: { size: settings.session_cache, max_age: settings.session_cache_age * 1000 },
      database: {
        ...maintenance,
        role: "",
        server: { facts, connections: max_connections, migrate, certificates: [] },
        restoreAside: Effect.fnUntraced(function* restoreAside(file, server = url) {
          const { restoreAside } = yield* Effect.promise(() => import("./restore-aside.ts"))
          const restored = yield* restoreAside(file, { source: url, server })
          return { database: at(restored.url), made: restored.made }
        }),
        at,
      },
    }
  },
})
