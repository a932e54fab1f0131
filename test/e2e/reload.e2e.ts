import { renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { freePort } from "../free-port.ts"
import { freshStore } from "./database.ts"
import { startLoad } from "./load.ts"
import { type Program, start, temporaryFolder, workersOf } from "./program.ts"
import { pause, until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }
const [oldSecret, newSecret] = ["the old secret of these tests, 32+ bytes", "the new secret of these tests, 32+ bytes"]

/** A mounted Secret as Kubernetes has it: a change replaces the link to the folder with the files. */
const mountedSecret = (first: string) => {
  const mount = temporaryFolder()
  let versions = 0
  const write = (content: string) => {
    const version = join(temporaryFolder(), "secret")
    writeFileSync(version, content)
    const link = join(mount, `..data-${versions++}`)
    symlinkSync(join(version, ".."), link)
    renameSync(link, join(mount, "..data"))
  }
  write(first)
  symlinkSync(join("..data", "secret"), join(mount, "secret"))
  return { variables: { SALLYPORT_SECRET_FILE: join(mount, "secret") }, write }
}

const reloads = ({ logs }: Program) => logs().split("the configuration was reloaded").length - 1
const reloaded = (program: Program, times: number) => until("a reload", () => reloads(program) >= times || undefined)

it("two instances rotate the secret by reloads alone, one by SIGHUP and one by its file, and refuse no request", async () => {
  const [one, two] = [mountedSecret(oldSecret), mountedSecret(oldSecret)]
  const store = await freshStore()
  const first = await start({ store }, one.variables)
  const second = await start({ store }, two.variables)
  await first.call("/sign-up/email", credentials)
  const { cookie } = await first.call("/sign-up/email", { ...credentials, email: "grace@example.com" })
  const loads = [first, second].map(({ port }) => startLoad(port, cookie, credentials))

  for (const [index, secrets] of [`${oldSecret}\n${newSecret}`, `${newSecret}\n${oldSecret}`].entries()) {
    two.write(secrets)
    await reloaded(second, index + 1)
    one.write(secrets)
    first.hangUp()
    await reloaded(first, index + 1)
    await pause(500)
  }
  await first.command("secret", "rotate")
  const signedIn = await second.call("/sign-in/email", credentials)
  const answers = await Promise.all(loads.map(({ finish }) => finish()))
  for (const counts of answers) {
    expect(Object.keys(counts)).toEqual(["200"])
    expect(counts["200"]).toBeGreaterThan(100)
  }
  console.log(`${answers.map((counts) => counts["200"]).join(" + ")} requests answered during the rotation`)

  one.write(newSecret)
  two.write(newSecret)
  await reloaded(first, 3)
  await reloaded(second, 3)
  for (const program of [first, second]) {
    expect((await program.call("/get-session", undefined, { cookie: signedIn.cookie })).body.user?.email).toBe(credentials.email)
    expect((await program.call("/get-session", undefined, { cookie })).body.user).toBeNull()
  }
}, 120_000)

it("an invalid configuration changes nothing; metrics show its hash and the outcome of reloads", async () => {
  const port = await freePort()
  const telemetry = { metrics: { host: "127.0.0.1", port } }
  const program = await start({ store: { kind: "memory" }, telemetry })
  const lines = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return text.split("\n").filter((line) => line.startsWith(name))
  }
  const before = await lines("sallyport_configuration_info")
  expect(before).toEqual([expect.stringMatching(/^sallyport_configuration_info\{hash="[0-9a-f]{16}"\} 1$/)])
  const { cookie } = await program.call("/sign-up/email", credentials)

  program.configure({ telemetry, secret: "short", log: { level: "loud" } })
  program.hangUp()
  await until("a refusal", () => program.logs().includes("the configuration was not reloaded") || undefined)
  const refusal =
    program
      .logs()
      .split("\n")
      .find((line) => line.includes("was not reloaded")) ?? ""
  expect(JSON.parse(refusal).annotations.faults).toEqual([expect.stringMatching(/^secret: /), expect.stringMatching(/^log\.level: /)])
  expect(await lines("sallyport_configuration_info")).toEqual(before)
  expect(await lines("sallyport_configuration_reloads_total")).toEqual([
    'sallyport_configuration_reloads_total{outcome="succeeded"} 0',
    'sallyport_configuration_reloads_total{outcome="failed"} 1',
  ])
  expect(await lines("sallyport_configuration_last_reload_successful")).toEqual(["sallyport_configuration_last_reload_successful 0"])

  program.configure({ telemetry, log: { level: "debug", format: "json" }, session: { expires_in: 600 } })
  program.hangUp()
  await reloaded(program, 1)
  await until("a line of settings that need a restart", () => program.logs().includes('"settings":["session"]') || undefined)
  const after = await lines("sallyport_configuration_info")
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  expect(await lines("sallyport_configuration_reloads_total")).toContain('sallyport_configuration_reloads_total{outcome="succeeded"} 1')
  expect(await lines("sallyport_configuration_last_reload_successful")).toEqual(["sallyport_configuration_last_reload_successful 1"])
  expect((await program.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
  await until("lines of requests", () => program.logs().includes('"message":"request"') || undefined)
  program.hangUp()
  expect(await program.stop()).toBe(0)
}, 60_000)

it("workers reload with the process that started them, also one that starts later", async () => {
  const secret = mountedSecret(oldSecret)
  const program = await start({ store: await freshStore(), listen: { workers: 2, drain_delay: 0 } }, secret.variables)
  await until("the workers", () => program.logs().split("worker listens").length > 2 || undefined)
  secret.write(`${newSecret}\n${oldSecret}`)
  // Without SIGHUP: the process that started the workers reads the file.
  await reloaded(program, 3)
  const { cookie } = await program.call("/sign-up/email", credentials)
  secret.write(newSecret)
  program.hangUp()
  await reloaded(program, 6)
  const sessions = () => Promise.all(Array.from({ length: 20 }, () => program.call("/get-session", undefined, { cookie })))
  for (const { body } of await sessions()) expect(body.user?.email).toBe(credentials.email)
  process.kill(workersOf(program)[0] ?? 0, "SIGKILL")
  await until("another worker", () => program.logs().split("worker listens").length > 3 || undefined)
  for (const { body } of await sessions()) expect(body.user?.email).toBe(credentials.email)
}, 120_000)
