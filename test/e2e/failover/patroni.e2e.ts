import { writeFileSync } from "node:fs"
import { expect, it } from "vitest"
import { rowsOf } from "../database.ts"
import { pause, until } from "../waiting.ts"
import { committedEvents, lostWrites, undelivered } from "./checks.ts"
import { startCluster } from "./cluster.ts"
import { killAndRestart, restart, startInstances } from "./instances.ts"
import { startLoad } from "./load.ts"
import { makeOperations } from "./operations.ts"
import { startReceiver } from "./receiver.ts"

const setting = (name: string, standard: number) => Number(process.env[name] ?? standard)
/** Requests a second, the events that have to be committed, and seconds of load before and after each incident: README.md. */
const rate = setting("FAILOVER_RATE", 50)
const wanted = setting("FAILOVER_EVENTS", 3_000)
const calm = setting("FAILOVER_CALM", 3)
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** What requests of a phase may be answered, except for 200. An unanswered commit is answered 503. */
const tolerated = (phase: string) => {
  if (phase === "rolling restart") return /^$/
  return phase === "SIGKILL of an instance" ? /^(502 balancer|503 .*|0 .*)$/ : /^503 /
}

it("a rolling restart, a Patroni switchover and SIGKILL of an instance and of the primary lose no acknowledged write and no event", async () => {
  const cluster = await startCluster()
  const database = rowsOf({ kind: "postgres", url: cluster.throughHaproxy })
  const receiver = await startReceiver(secret)
  const { programs, client } = await startInstances([cluster.throughHaproxy, cluster.severalHosts], { url: receiver.url, secret })
  const operations = makeOperations(client)
  while (operations.ledger.people.length < 4 * rate) await Promise.all(Array.from({ length: 10 }, operations.signUp))

  const load = startLoad(rate, operations.any)
  const incident = async (name: string, run: () => Promise<unknown>) => {
    await pause(calm * 1000)
    load.begin(name)
    // The requests of the phase before are answered.
    await pause(1_000)
    await run()
    await pause(calm * 1000)
    load.begin("steady load")
  }
  await incident("rolling restart", async () => {
    for (const program of programs) await restart(program)
  })
  await incident("switchover", cluster.switchover)
  await cluster.inSync()
  await incident("SIGKILL of an instance", () => killAndRestart(programs[0]))
  let rejoin = () => {}
  await incident("SIGKILL of the primary", async () => {
    rejoin = await cluster.failover()
  })
  rejoin()
  await cluster.inSync()
  await until("the events", async () => (await committedEvents(database)).length >= wanted || undefined, 1_200)
  const { phases, servedBy } = await load.finish()

  const [waiting, ended] = [await undelivered(database), performance.now()]
  await until("every event to be delivered", async () => (await undelivered(database)) === 0 || undefined, 1_800)
  const drained = Math.round((performance.now() - ended) / 1000)
  const verify = async () => JSON.parse(await programs[0].command("audit", "verify", "--json"))
  await until("every record to be sealed", async () => (await verify()).waiting === 0 || undefined, 120)

  const verified = await verify()
  const events = await committedEvents(database)
  const lost = await lostWrites(database, operations.ledger, events)
  const missing = events.filter(({ id }) => !receiver.deliveries.has(id))
  console.table(phases.map(({ other, ...phase }) => ({ ...phase, other: JSON.stringify(other) })))
  console.table({
    ...Object.fromEntries(servedBy),
    "acknowledged writes": operations.ledger.acknowledged.length,
    "of them lost": lost.length,
    "committed events": events.length,
    "of them delivered": events.length - missing.length,
    "duplicate deliveries": [...receiver.deliveries.values()].reduce((sum, times) => sum + times - 1, 0),
    "undelivered at the end of the load": waiting,
    "seconds until all were delivered": drained,
    "records of the verified chain": verified.records,
    "faults of the chain": verified.faults,
  })
  const logs = process.env["FAILOVER_LOGS"]
  if (logs !== undefined) writeFileSync(logs, programs.map((program) => program.logs()).join("\n"))
  expect(lost).toEqual([])
  expect(missing).toEqual([])
  expect(verified).toMatchObject({ faults: 0, waiting: 0, records: events.length })
  for (const { name, other } of phases)
    expect(
      Object.keys(other).filter((answer) => !tolerated(name).test(answer)),
      name,
    ).toEqual([])
}, 3_600_000)
