import { Agent, createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { atEnd } from "./endings.ts"
import { send } from "./http.ts"
import { startLoad } from "./load.ts"
import { type Program, start } from "./program.ts"
import { pause } from "./waiting.ts"

const probePeriod = 250

/** A load balancer that probes `/readyz`, keeps connections to its backends open, and never sends a request twice. */
const startBalancer = async (ports: ReadonlyArray<number>) => {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set(ports)
  const served = new Map(ports.map((port) => [port, 0]))
  const probe = (port: number) =>
    send(port, "/readyz", undefined, {}).then(
      ({ status }) => (status === 200 ? ready.add(port) : ready.delete(port)),
      () => ready.delete(port),
    )
  const probing = setInterval(() => void Promise.all(ports.map(probe)), probePeriod)
  let turn = 0
  const balancer = createServer((incoming, outgoing) => {
    const port = [...ready][turn++ % ready.size]
    if (port === undefined) return void outgoing.writeHead(502).end('{"error":{"code":"no_backend"}}')
    served.set(port, (served.get(port) ?? 0) + 1)
    const { method = "GET", url = "/", headers } = incoming
    const { connection: _, ...forwarded } = headers
    const sent = request({ agent, host: "127.0.0.1", port, method, path: url, headers: forwarded }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.once("error", ({ message }) => outgoing.writeHead(502).end(JSON.stringify({ error: { code: message } })))
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => balancer.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    clearInterval(probing)
    agent.destroy()
    balancer.close()
    balancer.closeAllConnections()
  })
  return { port: (balancer.address() as AddressInfo).port, ready, served }
}

const restart = async (program: Program, { ready }: { readonly ready: ReadonlySet<number> }) => {
  expect(await program.stop()).toBe(0)
  program.begin()
  await program.ready()
  while (!ready.has(program.port)) await pause(probePeriod)
  await pause(1_000)
}

it("a rolling restart of two instances behind a load balancer loses no request", async () => {
  const store = await freshStore()
  const config = { store, listen: { drain_delay: 2 } }
  const first = await start(config)
  const second = await start(config)
  const credentials = { email: "ada@example.com", password: "correct horse battery staple" }
  await first.call("/sign-up/email", credentials)
  // Another user: each sign-in above session.max_per_user ends the oldest session.
  const { cookie } = await first.call("/sign-up/email", { ...credentials, email: "grace@example.com" })

  const balancer = await startBalancer([first.port, second.port])
  const load = startLoad(balancer.port, cookie, credentials)
  await pause(1_000)
  for (const program of [first, second]) await restart(program, balancer)
  const answers = await load.finish()

  expect(Object.keys(answers)).toEqual(["200"])
  expect(answers["200"]).toBeGreaterThan(500)
  for (const requests of balancer.served.values()) expect(requests).toBeGreaterThan(100)
  console.log(`${answers["200"]} requests answered during two restarts`)
})
