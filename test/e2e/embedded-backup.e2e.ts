import { readdirSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { install, type Program, start, temporaryFolder } from "./program.ts"
import { until } from "./waiting.ts"

const password = "correct horse battery staple"
const embedded = (directory: string) => ({ store: { kind: "embedded", directory } })
const refusal = (program: Program, ...args: ReadonlyArray<string>) =>
  program.command(...args).then(
    () => expect.fail("it succeeded"),
    ({ stderr }: { readonly stderr: string }) => stderr,
  )

it("a backup during sign-ups has every user of before, and is restored into an empty folder", async () => {
  const folder = temporaryFolder()
  const [data, file] = [join(folder, "data"), join(folder, "backup.tgz")]
  const program = await start(embedded(data))
  const acknowledged: Array<string> = []
  let isOver = false
  const client = async (name: number) => {
    for (let index = 0; !isOver; index++) {
      const email = `user${name}-${index}@example.com`
      if ((await program.call("/sign-up/email", { email, password })).status === 200) acknowledged.push(email)
    }
  }
  const clients = Promise.all([client(0), client(1), client(2)])
  await until("sign-ups", () => acknowledged.length > 20 || undefined)
  const before = acknowledged.length
  expect(await program.command("backup", file)).toContain(`is in ${file}`)
  isOver = true
  await clients
  expect(acknowledged.length).toBeGreaterThan(before)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await refusal(program, "backup", file)).toBe(`${file} exists already.\n`)
  expect(await refusal(program, "restore", file)).toMatch(/is in use by process/)
  await until("the copy to be removed", () => (readdirSync(data).some((name) => name.startsWith("copy.")) ? undefined : true))
  expect(readdirSync(folder).sort()).toEqual(["backup.tgz", "data"])

  const restored = await install(embedded(join(folder, "restored")))
  expect(await restored.command("restore", file)).toContain("is restored to")
  expect(await refusal(restored, "restore", file)).toMatch(/has a database already: move it away first/)
  restored.begin()
  await restored.ready()
  for (const email of acknowledged.slice(0, before)) expect((await restored.call("/sign-in/email", { email, password })).status).toBe(200)
})

it("a backup of a stopped service is restored; a damaged file leaves nothing", async () => {
  const folder = temporaryFolder()
  const [data, file] = [join(folder, "data"), join(folder, "backup.tgz")]
  const program = await install(embedded(data))
  expect(await refusal(program, "backup", file)).toBe(`There is no database in ${data}.\n`)
  program.begin()
  await program.ready()
  await program.call("/sign-up/email", { email: "ada@example.com", password })
  await program.kill()
  await program.command("backup", file)

  const restored = await install(embedded(join(folder, "restored")))
  await restored.command("restore", file)
  restored.begin()
  await restored.ready()
  expect((await restored.call("/sign-in/email", { email: "ada@example.com", password })).status).toBe(200)

  truncateSync(file, Math.floor(statSync(file).size / 2))
  const damaged = await install(embedded(join(folder, "damaged")))
  expect(await refusal(damaged, "restore", file)).toMatch(/cannot be restored \(/)
  expect(readdirSync(join(folder, "damaged"))).toEqual([])
})

it("other stores are not for these commands", async () => {
  const program = await install({ store: { kind: "memory" } })
  expect(await refusal(program, "backup", "file")).toMatch(/for the embedded store/)
})
