import { execFileSync } from "node:child_process"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { binaries } from "../postgres-server.ts"
import { freshDatabase } from "./database.ts"
import { type Program, start, temporaryFolder } from "./program.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }

/** A restored service has the user and the session from before the backup, and nothing from after it. */
const expectRestored = async (program: Program, cookie: string | undefined) => {
  expect((await program.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
  expect((await program.call("/sign-in/email", credentials)).status).toBe(200)
  expect((await program.call("/sign-in/email", { ...credentials, email: "late@example.com" })).status).toBe(401)
}

it("a dump of PostgreSQL, made while the service runs, restores the service in another database", async () => {
  const [source, target] = [await freshDatabase(), await freshDatabase()]
  const running = await start({ store: { kind: "postgres", url: source } })
  const { cookie } = await running.call("/sign-up/email", credentials)
  const file = join(temporaryFolder(), "sallyport.dump")
  execFileSync(join(binaries(), "pg_dump"), ["--format=custom", "--no-owner", `--file=${file}`, source])
  await running.call("/sign-up/email", { ...credentials, email: "late@example.com" })
  execFileSync(join(binaries(), "pg_restore"), ["--no-owner", "--exit-on-error", `--dbname=${target}`, file])

  await expectRestored(await start({ store: { kind: "postgres", url: target } }), cookie)
})

it("a copy of the data directory, made while the service is stopped, restores the service", async () => {
  const folder = temporaryFolder()
  const directory = join(folder, "data")
  const running = await start({ store: { kind: "embedded", directory }, listen: { drain_delay: 0 } })
  const { cookie } = await running.call("/sign-up/email", credentials)
  expect(await running.stop()).toBe(0)
  cpSync(directory, join(folder, "copy"), { recursive: true })
  running.begin()
  await running.ready()
  await running.call("/sign-up/email", { ...credentials, email: "late@example.com" })

  await expectRestored(await start({ store: { kind: "embedded", directory: join(folder, "copy") } }), cookie)
})
