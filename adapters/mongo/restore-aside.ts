import { randomBytes } from "node:crypto"
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { MongoClient } from "mongodb"
import { BackupFailed, runTool } from "../backup-tools.ts"
import { databaseName } from "./database.ts"

const withDatabase = (text: string, name: string) => text.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`)

/** A file that only this user can read: other users of the machine see the arguments of a program. */
const privateFile = (content: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "sallyport-"))
      const file = join(folder, "config.yaml")
      writeFileSync(file, content, { mode: 0o600 })
      return { folder, file }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  )

const isGzip = (file: string) => {
  const opened = openSync(file, "r")
  try {
    const start = Buffer.alloc(2)
    readSync(opened, start)
    return start.equals(Buffer.from([0x1f, 0x8b]))
  } finally {
    closeSync(opened)
  }
}

/** Restores an archive of `mongodump` into a new database on the server of a URL: the URL of the database, and when the file was written. */
export const restoreAside = Effect.fnUntraced(function* restoreAside(
  file: string,
  { source, server }: { readonly source: Redacted.Redacted; readonly server: Redacted.Redacted },
) {
  const { made, gzip } = yield* Effect.try({
    try: () => ({ made: statSync(file).mtimeMs, gzip: isGzip(file) }),
    catch: (fault) => new BackupFailed({ message: `${file} cannot be read (${(fault as Error).message})` }),
  })
  const name = `sallyport_verify_${randomBytes(6).toString("hex")}`
  const target = withDatabase(Redacted.value(server), name)
  const drop = async () => {
    await using client = new MongoClient(target)
    await client.db().dropDatabase()
  }
  yield* Effect.addFinalizer(() => Effect.ignoreCause(Effect.promise(drop)))
  // The user of the URL is in the database of the URL, unless it names another.
  const login =
    /[?&]authSource=/.test(target) || !target.includes("@") ? "" : `authenticationDatabase: ${JSON.stringify(databaseName(server))}\n`
  const config = yield* privateFile(`uri: ${JSON.stringify(withDatabase(Redacted.value(server), ""))}\n${login}`)
  const from = databaseName(source)
  const names = [`--nsInclude=${from}.*`, `--nsFrom=${from}.*`, `--nsTo=${name}.*`]
  yield* runTool("mongorestore", [`--config=${config.file}`, `--archive=${file}`, ...(gzip ? ["--gzip"] : []), ...names, "--stopOnError"])
  return { url: Redacted.make(target), made }
})
