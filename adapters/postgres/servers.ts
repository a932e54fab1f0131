import type { Duplex } from "node:stream"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlError } from "effect/sql"
import { rootCertificateReader } from "./root-certificate.ts"
import { socketFactory, urlsOf } from "./url.ts"

/** A server, and how to open the transport to it. */
export interface Server {
  readonly url?: Redacted.Redacted
  /** The certificate authorities that are trusted in place of those of Node, in PEM, for a new connection. */
  readonly ca?: () => string | undefined
  readonly stream: () => Duplex
}

/** The servers of one database. One of them accepts writes; the others are its standbys. */
export interface Servers {
  readonly all: ReadonlyArray<Server>
  /** The index of the server that accepted writes last: it is tried first. */
  primary: number
}

export interface Config extends Omit<PgConnection.Config, "url" | "stream"> {
  readonly servers: Servers
}

export const serversOf = (text: string): Servers => ({
  all: urlsOf(text).map((url) => ({ url: Redacted.make(url), stream: socketFactory(url), ca: rootCertificateReader(url) })),
  primary: 0,
})

/** An open connection and its socket. */
export interface Opened {
  readonly connection: PgConnection.PgConnection
  readonly socket: Duplex | undefined
}

/** Connects to a server that accepts writes, until the scope ends. With several servers, tries each of them once. */
export const connect = Effect.fnUntraced(function* connectToPrimary({ servers, ...config }: Config) {
  const { all, primary } = servers
  let fault: SqlError.SqlError | undefined
  for (let turn = 0; turn < all.length; turn++) {
    const index = (primary + turn) % all.length
    const attempt = yield* Effect.result(open(config, all[index]!, all.length > 1))
    if (attempt._tag === "Failure") {
      fault = attempt.failure
      continue
    }
    servers.primary = index
    return attempt.success
  }
  return yield* Effect.fail(fault ?? standby)
})

const open = Effect.fnUntraced(function* openConnection(config: PgConnection.Config, { url, stream, ca }: Server, isChecked: boolean) {
  const scope = yield* Scope.fork(yield* Scope.Scope)
  let socket: Duplex | undefined
  const opening = () => {
    socket = stream()
    return socket
  }
  const checked = Effect.gen(function* connectAndCheck() {
    const trusted = ca?.()
    const ssl = trusted === undefined ? {} : { ssl: { ca: trusted } }
    const connection = yield* PgConnection.make({ ...config, ...(url === undefined ? {} : { url }), ...ssl, stream: opening })
    if (isChecked && (yield* isStandby(connection))) return yield* Effect.fail(standby)
    return { connection, socket } satisfies Opened
  })
  return yield* Effect.onError(Scope.provide(checked, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
})

const isStandby = (connection: PgConnection.PgConnection) =>
  Effect.map(connection.query("SELECT pg_is_in_recovery() AS standby", [], false), ({ rows }) => String(rows[0]?.["standby"]) === "true")

const standby = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ message: "No server accepts writes", cause: new Error("a standby"), operation: "connect" }),
})
