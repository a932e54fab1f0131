// Measures the response times of other users with and without attacks by anonymous clients. Fails when the p99 grows by more than the limit
// of an attack, or when the server dies. See README.md; DATABASE_URL, BENCH_ROUNDS and BENCH_SECONDS as in main.ts. Arguments are names of
// attacks, by default all.

import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { join } from "node:path"
import { freePort } from "../test/free-port.ts"
import { startPostgres } from "../test/postgres-server.ts"
import type { Attack, Load } from "./attack.ts"
import { leaveServersProcessor, pinning, residentMegabytes, startNode, stopped, until, warnIfBusy } from "./machine.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 10)
const here = import.meta.dirname
const bystanders = 10
/** Requests per second of all bystanders together: 600 a minute for each session. */
const perSecond = 100
/** Users whose passwords are tried by the attack with sign-ins. */
const attacked = 32
const password = "correct horse battery staple"
/** Requests of an attack before it is measured, because V8 has not optimized the code for the first ones yet. */
const warmUps = 40
/** Megabytes of the server's heap: enough for normal work, too small if the server kept an attacker's documents. */
const heap = 256

interface Scenario {
  readonly name: string
  readonly limited: boolean
  /** The limit of the ratio of p99 under attack to p99 without. */
  readonly mostGrowth: number
  readonly load: (running: Running) => Load
}

const atRate = (what: string, kind: "documents" | "fragments" | "header", perSecond: number, limited = true): Scenario => ({
  name: `${what}, ${perSecond} a second (rate limit ${limited ? "on" : "off"})`,
  limited,
  mostGrowth: 2,
  load: () => ({ kind, perSecond }),
})

// One address may send 300 requests a minute: 5 a second.
const scenarios: ReadonlyArray<Scenario> = [
  atRate("distinct GraphQL documents of 5.9 KB", "documents", 5),
  atRate("distinct GraphQL documents of 5.9 KB", "documents", 10, false),
  atRate("GraphQL documents of 130 fragments with one field", "fragments", 5),
  atRate("1 MB of JSON in a JWT header", "header", 3),
  atRate("1 MB of JSON in a JWT header", "header", 5),
  {
    name: "sign-ins with right and wrong passwords, 32 at a time (rate limit off)",
    limited: false,
    // The hashes and the responses share the server's processors.
    mostGrowth: 3,
    load: ({ emails }) => ({ kind: "sign-ins", concurrent: 32, emails, password }),
  },
]
const named = process.argv.slice(2)
const isNamed = (name: string) => named.length === 0 || named.some((each) => name.includes(each))

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const quantile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const postgres =
  process.env["DATABASE_URL"] === undefined
    ? await startPostgres({ fsync: "on", full_page_writes: "on" })
    : { url: process.env["DATABASE_URL"], stop: () => {} }
const folder = mkdtempSync("/tmp/sallyport-bystander-")

/** Starts a server and signs up the bystanders and the users of the attack with sign-ins; returns their cookies and addresses. */
const start = async (limited: boolean) => {
  const port = await freePort()
  const config = join(folder, `config-${limited}.json`)
  const settings = {
    secret: "a secret for the benchmark only, 32+ bytes",
    public_url: `http://localhost:${port}`,
    store: { kind: "postgres", url: postgres.url },
    mail: { kind: "none" },
    email_password: { enabled: true },
    modules: { jwt: {} },
    // Attacker and bystanders have different addresses, as behind a proxy.
    trusted_proxies: ["127.0.0.0/8"],
    rate_limit: { enabled: limited },
    log: { level: "warn" },
  }
  writeFileSync(config, JSON.stringify(settings))
  const child = startNode([`--max-old-space-size=${heap}`, join(here, "../main.ts"), "--config", config])
  const url = `http://127.0.0.1:${port}`
  await until(`${url}/readyz`)
  const signUp = async (email: string, index: number) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": addressOf(index) }
    const answer = await fetch(`${url}/api/auth/sign-up/email`, { method: "POST", headers, body: JSON.stringify({ email, password }) })
    return answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  }
  const emails = Array.from({ length: bystanders + attacked }, (_, index) => `user-${limited}-${index}-${Date.now()}@example.com`)
  const cookies: Array<string> = []
  for (const [index, email] of emails.entries()) cookies.push(await signUp(email, index))
  return { child, port, cookies: cookies.slice(0, bystanders), emails: emails.slice(bystanders) }
}
type Running = Awaited<ReturnType<typeof start>>

const addressOf = (index: number) => `198.51.${100 + Math.floor(index / 250)}.${(index % 250) + 1}`

/** The times of all answers in milliseconds. Requests do not wait for one another, so a stall counts for each request sent during it. */
const watch = async ({ port, cookies }: Running): Promise<ReadonlyArray<number>> => {
  const agent = new Agent({ keepAlive: true })
  const one = (index: number, sent = performance.now()) =>
    new Promise<number>((resolve, reject) => {
      const headers = { cookie: cookies[index % cookies.length] ?? "", "x-forwarded-for": addressOf(index % 500) }
      const sending = get({ agent, port, host: "127.0.0.1", path: "/api/auth/get-session", headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`a bystander got the status ${response.statusCode}`))
        response.resume().on("end", () => resolve(performance.now() - sent))
      })
      // The server may close an idle connection at the moment it is used again.
      sending.on("error", (error) => (sending.reusedSocket ? one(index, sent).then(resolve, reject) : reject(error)))
    })
  const begun = performance.now()
  const answers: Array<Promise<number>> = []
  for (let index = 0; index < seconds * perSecond; index++) {
    const due = begun + (index * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    answers.push(one(index))
  }
  const times = await Promise.all(answers)
  agent.destroy()
  return times
}

/** The next message of a process. Rejects if the process ends first. */
const messageOf = async (child: ChildProcess) => {
  const ended = once(child, "disconnect").then(() => Promise.reject(new Error("attack.ts ended before its message")))
  const [message] = await Promise.race([once(child, "message"), ended])
  return message
}

let documents = 0
/** Prepares an attack; the result runs it and returns the number of answers per status. */
const prepareAttack = async ({ port }: Running, load: Load, seconds: number, address = "203.0.113.1"): Promise<() => Promise<string>> => {
  const from = documents
  if ("perSecond" in load) documents += load.perSecond * seconds
  const all: Attack = { port, ...load, seconds, from, address }
  const child = fork(join(here, "attack.ts"), [JSON.stringify(all)])
  await messageOf(child)
  return async () => {
    child.send("attack")
    return messageOf(child)
  }
}

const shown = (times: ReadonlyArray<number>) => `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`

/** Alternates rounds without and with the attack. Whether the median of the ratios is within the limit. */
const examine = async (running: Running, { name, mostGrowth, load: loadOf }: Scenario): Promise<boolean> => {
  console.log(name)
  const load = loadOf(running)
  // Warm-up, from an address with a budget of its own.
  await (await prepareAttack(running, load, "perSecond" in load ? warmUps / load.perSecond : 5, "203.0.113.2"))()
  const growths: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const calm = await watch(running)
    const attack = await prepareAttack(running, load, seconds)
    const [attacked, codes] = await Promise.all([watch(running), attack()])
    const growth = quantile(attacked, 0.99) / quantile(calm, 0.99)
    growths.push(growth)
    console.log(`  calm ${shown(calm)}; attack ${shown(attacked)}; ratio of p99 ${growth.toFixed(2)}; answers to the attacker: ${codes}`)
  }
  const growth = median(growths)
  console.log(`  ${growth <= mostGrowth ? "ok" : "FAULT"}: p99 times ${growth.toFixed(2)}, at most ${mostGrowth}`)
  return growth <= mostGrowth
}

/** Whether the server survives 600 different documents. */
const examineMemory = async (running: Running): Promise<boolean> => {
  console.log(`600 distinct GraphQL documents of 5.9 KB, in a heap of ${heap} MB (rate limit off)`)
  const before = residentMegabytes(running.child)
  const attack = await prepareAttack(running, { kind: "documents", perSecond: 30 }, 20)
  const codes = await attack()
  // A process without memory takes a moment to end.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const lives = running.child.exitCode === null && running.child.signalCode === null
  const growth = lives ? `memory grew by ${(residentMegabytes(running.child) - before).toFixed(0)} MB` : "the server died"
  console.log(`  ${lives ? "ok" : "FAULT"}: ${growth}; answers to the attacker: ${codes}`)
  return lives
}

leaveServersProcessor()
warnIfBusy()
const results: Array<boolean> = []
try {
  console.log(`${rounds} rounds of ${seconds} s calm and ${seconds} s of attack, ${perSecond} bystanders' requests a second; ${pinning}`)
  for (const limited of [true, false]) {
    if (!scenarios.some((each) => each.limited === limited && isNamed(each.name))) continue
    const running = await start(limited)
    try {
      // Warm-up: the first requests run uncompiled.
      await watch(running)
      for (const scenario of scenarios.filter((each) => each.limited === limited && isNamed(each.name)))
        results.push(await examine(running, scenario))
      if (!limited && named.length === 0) results.push(await examineMemory(running))
    } finally {
      await stopped([running.child])
    }
  }
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = results.every((well) => well) ? 0 : 1
