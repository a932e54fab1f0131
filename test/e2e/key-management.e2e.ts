import { readFileSync } from "node:fs"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { makeAws } from "../adapters/key-management/aws.ts"
import { type StandIn, serve } from "../adapters/key-management/server.ts"
import { makeVault } from "../adapters/key-management/vault.ts"
import { freshStore } from "./database.ts"
import { atEnd } from "./endings.ts"
import { install, type Program, start } from "./program.ts"
import { until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }

/** A stand-in that serves, and the settings for it. */
const managed = async (standIn: StandIn) => {
  const server = await serve(standIn)
  atEnd(server.close)
  return { server, key_management: written(standIn.settings(server.origin)) }
}

/** Settings as a configuration file has them. */
const written = (settings: object): object =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, Redacted.isRedacted(value) ? Redacted.value(value) : value]))

/** The output and the exit code of a command that fails. */
const failed = (command: Promise<string>) =>
  command.then(
    (out) => expect.fail(out),
    ({ code, stdout, stderr }: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({ code, stdout, stderr }),
  )

const enrol = async (program: Program) => {
  const { cookie } = await program.call("/sign-up/email", credentials)
  expect((await program.call("/2fa/totp/enable", { password: credentials.password }, { cookie })).status).toBe(200)
  return cookie
}

describe.each([
  { name: "vault", make: makeVault, prefix: /^wrapped:vault:v1:/ },
  { name: "aws", make: makeAws, prefix: /^wrapped:aws:/ },
])("secrets that $name wraps", ({ make, prefix }) => {
  it("open at each start; afterwards the service does not need the key management", async () => {
    const standIn = make()
    const { server, key_management } = await managed(standIn)
    const bare = await install({ key_management, secret: undefined })
    const secret = (await bare.command("secret", "wrap")).trim()
    expect(secret).toMatch(prefix)

    const config = { store: await freshStore(), key_management, secret, modules: { two_factor: {} } }
    const program = await start(config)
    const cookie = await enrol(program)
    const unwrapped = (await program.command("secret", "unwrap")).trim()
    const examined = await program.command("doctor")
    expect(examined).toMatch(/^ok +secret: long enough; stored values: 1 under the key [\w-]{8}$/m)
    expect(examined).toMatch(/^ok +key_management: .* answers, and the .*key/m)
    await program.stop()

    program.begin()
    await program.ready()
    await server.close()
    expect((await program.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
    expect((await program.call("/sign-in/email", credentials)).status).toBe(200)
    const { code, stdout } = await failed(program.command("doctor"))
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^error +key_management: .*ECONNREFUSED/m)])
    await program.stop()

    const down = await failed(program.command("serve"))
    expect([down.code, down.stdout]).toEqual([69, ""])
    expect(down.stderr).toBe("Key management cannot be used (ECONNREFUSED; key_management names it).\n")
    expect(await program.command("openapi")).toContain('"openapi"')
    await server.reopen()

    standIn.rotate()
    const rewrapped = (await program.command("secret", "rewrap")).trim()
    expect(rewrapped).not.toBe(secret)
    for (const each of [secret, rewrapped]) {
      const next = await start({ ...config, secret: each })
      expect((await next.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
      await next.stop()
      expect(next.logs()).not.toContain(unwrapped)
    }
    expect(unwrapped.length).toBeGreaterThan(40)
    for (const output of [program.logs(), examined, stdout, down.stderr]) expect(output).not.toContain(unwrapped)
  }, 120_000)

  it("are not opened with another context or other credentials: 78", async () => {
    const standIn = make()
    const { server, key_management } = await managed(standIn)
    const secret = (await (await install({ key_management })).command("secret", "wrap")).trim()
    const start = async (change: object) =>
      failed((await install({ store: { kind: "memory" }, secret, key_management: { ...key_management, ...change } })).command("serve"))
    const changes = [{ context: "another" }, written(standIn.strangers(server.origin))]
    for (const { code, stdout, stderr } of await Promise.all(changes.map(start))) {
      expect([code, stdout]).toEqual([78, ""])
      expect(stderr).toMatch(/^key_management: secret 1 cannot be unwrapped: (Vault|AWS KMS) answered 40\d.*\n$/)
      expect(stderr).not.toContain("stranger")
    }
  })
})

it("a service changes to wrapped secrets without a new secret, and back", async () => {
  const { key_management } = await managed(makeVault())
  const store = await freshStore()
  const secrets = ["a newer secret for these tests, 32+ bytes", "an older secret for these tests, 32+ bytes"]
  const before = await start({ store, secret: secrets })
  const { cookie } = await before.call("/sign-up/email", credentials)
  await before.stop()

  const mixed = await install({ store, secret: secrets, key_management })
  expect(await mixed.command("doctor")).toMatch(/^ok +key_management: .*; 2 secrets are not wrapped/m)
  const wrapped = (await mixed.command("secret", "rewrap")).trim().split("\n")
  expect(wrapped).toHaveLength(2)
  const after = await start({ store, secret: wrapped, key_management })
  expect((await after.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
  expect((await after.command("secret", "unwrap")).trim().split("\n")).toEqual(secrets)
})

it("a wrapped secret is never used as a secret: 78", async () => {
  const program = await install({ secret: `wrapped:vault:v1:${"A".repeat(60)}` })
  expect(await failed(program.command("serve"))).toEqual({
    ...{ code: 78, stdout: "" },
    stderr: 'key_management.kind: found nothing, wanted "vault" or "aws", because a secret is wrapped\n',
  })
  expect((await failed((await install({})).command("secret", "wrap"))).stderr).toMatch(/^key_management: .*wanted "vault" or "aws"/)
})

const workersOf = ({ pid }: Program) => readFileSync(`/proc/${pid()}/task/${pid()}/children`, "utf8").split(" ").filter(Boolean).map(Number)

it.runIf(process.platform === "linux")(
  "a worker is replaced while the key management is down",
  async () => {
    const { server, key_management } = await managed(makeVault())
    const secret = (await (await install({ key_management })).command("secret", "wrap")).trim()
    const requests = server.requests.length
    const program = await start({ store: await freshStore(), key_management, secret, listen: { workers: 2 } })
    await until("both workers", () => program.logs().split("worker listens").length > 2 || undefined)
    expect(server.requests.length).toBe(requests + 1)
    await server.close()
    const { cookie } = await program.call("/sign-up/email", credentials)
    const [first = 0, second = 0] = workersOf(program)
    process.kill(first, "SIGKILL")
    await until("another worker", () => program.logs().split("worker listens").length > 3 || undefined)
    process.kill(second, "SIGKILL")
    await until("another worker", () => program.logs().split("worker listens").length > 4 || undefined)
    expect((await program.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
  },
  60_000,
)
