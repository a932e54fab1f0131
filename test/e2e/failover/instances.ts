import { expect } from "vitest"
import { freePort } from "../../free-port.ts"
import { atEnd } from "../endings.ts"
import { install, type Program } from "../program.ts"
import { pause } from "../waiting.ts"
import { makeClient } from "./client.ts"
import { balancerConfiguration, startHaproxy } from "./haproxy.ts"

/** Two instances with these URLs of the database behind a balancer, which send their events to a webhook. */
export const startInstances = async (urls: readonly [string, string], webhook: { readonly url: string; readonly secret: string }) => {
  const port = await freePort()
  const webhooks = [{ id: "receiver", url: webhook.url, secrets: [webhook.secret] }]
  const start = async (url: string) => {
    const program = await install({
      public_url: `http://localhost:${port}`,
      store: { kind: "postgres", url, max_connections: 30 },
      listen: { drain_delay: 3 },
      log: { level: "warn", format: "json" },
      modules: { audit: {}, organization: {}, events: { webhooks, allow_private_addresses: true } },
    })
    program.begin()
    await program.ready()
    return program
  }
  const programs = [await start(urls[0]), await start(urls[1])] as const
  const instances = Object.fromEntries(programs.map((program, index) => [`instance${index + 1}`, program.port]))
  await startHaproxy(balancerConfiguration(port, instances), port)
  const client = makeClient(port)
  atEnd(client.close)
  return { programs, client }
}

/** Stops a program with SIGTERM, starts it again, and waits until the balancer uses it. */
export const restart = async (program: Program): Promise<void> => {
  expect(await program.stop()).toBe(0)
  await comeBack(program)
}

/** Kills a program with SIGKILL, and starts it again. */
export const killAndRestart = async (program: Program): Promise<void> => {
  await program.kill()
  await comeBack(program)
}

const comeBack = async (program: Program) => {
  program.begin()
  await program.ready()
  await pause(2_000)
}
