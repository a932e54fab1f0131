// Compares the server with what the same machine can do at best, in alternating rounds of one run, and prints ratios.
// PostgreSQL: DATABASE_URL, else one is started. BENCH_ROUNDS and BENCH_SECONDS change the length.

import type { ChildProcess } from "node:child_process"
import { execFile, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort, startPostgres } from "../test/postgres-server.ts"
import type { Load } from "./load.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5)
const here = import.meta.dirname
const secret = "a secret for the benchmark only, 32+ bytes"
const credentials = { email: "bench@example.com", password: "correct horse battery staple" }

const started: Array<ChildProcess> = []
const node = (args: ReadonlyArray<string>, env: Record<string, string>) => {
  const child = spawn(process.execPath, [...args], { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] })
  started.push(child)
  return child
}

const run = promisify(execFile)
const measure = async (file: string, ...args: ReadonlyArray<string>) =>
  Number((await run(process.execPath, [join(here, file), ...args])).stdout)
const load = (what: Load) => measure("load.ts", JSON.stringify(what))

const until = async (url: string) => {
  for (let tries = 0; tries < 300; tries++) {
    if ((await fetch(url).catch(() => null))?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} does not answer`)
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Alternates the two, so that a machine that slows down slows both, and reports the ratio of each round. */
const compare = async (name: string, ours: () => Promise<number>, theirs: () => Promise<number>) => {
  // Compilers settle first, on both sides: a server runs for longer than this.
  for (let warmUp = 0; warmUp < 3; warmUp++) {
    await ours()
    await theirs()
  }
  const results: Array<readonly [number, number]> = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0
    const a = first ? await ours() : 0
    const b = await theirs()
    results.push([first ? a : await ours(), b])
  }
  const ratios = results.map(([a, b]) => a / b)
  const row = (label: string, values: ReadonlyArray<number>, digits: number) =>
    console.log(
      `  ${label.padEnd(10)} median ${median(values).toFixed(digits)}   min ${Math.min(...values).toFixed(digits)}   max ${Math.max(...values).toFixed(digits)}`,
    )
  console.log(name)
  row(
    "ours /s",
    results.map(([a]) => a),
    0,
  )
  row(
    "floor /s",
    results.map(([, b]) => b),
    0,
  )
  row("ratio", ratios, 2)
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
    // All load comes from one address and one user.
    rate_limit: { enabled: false },
    log: { level: "warn" },
  }
  writeFileSync(config, JSON.stringify(settings))
  node([join(here, "../main.ts"), "--config", config], {})
  const base = `http://127.0.0.1:${port}`
  await until(`${base}/readyz`)
  node([join(here, "floor.ts")], { DATABASE_URL: postgres.url, SALLYPORT_SECRET: secret, PORT: String(floorPort) })
  await until(`http://127.0.0.1:${floorPort}/`)

  const headers = { "content-type": "application/json" }
  const body = JSON.stringify(credentials)
  const post = (path: string) => fetch(`${base}/api/auth${path}`, { method: "POST", headers, body })
  const signedUp = await post("/sign-up/email")
  const signedIn = signedUp.ok ? signedUp : await post("/sign-in/email")
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""

  const path = "/api/auth/get-session"
  const [ours, floor] = await Promise.all(
    [port, floorPort].map(async (at) => (await fetch(`http://127.0.0.1:${at}${path}`, { headers: { cookie } })).json()),
  )
  const same = JSON.stringify(ours) === JSON.stringify(floor) && ours.user.email === credentials.email
  if (!same) throw new Error(`the two do not answer alike: ${JSON.stringify([ours, floor])}`)

  const read = (at: number) => load({ port: at, method: "GET", path, headers: { cookie }, connections: 64, seconds })
  await compare(
    "GET /get-session against node:http with pg",
    () => read(port),
    () => read(floorPort),
  )

  const signIn = () => load({ port, method: "POST", path: "/api/auth/sign-in/email", body, connections: 8, seconds })
  await compare("POST /sign-in/email against the bare password hash", signIn, () => measure("hashes.ts", "8", String(seconds)))
} finally {
  for (const child of started) child.kill()
  await Promise.all(started.map((child) => child.exitCode === null && new Promise((resolve) => child.once("exit", resolve))))
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
