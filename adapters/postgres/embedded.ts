import { accessSync, chmodSync, constants, existsSync, fsyncSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import { Data, Effect, Layer, Schedule } from "effect"
import { Database, make } from "./database.ts"
import { DirectoryInUse, lockDirectory } from "./directory-lock.ts"
import { Session } from "./embedded-session.ts"

/** The data directory is no place for a database, or the database in it cannot be opened: says what to do, in one line. */
export class DirectoryUnusable extends Data.TaggedError("DirectoryUnusable")<{ readonly message: string }> {}

/**
 * PostgreSQL in this process, reached through memory: no port and no socket that anybody else could find.
 * Without a directory it lives as long as the layer.
 */
export const layer = (directory?: string): Layer.Layer<Database, DirectoryInUse | DirectoryUnusable> =>
  Layer.effect(
    Database,
    Effect.gen(function* () {
      if (directory !== undefined) yield* occupied(directory)
      if (directory !== undefined && !holdsDatabase(directory)) {
        yield* Effect.logInfo(`Making the database in ${directory}, which takes some seconds.`)
        yield* attempt(directory, () => fill(directory), unmade(directory))
      }
      const pglite = yield* Effect.acquireRelease(
        directory === undefined
          ? Effect.promise(async () => (await library()).PGlite.create())
          : attempt(directory, () => open(directory), damaged(directory)),
        (pglite) => Effect.promise(() => pglite.close()),
      )
      return yield* connected(new Session(pglite))
    }),
  )

/** Loaded at the first use: commands look at this file for a data directory without one. */
const library = () => import("@electric-sql/pglite")

const placeIn = (directory: string) => join(directory, "pg")

/** Whether there is a database in this directory. */
export const holdsDatabase = (directory: string): boolean => existsSync(placeIn(directory))

/** What the system refuses is told in its words; what PGlite says of itself helps nobody. */
const attempt = <A>(directory: string, work: () => Promise<A>, otherwise: string) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => {
      const isSystems = cause instanceof Error && "syscall" in cause
      return new DirectoryUnusable({ message: isSystems ? unusable(directory, cause.message) : otherwise })
    },
  })

const damaged = (directory: string) =>
  `The database in ${directory} cannot be opened, since it is damaged, of another version of PostgreSQL, or not all of it belongs to whoever runs this process; put a backup in its place, or move it away and begin with an empty one`

const unmade = (directory: string) =>
  `No database can be made in ${directory}; see whether the disk is full, or let store.directory name another folder`

const unusable = (directory: string, reason: string) =>
  `The data directory ${directory} cannot be used (${reason}); store.directory has to name a folder that whoever runs this process can write to`

/** Connections to a session. Two of them, for statements and for transactions; the session lets one in at a time. */
export const connected = (session: Pick<Session, "connect">) =>
  make({ stream: () => session.connect(), username: "postgres", database: "postgres", ssl: false, maxConnections: 2 })

/** Makes the directory private and locks it, waiting for a process that was killed and is still exiting. */
const occupied = (directory: string) =>
  Effect.retry(acquireLock(directory), {
    while: isHeldElsewhere,
    schedule: Schedule.upTo(Schedule.spaced("100 millis"), { duration: "5 seconds" }),
  })

/** This process does not wait for itself: what it holds stays held while it waits. */
const isHeldElsewhere = (fault: DirectoryInUse | DirectoryUnusable) => fault instanceof DirectoryInUse && fault.pid !== process.pid

const acquireLock = (directory: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        makeFolder(directory)
        chmodSync(directory, 0o700)
        return lockDirectory(directory)
      },
      catch: (cause) =>
        cause instanceof DirectoryInUse ? cause : new DirectoryUnusable({ message: unusable(directory, (cause as Error).message) }),
    }),
    (release) => Effect.sync(release),
  )

/** Node's own way to make all of a path never returns where a folder refuses what is made in it with ENOENT, as /proc does. */
const makeFolder = (directory: string): void => {
  if (existsSync(directory)) return
  makeFolder(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Somebody who starts at the same time may have made it.
    if (!existsSync(directory)) throw error
  }
}

/** A new database is made beside its place and moved there when it is whole: a first start that is cut short leaves nothing behind. */
const fill = async (directory: string): Promise<void> => {
  const unfinished = join(directory, "pg.new")
  rmSync(unfinished, { recursive: true, force: true })
  const { PGlite } = await library()
  const made = await PGlite.create(unfinished, { startParams: startParams(PGlite.defaultStartParams) })
  await made.close()
  renameSync(unfinished, placeIn(directory))
}

const open = async (directory: string): Promise<PGlite> => {
  const place = placeIn(directory)
  accessSync(place, constants.R_OK | constants.W_OK)
  // PostgreSQL's own lock stays behind when the process is killed, and where nothing had been written into it yet, no start would pass it.
  rmSync(join(place, "postmaster.pid"), { force: true })
  const { PGlite } = await library()
  return syncing(await PGlite.create(place, { startParams: startParams(PGlite.defaultStartParams) }))
}

/** PGlite turns fsync off by default; what has been acknowledged should outlive the machine, too. */
const startParams = (defaults: ReadonlyArray<string>) => [...defaults.filter((param) => param !== "-F"), "-c", "wal_sync_method=fsync"]

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
