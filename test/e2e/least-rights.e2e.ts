import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { type Server, startPostgres } from "../postgres-server.ts"
import { sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { install, type Program, repository, start } from "./program.ts"

// The statements of docs/operating.md, "Least rights", on a server of their own: roles are shared by all databases of a server.

const [, guide = ""] = readFileSync(join(repository, "docs/operating.md"), "utf8").split("### Least rights\n")
const [roles = "", rights = "", reader = ""] = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, block]) => block)

const run = async (url: string, block: string) => {
  for (const statement of block.split(";\n").filter((text) => text.trim() !== "")) await sql(url, statement.replaceAll("…", "secret"))
}

let server: Server
const as = (role: string, database = "sallyport") =>
  server.url.replace("postgres@", `${role}:secret@`).replace(/\/postgres$/, `/${database}`)
const config = (role: string, migrate = "never") => ({
  store: { kind: "postgres", url: as(role), migrate },
  modules: { audit: {}, two_factor: {} },
})

interface Failure {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}
const failure = (program: Program, ...args: ReadonlyArray<string>): Promise<Failure> =>
  program.command(...args).then(
    (stdout) => expect.fail(`it succeeded: ${stdout}`),
    (fault: Failure) => fault,
  )
const refused = (query: Promise<unknown>) => expect(query).rejects.toThrow(/permission denied|must be owner/)

beforeAll(async () => {
  server = await startPostgres({ fsync: "on", full_page_writes: "on" })
  atEnd(server.stop)
  await run(server.url, roles)
  await run(as("postgres"), rights)
})

it("roles with the rights of the guide: the application serves and cannot change the schema, the reader sees no secrets", async () => {
  const early = await failure(await install(config("sallyport_app", "start")), "migrate")
  expect(early.code).toBe(78)
  expect(early.stderr.trim().split("\n")).toEqual([
    expect.stringMatching(/^The store cannot be used \(permission denied for schema public; grant /),
  ])

  const migrator = await install(config("sallyport_migrator"))
  expect(await migrator.command("migrate")).toContain('CREATE TABLE "session"')
  await run(as("postgres"), reader)
  expect(await sql(as("postgres"), "SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname = 'public'")).toEqual([
    { owner: "sallyport_owner" },
  ])

  const service = await start(config("sallyport_app"))
  const credentials = { email: "ada@example.com", password: "correct horse battery staple" }
  const { cookie } = await service.call("/sign-up/email", credentials)
  expect((await service.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
  for (const statement of [
    'ALTER TABLE "user" ADD COLUMN more text',
    "CREATE TABLE more (id int)",
    "DROP TABLE session",
    'TRUNCATE "user"',
  ])
    await refused(sql(as("sallyport_app"), statement))

  expect(await sql(as("sallyport_reader"), 'SELECT email FROM "user"')).toEqual([{ email: credentials.email }])
  for (const statement of [
    "SELECT password_hash FROM account",
    "SELECT token_hash FROM session",
    "SELECT secret FROM two_factor",
    'DELETE FROM "user"',
    "UPDATE \"user\" SET name = 'x'",
  ])
    await refused(sql(as("sallyport_reader"), statement))
})

it("the default privileges are for tables of the next version", async () => {
  await sql(as("sallyport_migrator"), "CREATE TABLE next_version (id int)")
  expect(await sql(as("sallyport_app"), "INSERT INTO next_version VALUES (1) RETURNING id")).toEqual([{ id: 1 }])
  await sql(as("sallyport_migrator"), "DROP TABLE next_version")
})

const findings = async (program: Program) => {
  const { stdout } = await failure(program, "doctor", "--production", "--instances", "3", "--json")
  const all: ReadonlyArray<{ readonly check: string; readonly level: string; readonly text: string; readonly remedy?: string }> = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return (check: string) => all.filter((finding) => finding.check === check).map(({ level, text, remedy }) => ({ level, text, remedy }))
}

it("the doctor finds the rights sound, and says in one line each what is missing", async () => {
  const service = await install(config("sallyport_app"))
  const sound = await findings(service)
  expect(sound("store")).toEqual([{ level: "ok", text: "reachable, and its tables are up to date" }])
  expect(sound("rights")).toEqual([{ level: "ok", text: expect.stringMatching(/^sallyport_app cannot change the schema/) }])
  expect(sound("durability").map(({ level }) => level)).toEqual(["ok"])
  expect(sound("replication").map(({ text }) => text)).toEqual(["there is no standby"])
  expect(sound("connections")).toEqual([{ level: "ok", text: expect.stringMatching(/^3 × 1 × 10 connections and 3 .* accepts 197$/) }])

  await sql(as("sallyport_migrator"), 'REVOKE UPDATE, DELETE ON "user", session FROM sallyport_app')
  await sql(
    as("sallyport_migrator"),
    "ALTER DEFAULT PRIVILEGES FOR ROLE sallyport_owner IN SCHEMA public REVOKE INSERT ON TABLES FROM sallyport_app",
  )
  await sql(as("postgres"), "REVOKE pg_read_all_stats FROM sallyport_app")
  await sql(as("postgres"), "ALTER ROLE sallyport_app SET synchronous_commit = off")
  await sql(as("postgres"), "ALTER ROLE sallyport_app CONNECTION LIMIT 20")
  const grants = ["GRANT DELETE, UPDATE ON session TO sallyport_app", 'GRANT DELETE, UPDATE ON "user" TO sallyport_app']
  const lacking = await findings(service)
  expect(lacking("store").map(({ text }) => text.replace(/^.*run: /, ""))).toEqual(grants)
  expect(lacking("rights").map(({ remedy }) => remedy)).toContain(
    "ALTER DEFAULT PRIVILEGES FOR ROLE sallyport_owner IN SCHEMA public GRANT INSERT ON TABLES TO sallyport_app",
  )
  expect(lacking("transactions")).toEqual([
    { level: "warn", text: "the role may not see the transactions of others", remedy: "GRANT pg_read_all_stats TO sallyport_app" },
  ])
  expect(lacking("durability")).toEqual([
    { level: "error", text: expect.stringMatching(/^synchronous_commit is off: /), remedy: expect.any(String) },
  ])
  expect(lacking("connections").map(({ level }) => level)).toEqual(["error"])

  for (const migrate of ["never", "start"]) {
    const { code, stderr, stdout } = await failure(await install(config("sallyport_app", migrate)))
    expect(code).toBe(78)
    const lines = `${stdout}${stderr}`.trim().split("\n")
    expect(lines.map((line) => line.replace(/^.*run: /, ""))).toEqual(grants)
  }
  for (const { text = "" } of lacking("store")) await sql(as("postgres"), text.replace(/^.*run: /, ""))
  expect((await findings(service))("store").map(({ level }) => level)).toEqual(["ok"])
})
