import { randomBytes } from "node:crypto"
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { MongoClient } from "mongodb"
import { BackupFailed, runTool } from "../backup-tools.ts"
import { reasonOf } from "../root-cause.ts"
import { databaseName } from "./database.ts"

/** The same server and login with another database. Without `authSource`, the database would also be where the server looks for the user. */
const withDatabase = (text: string, name: string, authSource: string | undefined) => {
  const url = text.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`)
  if (authSource === undefined || /[?&]authSource=/i.test(url)) return url
  return `${url}${url.includes("?") ? "&" : "?"}authSource=${encodeURIComponent(authSource)}`
}

/** Connected, since a record in DNS may name the database of the login: then `options` has it. */
const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => new MongoClient(url).connect(),
      catch: (fault) => new BackupFailed({ message: `The server for the copy cannot be used (${reasonOf(fault)})` }),
    }),
    (client) => Effect.promise(() => client.close()),
  )

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
  const url = Redacted.value(server)
  const client = yield* connected(url)
  const login = client.options.credentials?.source
  const target = Redacted.make(withDatabase(url, name, login))
  // Otherwise the check would migrate the database of the URL.
  if (databaseName(target) !== name)
    return yield* new BackupFailed({ message: "The URL of the server is not of the form mongodb://HOST/DATABASE" })
  const drop = Effect.promise(() => client.db(name).dropDatabase())
  yield* Effect.addFinalizer(() => Effect.ignoreCause(drop, { log: "Warn", message: `The database ${name} could not be dropped.` }))
  const config = yield* privateFile(`uri: ${JSON.stringify(withDatabase(url, "", login))}\n`)
  const from = databaseName(source)
  const names = [`--nsInclude=${from}.*`, `--nsFrom=${from}.*`, `--nsTo=${name}.*`]
  yield* runTool("mongorestore", [`--config=${config.file}`, `--archive=${file}`, ...(gzip ? ["--gzip"] : []), ...names, "--stopOnError"])
  return { url: target, made }
})
