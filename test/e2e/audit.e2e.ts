import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { Webhook } from "standardwebhooks"
import { expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { atEnd } from "./endings.ts"
import { bareEnvironment, builtProgram, cheapHash, install, type Program, temporaryFolder } from "./program.ts"
import { pause, until } from "./waiting.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const users = 120
const kills = 6
const clients = 6
const password = "correct horse battery staple"

interface Received {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly text: string
}

/** The time of a UUIDv7, milliseconds. */
const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)

/**
 * A receiver that verifies signatures. From `refuseFrom` on, it refuses the first attempt of every fifth event. Not before: the attempt that a
 * killed process had begun counts as one, and the third attempt is made only after five minutes.
 */
const startReceiver = async () => {
  const received: Array<Received> = []
  let refuseFrom = Number.POSITIVE_INFINITY
  const known = new Set<string>()
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += chunk
    const { type, data } = new Webhook(secret).verify(text, request.headers as Record<string, string>) as any
    const id = String(request.headers["webhook-id"])
    const isNew = !known.has(id)
    known.add(id)
    if (isNew && known.size % 5 === 0 && timeOf(id) > refuseFrom) return void response.writeHead(500).end()
    received.push({ id, type, subject: data.subject.id, text })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  const refuse = () => {
    refuseFrom = Date.now()
  }
  return { received, refuse, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** Signs users up and in at both processes while they are killed in turn. */
const signUpUnderKills = async (programs: ReadonlyArray<Program>, afterKills: () => void) => {
  const acknowledged: Array<{ readonly id: string; readonly cookie: string }> = []
  let next = 0
  const client = async () => {
    while (next < users) {
      const index = next++
      const program = programs[index % programs.length]!
      const answer = await program.call("/sign-up/email", { email: `person${index}@example.com`, password }).catch(() => undefined)
      if (answer?.status === 200) acknowledged.push({ id: String(answer.body.user?.id), cookie: String(answer.cookie) })
      else await pause(50)
      await program.call("/sign-in/email", { email: `person${index}@example.com`, password: "a wrong password" }).catch(() => undefined)
    }
  }
  const killer = async () => {
    for (let kill = 0; kill < kills; kill++) {
      const program = programs[kill % programs.length]!
      while (next < ((kill + 1) * users) / (kills + 1)) await pause(2)
      await program.kill()
      program.begin()
      await program.ready()
    }
    afterKills()
  }
  await Promise.all([killer(), ...Array.from({ length: clients }, client)])
  return acknowledged
}

const run = promisify(execFile)

it("under repeated SIGKILL of two processes every committed event is recorded, sealed and delivered, without a secret", async () => {
  const receiver = await startReceiver()
  const webhooks = [{ id: "receiver", url: receiver.url, secrets: [secret] }]
  const modules = { audit: {}, events: { webhooks, allow_private_addresses: true } }
  const config = { store: await freshStore(), modules, email_password: { enabled: true, hash: cheapHash } }
  const programs = [await install(config), await install(config)]
  for (const program of programs) program.begin()
  for (const program of programs) await program.ready()

  const acknowledged = await signUpUnderKills(programs, receiver.refuse)
  expect(acknowledged.length).toBeGreaterThan(users / 2)

  const file = join(temporaryFolder(), "config.json")
  writeFileSync(
    file,
    JSON.stringify({
      ...config,
      public_url: "http://localhost:3000",
      secret: "a secret for these tests only, 32+ bytes",
      mail: { kind: "none" },
    }),
  )
  const command = async (...args: ReadonlyArray<string>) =>
    (
      await run(process.execPath, [builtProgram, ...args, "--config", file], {
        maxBuffer: 64 * 1024 * 1024,
        env: bareEnvironment(),
      })
    ).stdout
  const exported = async () =>
    (await command("audit", "export"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))

  const records = await exported()
  await until("every event to be delivered", async () => (await command("events", "list", "--json")).trim() === "" || undefined, 120)
  await until(
    "every record to be sealed",
    async () => JSON.parse(await command("audit", "verify", "--json")).waiting === 0 || undefined,
    60,
  )

  for (const { id } of acknowledged) {
    const types = records.filter(({ subject }) => subject.id === id).map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(["user.created", "credential.added", "sign_in.succeeded", "session.opened"]))
  }
  // An event reaches the receiver exactly if it is recorded; refused calls that wait in a killed process are in neither.
  const committed = records.filter(({ outcome }) => outcome === "success")
  const delivered = new Set(receiver.received.map(({ id }) => id))
  expect(committed.filter(({ id }) => !delivered.has(id))).toEqual([])
  const verified = JSON.parse(await command("audit", "verify", "--json"))
  expect(verified).toMatchObject({ faults: 0, waiting: 0 })

  const texts = [
    JSON.stringify(await exported()),
    ...receiver.received.map(({ text }) => text),
    ...programs.map(({ logs }) => logs()),
  ].join("\n")
  const tokens = acknowledged.map(({ cookie }) => decodeURIComponent(cookie.slice(cookie.indexOf("=") + 1)))
  for (const each of [password, "a wrong password", "example.com", secret, ...tokens, ...tokens.map((token) => token.split(".")[0]!)])
    expect(texts.includes(each), each).toBe(false)
  console.log(`${kills} kills, ${records.length} records, ${verified.seals} seals, ${receiver.received.length} deliveries`)
})
