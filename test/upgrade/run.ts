import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { startReplicaSet } from "../mongo-server.ts"
import { binaries, startPostgres } from "../postgres-server.ts"
import { caller, origin } from "./calls.ts"
import { embeddedIn, receiverPort } from "./configuration.ts"
import { checks, fill, type Held } from "./held.ts"
import { dump } from "./mongo-dump.ts"

// A release in a folder of its own, with its dependencies, and this version: node test/upgrade/run.ts FOLDER [NAME]
// With a name, the release fills the databases of `releases/NAME`. Without, each of the two fills and the other one answers: a table.

const here = join(import.meta.dirname, "../..")
const [release = "", name] = process.argv.slice(2)

/** A service from a folder, until it is stopped. */
const serve = async (folder: string, url: string) => {
  const scratch = mkdtempSync(join(tmpdir(), "sallyport-upgrade-"))
  const messages = join(scratch, "messages")
  const args = ["main.ts", "--config", join(import.meta.dirname, "configuration.ts")]
  const env = { PATH: process.env["PATH"], HOME: scratch, STORE_URL: url, MESSAGES: messages, PORT: new URL(origin).port }
  const child = spawn(join(folder, "node_modules/.bin/node"), args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] })
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${folder} does not start`)
    await setTimeout(100)
  }
  /** The newest message to a receiver about something, which the outbox delivers after a moment. */
  const sentTo = async (to: string, about: RegExp) => {
    for (let left = 100; left > 0; left--) {
      const lines = existsSync(messages) ? readFileSync(messages, "utf8").trim().split("\n") : []
      const found = lines.map((line) => JSON.parse(line)).findLast((message) => message.to === to && about.test(message.text))
      if (found !== undefined) return found
      await setTimeout(100)
    }
    throw new Error(`no message to ${to}`)
  }
  return {
    sentTo,
    /** At once: the next attempt to deliver an event would be the second one, and the third follows minutes later. */
    kill: async () => {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    },
  }
}

const filledBy = async (folder: string, url: string): Promise<Held> => {
  const service = await serve(folder, url)
  const held = await fill(caller(fetch), service.sentTo)
  await service.kill()
  return held
}

const answersOf = async (folder: string, url: string, held: Held) => {
  const bodies: Array<string> = []
  const receiver = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    response.end()
  }).listen(receiverPort, "127.0.0.1")
  const service = await serve(folder, url)
  // Each code of an authenticator app works once.
  await setTimeout(Math.max(0, held.at + 31_000 - Date.now()))
  const answers: Record<string, unknown> = {}
  for (const [what, check] of Object.entries(checks({ call: caller(fetch), now: Date.now, delivered: () => bodies }, held))) {
    const answer = await check().catch((fault: Error) => fault.message)
    answers[what] = answer === true || answer === 200 ? "ok" : answer
  }
  await service.kill()
  receiver.close()
  return answers
}

/** An empty database, and what fills `releases` from it. */
interface Store {
  readonly url: string
  readonly stop: () => unknown
}
interface Dumped extends Store {
  readonly file: string
  readonly dumped: () => string | Promise<string>
}

const postgres = async () => {
  const server = await startPostgres()
  const dumped = () => {
    const args = ["--inserts", "--no-owner", "--no-privileges", server.url]
    const text = execFileSync(join(binaries(), "pg_dump"), args, { encoding: "utf8", maxBuffer: 2 ** 26 })
    return text.replace(/^\\.*\n/gm, "")
  }
  return { ...server, file: "postgres.sql", dumped }
}
const mongo = async () => {
  const { url, stop } = await startReplicaSet()
  const own = url.replace("/?", "/sallyport?")
  return { url: own, stop, file: "mongo.ejson", dumped: () => dump(own) }
}

const embedded = async () => {
  const directory = mkdtempSync(join(tmpdir(), "sallyport-upgrade-"))
  return { url: `${embeddedIn}${directory}`, stop: () => rmSync(directory, { recursive: true, force: true }) }
}

const inStore = async <S extends Store, A>(start: () => Promise<S>, use: (store: S) => Promise<A>) => {
  const store = await start()
  try {
    return await use(store)
  } finally {
    await store.stop()
  }
}

const filled: Readonly<Record<string, () => Promise<Dumped>>> = { postgres, mongo }
for (const [kind, start] of Object.entries(name === undefined ? {} : filled))
  await inStore(start, async ({ url, dumped, file }) => {
    const folder = join(import.meta.dirname, "releases", name ?? "")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${kind}.json`), `${JSON.stringify(await filledBy(release, url), null, 2)}\n`)
    writeFileSync(join(folder, file), await dumped())
  })

const table: Record<string, Record<string, unknown>> = {}
const tried: Readonly<Record<string, () => Promise<Store>>> = { postgres, embedded, mongo }
for (const [kind, start] of Object.entries(name === undefined ? tried : {})) {
  const ways = { "by the release, here": [release, here], "here, by the release": [here, release] } as const
  for (const [way, [filling, answering]] of Object.entries(ways)) {
    const answers = await inStore(start, async ({ url }) => answersOf(answering, url, await filledBy(filling, url)))
    for (const [what, answer] of Object.entries(answers)) table[what] = { ...table[what], [`${kind}: filled ${way}`]: answer }
  }
}
if (name === undefined) console.table(table)
