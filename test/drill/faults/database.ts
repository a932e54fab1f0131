import { sql } from "../../e2e/database.ts"
import { pause, until } from "../../e2e/waiting.ts"
import type { Server } from "../../postgres-server.ts"
import { type Fault, outOfService, sized, unavailable } from "../fault.ts"

const outage = sized(2_000, 20_000)

const halted = (name: string, server: Server, mode: "fast" | "immediate"): Fault => ({
  name,
  expected: "503, recovery without a restart",
  tolerated: outOfService,
  stopsInstances: true,
  run: async () => {
    server.halt(mode)
    await pause(outage)
    server.resume()
  },
})

/** The faults of a server whose administrator has this URL, for a database of the role `app`. */
export const databaseFaults = (server: Server, asAdministrator: string): ReadonlyArray<Fault> => {
  const endConnections = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'"
  return [
    halted("PostgreSQL is stopped and started", server, "fast"),
    halted("PostgreSQL crashes", server, "immediate"),
    {
      name: "four connections for two instances",
      expected: "slower, or 503",
      tolerated: outOfService,
      stopsInstances: true,
      run: async () => {
        await sql(asAdministrator, "ALTER ROLE app CONNECTION LIMIT 4")
        await sql(asAdministrator, endConnections)
        await pause(sized(4_000, 30_000))
        await sql(asAdministrator, "ALTER ROLE app CONNECTION LIMIT -1")
      },
    },
    {
      name: `a table is locked for ${sized(7, 12)} seconds`,
      expected: "503 in time, instances stay ready",
      tolerated: unavailable,
      run: async () => {
        await sql(asAdministrator, `BEGIN; LOCK TABLE session; SELECT pg_sleep(${sized(7, 12)}); COMMIT`)
      },
    },
  ]
}

/** Deliveries to one receiver while another one hangs. */
export const hangingReceiver: Fault = {
  name: "a receiver of webhooks hangs",
  expected: "the other one gets its events",
  run: async ({ hangable, receiver, rows }) => {
    hangable.hang()
    await until("the receiver to hang", () => hangable.held() > 0 || undefined)
    await pause(sized(5_000, 60_000))
    const events = (await rows("audit_record")).map(({ id }) => id)
    const all = () => events.every((id) => receiver.deliveries.has(id)) || undefined
    await until("the events at the other receiver", all, 30).finally(hangable.answer)
  },
}

export const hotSubject: Fault = {
  name: `${sized(150, 2000)} events of one user`,
  expected: "in their order, without a backlog",
  run: async ({ operations: { ledger }, client, rows, receiver }) => {
    const person = ledger.people[0]!
    while (person.isBusy) await pause(5)
    person.isBusy = true
    const requests: Array<string> = []
    for (let index = 0; index < sized(150, 2000); index++) {
      const name = `hot ${index}`
      const { status, requestId = "" } = await client.send("/update-user", { name }, person.cookie)
      if (status !== 200) throw new Error(`a change was answered ${status}`)
      person.names = [name]
      requests.push(requestId)
      ledger.acknowledged.push({ kind: "update the profile", requestId, person: person.id })
    }
    person.isBusy = false
    const ended = performance.now()
    const wanted = new Set(requests)
    const ids = (await rows("audit_record")).filter(({ request_id }) => wanted.has(request_id)).map(({ id }) => id)
    await until("all of them to be delivered", () => ids.every((id) => receiver.deliveries.has(id)) || undefined, 60)
    return `delivered ${((performance.now() - ended) / 1000).toFixed(1)} s after the last`
  },
}
