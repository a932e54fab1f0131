import { execFileSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "./free-port.ts"

/** A PostgreSQL server of the tests; `stop` ends it and removes its data. */
export interface Server {
  readonly url: string
  /** Everything the server has logged so far. */
  readonly log: () => string
  /** Kills the server, as a crash would, or ends its connections in an orderly way; `resume` starts it again on the same port and data. */
  readonly halt: (mode?: "immediate" | "fast") => void
  readonly resume: () => void
  readonly stop: () => void
}

/** Further settings of `postgresql.conf`, such as `log_statement: "all"`. */
export type Parameters = Readonly<Record<string, string>>

/** A temporary folder, and how to run PostgreSQL's programs there. They refuse to run as root, so root runs them as the user `postgres`. */
const workshop = () => {
  const folder = mkdtempSync("/tmp/sallyport-postgres-")
  const asRoot = process.getuid?.() === 0
  if (asRoot) chownSync(folder, Number(execFileSync("id", ["-u", "postgres"])), Number(execFileSync("id", ["-g", "postgres"])))
  const run = (command: string, args: ReadonlyArray<string>) => {
    const all = [join(binaries(), command), ...args]
    const [first = "", ...rest] = asRoot ? ["runuser", "-u", "postgres", "--", ...all] : all
    execFileSync(first, rest, { stdio: "ignore", cwd: folder })
  }
  return { folder, run }
}

/** Starts PostgreSQL in a temporary folder on a free port. */
export const startPostgres = async (parameters: Parameters = {}): Promise<Server> => {
  const { folder, run } = workshop()
  const port = await freePort()
  const data = join(folder, "data")
  const log = join(folder, "log")
  // The kernel keeps what a killed server has written: fsync would only help against a crash of the machine.
  const unsynced = { fsync: "off", full_page_writes: "off" }
  const settings = Object.entries({ max_connections: "200", ...unsynced, ...parameters }).map(([name, value]) => `-c ${name}=${value}`)
  const options = [`-p ${port} -h 127.0.0.1 -k ${folder}`, ...settings].join(" ")
  const resume = () => run("pg_ctl", ["-D", data, "-w", "-l", log, "-o", options, "start"])
  const halt = (mode = "immediate") => run("pg_ctl", ["-D", data, "-m", mode, "stop"])

  run("initdb", ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"])
  resume()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    log: () => readFileSync(log, "utf8"),
    halt,
    resume,
    stop: () => {
      if (existsSync(join(data, "postmaster.pid"))) halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a standby of a server, by streaming replication. `promote` makes it a server that accepts writes. */
export const startStandby = async (primary: string, parameters: Parameters = {}) => {
  const { folder, run } = workshop()
  const port = await freePort()
  const data = join(folder, "data")
  run("pg_basebackup", ["-d", primary, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync"])
  const log = join(folder, "log")
  const settings = Object.entries({ max_connections: "200", fsync: "off", ...parameters }).map(([name, value]) => `-c ${name}=${value}`)
  const options = [`-p ${port} -h 127.0.0.1 -k ${folder}`, ...settings].join(" ")
  const resume = () => run("pg_ctl", ["-D", data, "-w", "-l", log, "-o", options, "start"])
  const halt = () => run("pg_ctl", ["-D", data, "-m", "immediate", "stop"])
  resume()
  return {
    port,
    log: () => readFileSync(log, "utf8"),
    halt,
    resume,
    promote: () => run("pg_ctl", ["-D", data, "-w", "promote"]),
    stop: () => {
      if (existsSync(join(data, "postmaster.pid"))) halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The folder of the programs of PostgreSQL. */
export const binaries = (): string => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env["PATH"] ?? "").split(":")]
  const found = folders.find((folder) => existsSync(join(folder, "initdb")))
  if (found === undefined) throw new Error("no PostgreSQL found: install it, or give DATABASE_URL")
  return found
}
