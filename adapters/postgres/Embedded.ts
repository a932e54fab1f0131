import { chmodSync, existsSync, fsyncSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer } from "effect"
import { Database, make } from "./Database.ts"
import { DirectoryInUse, lockDirectory } from "./DirectoryLock.ts"
import { Session } from "./EmbeddedSession.ts"

/**
 * PostgreSQL in this process, reached through memory: no port and no socket that anybody else could find.
 * Without a directory it lives as long as the layer.
 */
export const layer = (directory?: string): Layer.Layer<Database, DirectoryInUse> =>
  Layer.effect(
    Database,
    Effect.gen(function* () {
      if (directory !== undefined) yield* occupied(directory)
      const pglite = yield* Effect.acquireRelease(
        Effect.promise(() => (directory === undefined ? PGlite.create() : open(directory))),
        (pglite) => Effect.promise(() => pglite.close()),
      )
      return yield* connected(new Session(pglite))
    }),
  )

/** Connections to a session. Two of them, for statements and for transactions; the session lets one in at a time. */
export const connected = (session: Session) =>
  make({ stream: () => session.connect(), username: "postgres", database: "postgres", ssl: false, maxConnections: 2 })

/** Nobody but its owner reads the directory, and no second process writes to it. */
const occupied = (directory: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        mkdirSync(directory, { recursive: true, mode: 0o700 })
        chmodSync(directory, 0o700)
        return lockDirectory(directory)
      },
      catch: (cause) => cause,
    }).pipe(Effect.catch((cause) => (cause instanceof DirectoryInUse ? Effect.fail(cause) : Effect.die(cause)))),
    (release) => Effect.sync(release),
  )

/** A new database is made beside its place and moved there when it is whole: a first start that is cut short leaves nothing behind. */
const open = async (directory: string): Promise<PGlite> => {
  const place = join(directory, "pg")
  if (!existsSync(place)) {
    const unfinished = join(directory, "pg.new")
    rmSync(unfinished, { recursive: true, force: true })
    const made = await PGlite.create(unfinished, { startParams })
    await made.close()
    renameSync(unfinished, place)
  }
  // PostgreSQL's own lock stays behind when the process is killed, and where nothing had been written into it yet, no start would pass it.
  rmSync(join(place, "postmaster.pid"), { force: true })
  return syncing(await PGlite.create(place, { startParams }))
}

/** PGlite turns fsync off by default; what has been acknowledged should outlive the machine, too. */
const startParams = [...PGlite.defaultStartParams.filter((param) => param !== "-F"), "-c", "wal_sync_method=fsync"]

/** PGlite's file system answers fsync without doing it. This is the one place that hands it on to the disk. */
const syncing = (pglite: PGlite): PGlite => {
  const { stream_ops } = (pglite.Module.FS.filesystems as { readonly NODEFS: { readonly stream_ops: StreamOps } }).NODEFS
  stream_ops.fsync = ({ nfd }) => {
    if (nfd !== undefined) fsyncSync(nfd)
    return 0
  }
  return pglite
}

interface StreamOps {
  fsync?: (stream: { readonly nfd?: number }) => number
}
