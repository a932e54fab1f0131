import { execFileSync } from "node:child_process"
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { freePort } from "../free-port.ts"
import { binaries } from "../postgres-server.ts"
import { sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { repository, start } from "./program.ts"
import { pause, until } from "./waiting.ts"

// The settings of docs/operating.md, "Point-in-time recovery", with the folders of this test.

const [, guide = ""] = readFileSync(join(repository, "docs/operating.md"), "utf8").split("### Point-in-time recovery\n")
const [archiving = "", recovery = ""] = [...guide.matchAll(/```text\n(.*?)```/gs)].map(([, block]) => block)
const [, baseArguments = ""] = /`pg_basebackup (--pgdata.*?)`/.exec(guide) ?? []

const folder = mkdtempSync("/tmp/sallyport-recovery-")
atEnd(() => rmSync(folder, { recursive: true, force: true }))
const here = (text: string) => text.replaceAll("/backup", join(folder, "backup"))

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`. */
const isRoot = process.getuid?.() === 0
const own = (path: string) => {
  if (isRoot) chownSync(path, Number(execFileSync("id", ["-u", "postgres"])), Number(execFileSync("id", ["-g", "postgres"])))
}
const run = (program: string, ...args: ReadonlyArray<string>) => {
  const all = [join(binaries(), program), ...args]
  const [first = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...all] : all
  execFileSync(first, rest, { stdio: "ignore", cwd: folder })
}

/** Starts PostgreSQL on a data directory, and stops it at the end: its URL. */
const serve = async (data: string) => {
  const port = await freePort()
  try {
    run("pg_ctl", "-D", data, "-w", "-t", "60", "-l", `${data}.log`, "-o", `-p ${port} -h 127.0.0.1 -k ${folder}`, "start")
  } catch (cause) {
    throw new Error(readFileSync(`${data}.log`, "utf8"), { cause })
  }
  atEnd(() => run("pg_ctl", "-D", data, "-m", "immediate", "stop"))
  return { port, url: `postgres://postgres@127.0.0.1:${port}/postgres` }
}

const credentials = (name: string) => ({ email: `${name}@example.com`, password: "correct horse battery staple" })

it("a recovery to a time between two sign-ups has the first and not the second", async () => {
  own(folder)
  mkdirSync(join(folder, "backup/wal"), { recursive: true })
  for (const path of ["backup", "backup/wal"]) own(join(folder, path))
  const primary = join(folder, "primary")
  run("initdb", "-D", primary, "-A", "trust", "-U", "postgres", "--no-sync")
  appendFileSync(join(primary, "postgresql.conf"), here(archiving))
  const { port, url } = await serve(primary)
  const modules = { audit: {} }
  const service = await start({ store: { kind: "postgres", url }, modules })
  run("pg_basebackup", "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", ...here(baseArguments).split(" "))

  expect((await service.call("/sign-up/email", credentials("ada"))).status).toBe(200)
  await pause(50)
  const [{ time } = {}] = await sql(url, "SELECT clock_timestamp()::text AS time")
  await pause(50)
  expect((await service.call("/sign-up/email", credentials("grace"))).status).toBe(200)
  await service.kill()
  const [{ segment } = {}] = await sql(url, "SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment")
  await sql(url, "SELECT pg_switch_wal()")
  await until("the archive", () => readdirSync(join(folder, "backup/wal")).includes(String(segment)) || undefined)

  const recovered = join(folder, "recovered")
  execFileSync("cp", ["-a", join(folder, "backup/base"), recovered])
  writeFileSync(join(recovered, "recovery.signal"), "")
  appendFileSync(join(recovered, "postgresql.auto.conf"), here(recovery).replace(/'\d{4}-.*'/, `'${time}'`))
  if (isRoot) execFileSync("chown", ["-R", "postgres:postgres", recovered])
  const copy = await serve(recovered)
  await until("the recovery", async () => {
    const [{ waits } = {}] = await sql(copy.url, "SELECT pg_is_in_recovery() AS waits")
    return waits === false || undefined
  })
  expect(await sql(copy.url, 'SELECT email FROM "user"')).toEqual([{ email: credentials("ada").email }])
  expect(await service.command("backup", "verify", "--restored", copy.url)).toMatch(/^ok {5}rows: .*\buser 1\b/m)
  const restored = await start({ store: { kind: "postgres", url: copy.url }, modules })
  expect((await restored.call("/sign-in/email", credentials("ada"))).status).toBe(200)
  expect((await restored.call("/sign-in/email", credentials("grace"))).status).toBe(401)
})
