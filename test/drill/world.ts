import { rowsOf } from "../e2e/database.ts"
import { atEnd } from "../e2e/endings.ts"
import { makeClient } from "../e2e/failover/client.ts"
import { startLoad } from "../e2e/failover/load.ts"
import { makeOperations } from "../e2e/failover/operations.ts"
import { startReceiver } from "../e2e/failover/receiver.ts"
import { startMailbox } from "../e2e/mailbox.ts"
import { install, type Program } from "../e2e/program.ts"
import { until } from "../e2e/waiting.ts"
import { freePort } from "../free-port.ts"
import { startBalancer } from "./balancer.ts"
import { sized } from "./fault.ts"
import { startHangable } from "./hangable.ts"

export interface Store {
  readonly kind: "postgres" | "mongo"
  readonly url: string
}

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const rate = sized(20, 60)
/** Seconds for which a request may wait for the store: longer than for a migration's lock. */
const budget = sized(3, 5)

/** Two instances behind a balancer with TLS, under load, with two receivers of webhooks, of which one can hang, and a mail server. */
export const startWorld = async (store: Store, version?: string) => {
  const [port, metrics] = [await freePort(), await Promise.all([freePort(), freePort()])]
  const [receiver, hangable, mailbox] = [await startReceiver(secret), await startHangable(), await startMailbox()]
  const webhooks = [
    { id: "receiver", url: receiver.url, secrets: [secret] },
    { id: "hangable", url: hangable.url, secrets: [secret] },
  ]
  const installed = (index: 0 | 1) =>
    install({
      public_url: `https://localhost:${port}`,
      store: { ...store, ...(store.kind === "postgres" ? { max_connections: 10 } : {}) },
      mail: mailbox.mail,
      listen: { drain_delay: 2 },
      log: { level: "warn", format: "json" },
      telemetry: { metrics: { port: metrics[index] } },
      // An older version may not know the setting.
      ...(version === undefined ? { request_timeout: budget } : {}),
      modules: { audit: {}, organization: {}, events: { webhooks, allow_private_addresses: true } },
    })
  const programs = [await installed(0), await installed(1)] as const
  for (const program of programs) {
    program.become(version)
    program.begin()
    await program.ready()
  }
  const instances = Object.fromEntries(programs.map((program, index) => [`instance${index + 1}`, program.port]))
  const balancer = await startBalancer(port, instances)
  const client = makeClient(port, balancer.ca)
  atEnd(client.close)
  const operations = makeOperations(client)
  await balancer.allUp()
  while (operations.ledger.people.length < 4 * rate) await Promise.all(Array.from({ length: 10 }, operations.signUp))
  const load = startLoad(rate, operations.any)
  const rows = rowsOf(store)

  const restart = async (program: Program, environment = {}) => {
    if ((await program.stop()) !== 0) throw new Error("an instance did not stop in an orderly way")
    program.begin(environment)
    await program.ready()
    await balancer.allUp()
  }

  return {
    ...{ store, programs, metrics, client, operations, receiver, hangable, mailbox, rows, restart, balancer, load },
    /** Ends the load, and verifies the audit log. */
    finish: async () => {
      await load.finish()
      const verify = async () => JSON.parse(await programs[0].command("audit", "verify", "--json"))
      await until("every record to be sealed", async () => (await verify()).waiting === 0 || undefined, 60)
      const verified = await verify()
      for (const program of programs) await program.stop()
      return verified as { readonly faults: number; readonly records: number }
    },
  }
}
export type World = Awaited<ReturnType<typeof startWorld>>
