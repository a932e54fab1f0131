import { accessSync, chmodSync, constants, existsSync, fsyncSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PGlite } from "@electric-sql/pglite"
import { Data, Effect, Layer, Schedule } from "effect"
import { Database, make } from "./database.ts"
import { DirectoryInUse, lockDirectory } from "./directory-lock.ts"
import { serveCopies } from "./embedded-copies.ts"
import { Session } from "./embedded-session.ts"

/** The data directory cannot contain a database, or its database cannot be opened. The message says what to do, in one line. */
export class DirectoryUnusable extends Data.TaggedError("DirectoryUnusable")<{ readonly message: string }> {}

/**
 * PostgreSQL in this process, connected through memory: no other process can send it statements. A socket in the data directory, which only
 * the user of this process can open, gives copies to the command `backup`.
 * Without a directory, its data lasts as long as the layer.
 */
export const layer = (directory?: string): Layer.Layer<Database, DirectoryInUse | DirectoryUnusable> =>
  Layer.effect(
    Database,
    Effect.gen(function* () {
      if (directory !== undefined) yield* privateAndLocked(directory)
      if (directory !== undefined && !holdsDatabase(directory)) {
        yield* Effect.logInfo(`Creating the database in ${directory}. This can take half a minute.`)
        yield* attempt(directory, () => createDatabase(directory), notCreated(directory))
      }
      const pglite = yield* Effect.acquireRelease(
        directory === undefined
          ? Effect.promise(async () => (await library()).PGlite.create())
          : attempt(directory, () => open(directory), damaged(directory)),
        (pglite) => Effect.promise(() => pglite.close()),
      )
      const session = new Session(pglite)
      if (directory !== undefined) yield* serveCopies(directory, databasePath(directory), (copy) => session.paused(copy))
      return yield* connected(session)
    }),
  )

/** Loaded at the first use: commands import this file to call `holdsDatabase`, which needs no library. */
const library = () => import("@electric-sql/pglite")

/** The folder of PostgreSQL in the data directory. */
export const databasePath = (directory: string) => join(directory, "pg")

/** Whether this directory contains a database. */
export const holdsDatabase = (directory: string): boolean => existsSync(databasePath(directory))

/** System errors keep their message; PGlite's own messages do not help the operator and are replaced. */
const attempt = <A>(directory: string, work: () => Promise<A>, fallbackMessage: string) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => {
      const isSystemError = cause instanceof Error && "syscall" in cause
      return new DirectoryUnusable({ message: isSystemError ? unusable(directory, cause.message) : fallbackMessage })
    },
  })

const damaged = (directory: string) =>
  `The database in ${directory} cannot be opened: it is damaged, of another version of PostgreSQL, or has files that the user of this process does not own; restore a backup in its place, or move it away to start with an empty one`

const notCreated = (directory: string) =>
  `The database cannot be created in ${directory}; free space on the disk if it is full, or set store.directory to another folder`

const unusable = (directory: string, reason: string) =>
  `The data directory ${directory} cannot be used (${reason}); set store.directory to a folder that the user of this process can write to`

/** Two connections to a session, one for statements and one for transactions; the session serves one at a time. */
export const connected = (session: Pick<Session, "connect">) =>
  make({
    servers: { all: [{ stream: () => session.connect() }], primary: 0 },
    username: "postgres",
    database: "postgres",
    ssl: false,
    isAlone: true,
    maxConnections: 2,
  })

/** Makes the directory private and locks it; waits for a killed process that is still exiting. */
export const privateAndLocked = (directory: string) =>
  Effect.retry(acquireLock(directory), {
    while: isHeldElsewhere,
    schedule: Schedule.upTo(Schedule.spaced("100 millis"), { duration: "5 seconds" }),
  })

/** Does not wait for a lock of this process: it would not be released in the meantime. */
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

/** Does not use `mkdirSync` with `recursive`, which never returns for a path below a folder where mkdir fails with ENOENT, such as /proc. */
const makeFolder = (directory: string): void => {
  if (existsSync(directory)) return
  makeFolder(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process that starts at the same time may have created it.
    if (!existsSync(directory)) throw error
  }
}

/** Creates the database in a temporary folder and renames it when it is complete: an interrupted first start leaves no partial database. */
const createDatabase = async (directory: string): Promise<void> => {
  const unfinished = join(directory, "pg.new")
  rmSync(unfinished, { recursive: true, force: true })
  await (await createPglite(unfinished)).close()
  renameSync(unfinished, databasePath(directory))
}

const open = async (directory: string): Promise<PGlite> => {
  const path = databasePath(directory)
  accessSync(path, constants.R_OK | constants.W_OK)
  // A killed process leaves PostgreSQL's own lock file; if the file is still empty, every later start would fail.
  rmSync(join(path, "postmaster.pid"), { force: true })
  return withFsync(await createPglite(path))
}

/** PGlite turns fsync off by default; an acknowledged commit has to survive a crash of the machine. */
const createPglite = async (path: string): Promise<PGlite> => {
  const { PGlite } = await library()
  const startParams = [...PGlite.defaultStartParams.filter((param) => param !== "-F"), "-c", "wal_sync_method=fsync"]
  return PGlite.create(path, { startParams })
}

/** PGlite's file system ignores fsync; this makes it sync to the disk. */
const withFsync = (pglite: PGlite): PGlite => {
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
