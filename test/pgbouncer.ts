import { spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { untilListening } from "./e2e/waiting.ts"
import { freePort } from "./free-port.ts"

/** Debian's PgBouncer in front of a server: each transaction gets one of four connections to its database. */
export const startPgBouncer = async (server: string) => {
  const port = await freePort()
  const url = new URL(server)
  const folder = mkdtempSync(join(tmpdir(), "sallyport-pgbouncer-"))
  const file = join(folder, "pgbouncer.ini")
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 4,
    max_client_conn: 1000,
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
  const options = isRoot ? ["-u", "nobody"] : []
  if (isRoot) chownSync(folder, 65_534, 65_534)
  const pooler = spawn("pgbouncer", ["-q", ...options, file], { stdio: "ignore" })
  await untilListening("PgBouncer", port)
  url.port = `${port}`
  url.hostname = "127.0.0.1"
  return {
    /** The URL of the server's database there. */
    url: url.href,
    stop: async () => {
      if (pooler.exitCode === null) {
        const gone = once(pooler, "exit")
        pooler.kill("SIGKILL")
        await gone
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
