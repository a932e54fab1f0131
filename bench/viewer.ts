// Compares the processor time of the GraphQL viewer with that of GET /get-session, which reads the same rows: on one server with the store
// in memory, in alternating rounds. Fails when the viewer takes more than twice as long. Needs Linux, and no wrk. See README.md.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { freePort } from "../test/free-port.ts"
import { leaveServersProcessor, pinning, processorSeconds, startNode, stopped, until, warnIfBusy } from "./machine.ts"
import { api, get, graphql } from "./operation.ts"
import type { Request } from "./requests.ts"
import { signUp } from "./service.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 20)
/** Rounds that do not count: V8 has not optimized the code for the first requests yet. */
const warmUps = 3
const perRound = 2000
const connections = 8
const mostTimes = 2

leaveServersProcessor()
warnIfBusy()
const folder = mkdtempSync("/tmp/sallyport-viewer-")
const port = await freePort()
const config = join(folder, "config.json")
const settings = {
  secret: "a secret for the benchmark only, 32+ bytes",
  public_url: `http://localhost:${port}`,
  listen: { port },
  store: { kind: "memory" },
  mail: { kind: "none" },
  email_password: { enabled: true },
  rate_limit: { enabled: false },
  log: { level: "error" },
}
writeFileSync(config, JSON.stringify(settings))
const child = startNode([join(import.meta.dirname, "../main.ts"), "--config", config])
const agent = new Agent({ keepAlive: true, maxSockets: connections })

const send = ({ method, path, headers, body }: Request) =>
  new Promise<void>((resolve, reject) => {
    const sending = request({ agent, port, host: "127.0.0.1", method, path, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answers ${response.statusCode}`))
      response.resume().on("end", resolve)
    })
    sending.on("error", reject).end(body)
  })

/** The processor time of the server for one request, in microseconds. */
const measure = async (asked: Request): Promise<number> => {
  let sent = 0
  const client = async () => {
    while (sent++ < perRound) await send(asked)
  }
  const before = processorSeconds(child)
  await Promise.all(Array.from({ length: connections }, client))
  return ((processorSeconds(child) - before) * 1e6) / perRound
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

try {
  await until(`http://127.0.0.1:${port}/readyz`, { child })
  const { cookie } = await signUp(port, "ada@example.com")
  console.log(`${rounds} rounds of ${perRound} requests each; ${pinning}`)
  const took: Array<readonly [session: number, viewer: number]> = []
  for (let round = -warmUps; round < rounds; round++) {
    const session = await measure(get("/get-session", cookie))
    const viewer = await measure(graphql("{ viewer { user { id email } } }", cookie))
    if (round >= 0) took.push([session, viewer])
  }
  const times = median(took.map(([session, viewer]) => viewer / session))
  console.log(`GET ${api}/get-session ${median(took.map(([session]) => session)).toFixed(0)} µs`)
  console.log(`GraphQL viewer ${median(took.map(([, viewer]) => viewer)).toFixed(0)} µs: ${times.toFixed(2)} times, at most ${mostTimes}`)
  process.exitCode = times <= mostTimes ? 0 : 1
} finally {
  agent.destroy()
  await stopped([child])
  rmSync(folder, { recursive: true, force: true })
}
