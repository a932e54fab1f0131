import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import { type Failure, makeFailures, perNetwork } from "../../../application/service/failures.ts"

const failureOf = (name: string): Failure => ({
  event: {
    id: "1",
    at: DateTime.makeUnsafe(0),
    type: "sign_in.failed",
    outcome: "failure",
    reason: "invalid_credentials",
    actor: { kind: "visitor", id: null },
    subject: { kind: "identifier", id: name },
    organization_id: null,
    session_id: null,
    client_id: null,
    ip_address: "192.0.2.1",
    user_agent: "test",
    request_id: null,
    trace_id: null,
    count: 1,
    data: {},
  },
  name: null,
})

/** The counts of the rows of each minute. Failures come every `every` milliseconds, and are drained five times a second, as in the service. */
const rowsOfMinutes = (minutes: number, every: number, nameOf: (now: number) => string) => {
  const failures = makeFailures()
  return Array.from({ length: minutes }, (_, minute) => {
    const counts: Array<number> = []
    for (let now = minute * 60_000; now < (minute + 1) * 60_000; now += 20) {
      if (now % every === 0) failures.add(failureOf(nameOf(now)), now)
      if (now % 200 === 0) counts.push(...failures.drain(now).due.map(({ event }) => event.count))
    }
    return counts
  })
}

it("stores three rows in the first minute of an attack on one name, then one a minute, and counts every failure", () => {
  const minutes = rowsOfMinutes(5, 20, () => "ada")
  assert.deepStrictEqual(
    minutes.map(({ length }) => length),
    [3, 1, 1, 1, 1],
  )
  assert.deepStrictEqual(minutes.slice(0, 3).flat(), [1, 100, 400, 2500, 3000])
})

it("stores at most four rows a minute for a name, whatever the pauses between its failures are", () => {
  for (const every of [100, 1000, 2000, 3000, 5000, 10_000, 30_000, 50_000, 60_000, 62_000])
    for (const counts of rowsOfMinutes(10, every, () => "ada")) assert.isAtMost(counts.length, 4)
})

it("stores a bounded number of rows a minute for a network that tries a new name each time", () => {
  for (const counts of rowsOfMinutes(5, 20, (now) => `name ${now}`)) assert.isAtMost(counts.length, 4 * (perNetwork + 1))
})

it("gives out all repeats at the end of the process", () => {
  const failures = makeFailures()
  for (const now of [0, 1, 2]) failures.add(failureOf("ada"), now)
  assert.deepStrictEqual(
    failures.drain(Number.POSITIVE_INFINITY).due.map(({ event }) => event.count),
    [1, 2],
  )
})
