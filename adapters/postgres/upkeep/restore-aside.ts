import { randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"
import { runTool } from "../../backup-tools.ts"
import * as Servers from "../servers.ts"

/** The same URL with another database. */
const withDatabase = (text: string, name: string) => text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*)(?:\/[^?#]*)?/, `$1/${name}`)

/** A URL without its password, and the password: other users of the machine see the arguments of a program. */
const withoutPassword = (text: string) => {
  const [, start = "", user = "", password, end = ""] = /^(postgres(?:ql)?:\/\/)(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(.*)$/s.exec(text) ?? []
  return {
    url: `${start}${user === "" ? "" : `${user}@`}${end}`,
    environment: password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) },
  }
}

/** A new database on the server of a URL, dropped with the scope: its URL. */
const scratch = Effect.fnUntraced(function* scratch(server: string) {
  const name = `sallyport_verify_${randomBytes(6).toString("hex")}`
  const run = (statement: string) =>
    Effect.scoped(
      Effect.flatMap(Servers.connect({ servers: Servers.serversOf(server) }), ({ connection }) => connection.query(statement, [], false)),
    )
  yield* Effect.acquireRelease(run(`CREATE DATABASE ${name}`), () => Effect.ignore(run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))
  return withDatabase(server, name)
})

/** Restores a file of `pg_dump` into a new database on the server of a URL: the URL of the database, and when the dump was made. */
export const restoreAside = Effect.fnUntraced(function* restoreAside(file: string, server: Redacted.Redacted) {
  const list = yield* runTool("pg_restore", ["--list", file])
  // The local time of the machine that made it: taken for that of this machine.
  const [, day = "", time = ""] = /^;\s*Archive created at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/m.exec(list) ?? []
  const made = Date.parse(`${day}T${time}`)
  const target = yield* scratch(Redacted.value(server))
  const { url, environment } = withoutPassword(target)
  yield* runTool("pg_restore", ["--no-owner", "--no-privileges", "--exit-on-error", `--dbname=${url}`, file], environment)
  return { url: Redacted.make(target), made: Number.isNaN(made) ? null : made }
})
