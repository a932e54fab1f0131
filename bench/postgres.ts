import { execFileSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"

/** A PostgreSQL server of our own, gone when `stop` is called. */
export interface Server {
  readonly url: string
  readonly stop: () => void
}

/** Starts PostgreSQL in a temporary folder on a free port. It refuses to run as root, so root hands it to its own user. */
export const startPostgres = async (): Promise<Server> => {
  const bin = binaries()
  const folder = mkdtempSync("/tmp/sallyport-postgres-")
  const port = await freePort()
  const asRoot = process.getuid?.() === 0
  if (asRoot) chownSync(folder, Number(execFileSync("id", ["-u", "postgres"])), Number(execFileSync("id", ["-g", "postgres"])))
  const run = (command: string, args: ReadonlyArray<string>) => {
    const all = [join(bin, command), ...args]
    const [first = "", ...rest] = asRoot ? ["runuser", "-u", "postgres", "--", ...all] : all
    execFileSync(first, rest, { stdio: "ignore", cwd: folder })
  }
  const data = join(folder, "data")
  run("initdb", ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"])
  run("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", `-p ${port} -h 127.0.0.1 -k ${folder} -c max_connections=200`, "start"])
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      run("pg_ctl", ["-D", data, "-m", "immediate", "stop"])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const binaries = (): string => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env["PATH"] ?? "").split(":")]
  const found = folders.find((folder) => existsSync(join(folder, "initdb")))
  if (found === undefined) throw new Error("no PostgreSQL found: install it, or give DATABASE_URL")
  return found
}

/** A port that nobody listens on at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
