import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { link, open, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Effect } from "effect"
import { create, extract } from "tar"
import { BackupFailed } from "../backup-tools.ts"
import { DirectoryInUse, lockDirectory } from "./directory-lock.ts"
import { databasePath, holdsDatabase, privateAndLocked } from "./embedded.ts"
import { requestCopy } from "./embedded-copies.ts"

const failed = (message: string) => new BackupFailed({ message })
const attempt = <A>(what: string, work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => failed(`${what} (${(cause as Error).message})`) })

/** PostgreSQL's lock of a running process. */
const lockFile = "postmaster.pid"

/** Writes the database of a data directory into a new file (tar, gzip), also while a process has it open. */
export const backup = Effect.fnUntraced(function* backupEmbedded(directory: string, file: string) {
  if (!holdsDatabase(directory)) return yield* failed(`There is no database in ${directory}`)
  if (existsSync(file)) return yield* failed(`${file} exists already`)
  const folder = yield* stillFolder(directory)
  const unfinished = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  const write = async () => {
    await (await open(unfinished, "wx", 0o600)).close()
    const filter = (path: string) => basename(path) !== lockFile
    await create({ gzip: true, cwd: folder, file: unfinished, portable: true, strict: true, filter }, [basename(databasePath(directory))])
    const written = await open(unfinished, "r")
    await written.sync().finally(() => written.close())
    await link(unfinished, file)
  }
  const remove = Effect.promise(() => rm(unfinished, { force: true }))
  yield* Effect.ensuring(attempt(`${file} cannot be written`, write), remove)
}, Effect.scoped)

/** A folder with the database that no process changes: the data directory itself, or a copy by the process that has it open. */
const stillFolder = Effect.fnUntraced(function* stillFolder(directory: string) {
  const lock = Effect.try({ try: () => lockDirectory(directory), catch: (cause) => cause as Error })
  const locked = yield* Effect.result(Effect.acquireRelease(lock, (release) => Effect.sync(release)))
  if (locked._tag === "Success") return directory
  if (!(locked.failure instanceof DirectoryInUse)) return yield* failed(`${directory} cannot be locked (${locked.failure.message})`)
  const { pid } = locked.failure
  return yield* Effect.mapError(requestCopy(directory), () =>
    failed(`Process ${pid} has ${directory} open and makes no copy: stop it first`),
  )
})

/** Restores a backup into a data directory without a database. */
export const restore = Effect.fnUntraced(function* restoreEmbedded(directory: string, file: string) {
  yield* privateAndLocked(directory)
  if (holdsDatabase(directory)) return yield* failed(`${directory} has a database already: move it away first`)
  const unfinished = join(directory, "pg.new")
  const remove = () => rmSync(unfinished, { recursive: true, force: true })
  const unpack = async () => {
    remove()
    mkdirSync(unfinished, { mode: 0o700 })
    const isOwn = (path: string) => path.startsWith(`${basename(databasePath(directory))}/`)
    await extract({ file, cwd: unfinished, strip: 1, strict: true, filter: isOwn })
    if (!existsSync(join(unfinished, "global", "pg_control"))) throw new Error("it is no backup")
    renameSync(unfinished, databasePath(directory))
  }
  yield* Effect.ensuring(attempt(`${file} cannot be restored`, unpack), Effect.sync(remove))
}, Effect.scoped)
