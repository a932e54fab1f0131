import { randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"
import { BackupFailed, runTool } from "../../backup-tools.ts"
import * as Servers from "../servers.ts"

/** A URL that `pg_restore` reads as the driver does. The groups: its start, user, password, hosts, and query. */
const usual = /^(postgres(?:ql)?:\/\/)(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]*)(?:\/[^/?#]*)?(\?[^#]*)?$/

/**
 * The URL of another database on the same server, and the same for `pg_restore`: with the password in its environment, because other users
 * of the machine see the arguments of a program. Null for an unusual URL, by which another database could be restored into.
 */
const withDatabase = (server: string, name: string) => {
  const [, start, user, password, hosts = "", query = ""] = usual.exec(server) ?? []
  const named = new URLSearchParams(query)
  if (start === undefined || named.has("dbname") || named.has("password")) return null
  const rest = `${hosts}/${name}${query}`
  const login = (text: string | undefined) => (text === undefined ? "" : `${text}@`)
  const primary = hosts.includes(",") ? `${query === "" ? "?" : "&"}target_session_attrs=read-write` : ""
  return {
    url: `${start}${login(password === undefined ? user : `${user}:${password}`)}${rest}`,
    forTool: `${start}${login(user)}${rest}${primary}`,
    environment: password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) },
  }
}

/** Creates a database on the server of a URL, which is dropped with the scope. */
const scratch = (server: string, name: string) => {
  const run = (statement: string) =>
    Effect.scoped(
      Effect.flatMap(Servers.connect({ servers: Servers.serversOf(server) }), ({ connection }) => connection.query(statement, [], false)),
    )
  return Effect.acquireRelease(run(`CREATE DATABASE ${name}`), () =>
    Effect.ignore(run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`), {
      log: "Warn",
      message: `The database ${name} could not be dropped.`,
    }),
  )
}

/** Restores a file of `pg_dump` into a new database on the server of a URL: the URL of the database, and when the dump was made. */
export const restoreAside = Effect.fnUntraced(function* restoreAside(file: string, server: Redacted.Redacted) {
  const name = `sallyport_verify_${randomBytes(6).toString("hex")}`
  const target = withDatabase(Redacted.value(server), name)
  if (target === null) return yield* unusualUrl
  const list = yield* runTool("pg_restore", ["--list", file])
  // The local time of the machine that made it: taken for that of this machine.
  const [, day = "", time = ""] = /^;\s*Archive created at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/m.exec(list) ?? []
  const made = Date.parse(`${day}T${time}`)
  yield* scratch(Redacted.value(server), name)
  const args = ["--no-owner", "--no-privileges", "--exit-on-error", `--dbname=${target.forTool}`, file]
  yield* runTool("pg_restore", args, target.environment)
  return { url: Redacted.make(target.url), made: Number.isNaN(made) ? null : made }
})

const unusualUrl = new BackupFailed({
  message: "The URL of the server is not of the form postgres://USER:PASSWORD@HOST/DATABASE, with an encoded password",
})
