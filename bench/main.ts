// Compares the server with the maximum of the same machine in alternating rounds of one run, and prints ratios: README.md. Uses the
// PostgreSQL of DATABASE_URL, or starts one. BENCH_ROUNDS and BENCH_SECONDS change the length.

import type { ChildProcess } from "node:child_process"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort, startPostgres } from "../test/postgres-server.ts"
import { send } from "./load.ts"
import {
  demandWrk,
  leaveServersProcessor,
  onServersProcessor,
  pinning,
  processorSeconds,
  startNode,
  stopped,
  until,
  warnIfBusy,
} from "./machine.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 7)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5)
const here = import.meta.dirname
const secret = "a secret for the benchmark only, 32+ bytes"
const credentials = { email: "bench@example.com", password: "correct horse battery staple" }
const [readers, signers] = [32, 8]

/** One round: requests per second, and the processor time of one request in microseconds. */
interface Round {
  readonly perSecond: number
  readonly micros: number
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const print = (label: string, values: ReadonlyArray<number>, digits = 0) => {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map((value) => value.toFixed(digits))
  console.log(`  ${label.padEnd(24)} median ${middle}   min ${least}   max ${most}`)
}

/** Alternates the two sides and their order, so that a machine that slows down slows both. */
const compare = async (name: string, ours: () => Promise<Round>, floor: () => Promise<Round>) => {
  // Warm-up: the first rounds run uncompiled.
  for (let warmUp = 0; warmUp < 2; warmUp++) for (const side of [ours, floor]) await side()
  const results: Array<readonly [Round, Round]> = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? await ours() : undefined
    const second = await floor()
    results.push([first ?? (await ours()), second])
  }
  console.log(name)
  print(
    "ours, a second",
    results.map(([ours]) => ours.perSecond),
  )
  print(
    "floor, a second",
    results.map(([, floor]) => floor.perSecond),
  )
  print(
    "ratio",
    results.map(([ours, floor]) => ours.perSecond / floor.perSecond),
    2,
  )
  print(
    "ratio of processor time",
    results.map(([ours, floor]) => floor.micros / ours.micros),
    2,
  )
}

demandWrk()
leaveServersProcessor()
warnIfBusy()
const started: Array<ChildProcess> = []
const start = (...given: Parameters<typeof startNode>): ChildProcess => {
  const child = startNode(...given)
  started.push(child)
  return child
}
const postgres =
  process.env["DATABASE_URL"] === undefined
    ? await startPostgres({ fsync: "on", full_page_writes: "on" })
    : { url: process.env["DATABASE_URL"], stop: () => {} }
const folder = mkdtempSync("/tmp/sallyport-bench-")
try {
  const [port, floorPort] = [await freePort(), await freePort()]
  const config = join(folder, "config.json")
  const settings = {
    secret,
    public_url: `http://localhost:${port}`,
    store: { kind: "postgres", url: postgres.url },
    mail: { kind: "none" },
    email_password: { enabled: true },
    // All requests are from one address and one user.
    rate_limit: { enabled: false },
    log: { level: "warn" },
  }
  writeFileSync(config, JSON.stringify(settings))
  const server = start([join(here, "../main.ts"), "--config", config])
  const base = `http://127.0.0.1:${port}`
  await until(`${base}/readyz`)
  const floorServer = start([join(here, "floor.ts")], { DATABASE_URL: postgres.url, SALLYPORT_SECRET: secret, PORT: String(floorPort) })
  await until(`http://127.0.0.1:${floorPort}/`)

  const body = JSON.stringify(credentials)
  const post = (path: string) => fetch(`${base}/api/auth${path}`, { method: "POST", headers: { "content-type": "application/json" }, body })
  const signedUp = await post("/sign-up/email")
  const signedIn = signedUp.ok ? signedUp : await post("/sign-in/email")
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""

  const path = "/api/auth/get-session"
  const answered = await Promise.all(
    [port, floorPort].map(async (at) => (await fetch(`http://127.0.0.1:${at}${path}`, { headers: { cookie } })).text()),
  )
  if (answered[0] !== answered[1] || !answered[0]?.includes(credentials.email))
    throw new Error(`the two servers answer different bytes: ${answered.join("\n")}`)

  const measure = async (child: ChildProcess, load: () => ReturnType<typeof send>): Promise<Round> => {
    const before = processorSeconds(child)
    const { count, perSecond } = await load()
    return { perSecond, micros: ((processorSeconds(child) - before) * 1e6) / count }
  }
  const read = (child: ChildProcess, at: number) =>
    measure(child, () => send(folder, { url: `http://127.0.0.1:${at}${path}`, headers: { cookie }, connections: readers, seconds }))
  console.log(`${rounds} rounds of ${seconds} s for each side; ${pinning}`)
  await compare(
    `GET /get-session, ${readers} connections, against a hand-written node:http server`,
    () => read(server, port),
    () => read(floorServer, floorPort),
  )

  const signIn = () => measure(server, () => send(folder, { url: `${base}/api/auth/sign-in/email`, body, connections: signers, seconds }))
  const bare = async (): Promise<Round> => {
    const [command, args] = onServersProcessor(process.execPath, [join(here, "hashes.ts"), String(signers), String(seconds)])
    return JSON.parse((await promisify(execFile)(command, [...args])).stdout)
  }
  await compare(`POST /sign-in/email, ${signers} connections, against the bare password hash`, signIn, bare)
} finally {
  await stopped(started)
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
