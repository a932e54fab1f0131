import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { freePort } from "../postgres-server.ts"
import { atEnd } from "./endings.ts"
import { temporaryFolder } from "./program.ts"
import { untilListening } from "./waiting.ts"

/** Debian's PgBouncer in front of a database: each transaction gets one of four connections. Returns the URL of the database there. */
export const startPgBouncer = async (database: string): Promise<string> => {
  const port = await freePort()
  const url = new URL(database)
  const folder = temporaryFolder()
  const file = join(folder, "pgbouncer.ini")
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 4,
    logfile: "",
  }
  writeFileSync(
    file,
    [
      "[databases]",
      `* = host=${url.hostname} port=${url.port || 5432} user=${url.username || "postgres"}`,
      "[pgbouncer]",
      ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`),
    ].join("\n"),
  )
  // PgBouncer refuses to run as root.
  const isRoot = userInfo().uid === 0
  const user = isRoot ? ["-u", "nobody"] : []
  if (isRoot) chownSync(folder, 65_534, 65_534)
  const server: ChildProcess = spawn("pgbouncer", ["-q", ...user, file], { stdio: "ignore" })
  atEnd(async () => {
    if (server.exitCode !== null) return
    const gone = once(server, "exit")
    server.kill("SIGKILL")
    await gone
  })
  await untilListening("PgBouncer", port)
  url.port = `${port}`
  url.hostname = "127.0.0.1"
  return url.href
}
