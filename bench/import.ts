// Imports users (default: a million; IMPORT_USERS) as JSON lines of Auth0 with bcrypt hashes into an empty PostgreSQL, and prints users a
// second and the largest memory of the process. Uses the PostgreSQL of DATABASE_URL, where it creates a database, or starts one.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { Client } from "pg"
import { startPostgres } from "../test/postgres-server.ts"

const count = Number(process.env["IMPORT_USERS"] ?? 1_000_000)
const main = join(import.meta.dirname, "../main.ts")
const hash = "$2b$10$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS"

const userOf = (index: number) => ({
  user_id: `auth0|${index.toString(16).padStart(24, "0")}`,
  email: `User${index}@Example.com`,
  email_verified: index % 3 > 0,
  name: `User ${index}`,
  created_at: "2024-05-06T07:08:09.000Z",
  identities: [{ provider: "auth0", user_id: String(index), connection: "Username-Password-Authentication" }],
  custom_password_hash: { algorithm: "bcrypt", hash: { value: hash } },
})

const writeUsers = async (path: string) => {
  const file = createWriteStream(path)
  for (let index = 0; index < count; index++) if (!file.write(`${JSON.stringify(userOf(index))}\n`)) await once(file, "drain")
  file.end()
  await once(file, "finish")
}

const withDatabase = async (url: string, name: string, statement: "CREATE" | "DROP") => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`${statement} DATABASE ${name}`)
  await client.end()
}

const linesOf = async (path: string) => {
  let lines = 0
  for await (const chunk of createReadStream(path)) for (const byte of chunk as Buffer) if (byte === 10) lines += 1
  return lines
}

/** The number of users in the last line of a report. */
const usersIn = (line: string): number => {
  const { totals } = JSON.parse(line)
  return totals.created + totals.already_there
}

/** The environment without `DATABASE_URL`, which would take precedence over the database of the configuration. */
const { DATABASE_URL: _, ...environment } = process.env

/** Runs a command. Returns its duration in seconds, its largest memory in MiB, and the end of its report. */
const run = async (folder: string, args: ReadonlyArray<string>) => {
  const begun = performance.now()
  const child = spawn(process.execPath, [main, "--config", join(folder, "config.json"), ...args], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  })
  let memory = 0
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
      memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    } catch {
      clearInterval(watch)
    }
  }, 200)
  let out = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out = (out + text).slice(-20_000)
  })
  const [code] = await once(child, "close")
  clearInterval(watch)
  return { code, out, seconds: (performance.now() - begun) / 1000, memory: memory / 1024 }
}

const server = process.env["DATABASE_URL"] === undefined ? await startPostgres() : { url: process.env["DATABASE_URL"], stop: () => {} }
const name = `import_bench_${process.pid}`
const folder = mkdtempSync(join(tmpdir(), "sallyport-import-"))
const exportFile = join(folder, "export.json")
await withDatabase(server.url, name, "CREATE")
try {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  const config = {
    secret: "a secret for the benchmark only, 32+ bytes",
    store: { kind: "postgres", url: url.href },
    mail: { kind: "none" },
    email_password: { enabled: true },
  }
  writeFileSync(join(folder, "config.json"), JSON.stringify(config))
  await writeUsers(join(folder, "users.json"))
  for (const [label, args] of [
    ["dry run", ["import", "users", "users.json", "--dry-run", "--json"]],
    ["import", ["import", "users", "users.json", "--json"]],
    ["again", ["import", "users", "users.json", "--json"]],
    ["export", ["export", "users", "--output", exportFile]],
  ] as const) {
    const { code, out, seconds, memory } = await run(folder, args)
    const last = out.trim().split("\n").at(-1) ?? ""
    if (code !== 0) throw new Error(`${label} ended with ${code}: ${last}`)
    const users = label === "export" ? await linesOf(exportFile) : usersIn(last)
    if (users !== count) throw new Error(`${label} has ${users} of ${count} users`)
    console.log(
      `${label}: ${count} users in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second, at most ${memory.toFixed(0)} MiB`,
    )
  }
} finally {
  await withDatabase(server.url, name, "DROP")
  server.stop()
  rmSync(folder, { recursive: true, force: true })
}
