import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { Effect, Schema } from "effect"
import { about, orElse } from "../../domain/settings.ts"
import type { Check } from "../kinds/adapter.ts"
import { onDatabase, sessionCache, storeAdapter } from "../kinds/store.ts"
import { databasePath, holdsDatabase } from "./embedded.ts"

const Settings = Schema.Struct({
  kind: Schema.Literal("embedded"),
  directory: Schema.NonEmptyString.pipe(orElse(".sallyport/data"), about("The folder of the data, relative to the working directory.")),
  session_cache: sessionCache(10_000),
})

const partsOf = async (directory: string) => {
  const [Embedded, migrations, store] = await Promise.all([
    import("./embedded.ts"),
    import("./migrations.ts"),
    import("./postgres-store.ts"),
  ])
  return { connection: Embedded.layer(directory), store, migrations }
}

/** Loaded when a command runs: the server does not need the archive library. */
const backups = Effect.promise(() => import("./embedded-backup.ts"))

/** PostgreSQL in this process. */
export const embedded = storeAdapter({
  kind: "embedded",
  settings: Settings,
  select: ({ directory, session_cache: size }) => {
    const { layer, maintenance } = onDatabase(() => partsOf(directory))
    return {
      label: `embedded PostgreSQL, in ${directory}`,
      identity: resolve(directory),
      system: "postgresql",
      isShared: false,
      isLasting: true,
      layer,
      // No other process can end a session, so that it need not be read again.
      sessionCache: { size, max_age: 0 },
      stateOf: () => directoryCheck(directory),
      database: {
        ...maintenance,
        role: "",
        restoreAside,
        folder: {
          directory,
          exists: () => holdsDatabase(directory),
          backup: (file) => Effect.flatMap(backups, ({ backup }) => backup(directory, file)),
          restore: (file) => Effect.flatMap(backups, ({ restore }) => restore(directory, file)),
        },
      },
    }
  },
})

const restoreAside = Effect.fnUntraced(function* restoreAside(file: string) {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sallyport-verify-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  )
  yield* Effect.flatMap(backups, ({ restore }) => restore(directory, file))
  const made = statSync(join(databasePath(directory), "global", "pg_control")).mtimeMs
  return { database: onDatabase(() => partsOf(directory)).maintenance, made }
})

const directoryCheck = (directory: string): Check =>
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
