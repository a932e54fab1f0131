import { committedEvents, lostWrites, reordered, undelivered } from "../e2e/failover/checks.ts"
import type { Phase } from "../e2e/failover/load.ts"
import { pause, until } from "../e2e/waiting.ts"
import { type Fault, isFull, sized } from "./fault.ts"
import type { World } from "./world.ts"

const calm = sized(500, 5_000)
/** Seconds. A request may wait for the store for 5 of them; with bounded sizes for 3, and the machine may be busy with other suites. */
const longest = sized(20, 5.5)

/** The answers of an instance on a machine that is busy with other suites: in the bounded form up to a tenth are no fault of the instance. */
const isShed = (answer: string, count: number, sent: number) => answer === "503 overloaded" && count <= sized(sent / 10, 0)

/** The last defect that the programs have logged. */
const lastDefect = (programs: World["programs"]) =>
  programs
    .flatMap((program) => program.logs().split("\n"))
    .filter((line) => line.includes("A request failed."))
    .at(-1)
    ?.slice(0, 2_000)

/** What is wrong after a fault, as sentences. */
const faultsOf = async (
  { programs, rows, receiver, operations: { ledger } }: World,
  { tolerated = /^$/, stopsInstances }: Fault,
  { other, sent, slowest }: Phase,
  failures: number,
) => {
  await until("every event to be delivered", async () => (await undelivered(rows)) === 0 || undefined, 150)
  const events = await committedEvents(rows)
  return [
    ...Object.entries(other)
      .filter(([answer, count]) => !tolerated.test(answer) && !isShed(answer, count, sent))
      .map(([answer, count]) => `${count} requests were answered ${answer}${answer.startsWith("500") ? `: ${lastDefect(programs)}` : ""}`),
    ...(slowest > longest ? [`a request took ${slowest} s`] : []),
    ...(isFull && failures > 0 && !stopsInstances ? ["an instance was out of the balancer"] : []),
    ...(await lostWrites(rows, ledger, events)),
    ...events.filter(({ id }) => !receiver.deliveries.has(id)).map(({ id, type }) => `the event ${type} ${id} was not delivered`),
    ...reordered(ledger, events, receiver.deliveries.keys()),
  ]
}

/** Runs a fault under load; returns what was seen, and what is wrong. */
export const during = async (world: World, fault: Fault) => {
  const before = await world.balancer.failures()
  const answersOf = world.load.begin(fault.name)
  await pause(calm)
  const note = await fault.run(world)
  await pause(calm)
  await world.balancer.allUp()
  const resume = await world.load.hold()
  const phase = await answersOf()
  const failures = (await world.balancer.failures()) - before
  const wrong = await faultsOf(world, fault, phase, failures)
  world.load.begin("between")
  resume()
  return { phase, note: typeof note === "string" ? note : "", wrong }
}
