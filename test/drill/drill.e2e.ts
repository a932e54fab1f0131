import { afterAll, describe, expect, it } from "vitest"
import { sql } from "../e2e/database.ts"
import { atEnd } from "../e2e/endings.ts"
import { startReplicaSet, whyNoMongo } from "../mongo-server.ts"
import { startPostgres } from "../postgres-server.ts"
import { startAlerts } from "./alerts.ts"
import { during } from "./during.ts"
import { type Fault, isFull, older } from "./fault.ts"
import { databaseFaults, hangingReceiver, hotSubject } from "./faults/database.ts"
import { killedInstance, refusedMail, rollingRestart, rotatedSecret, slowClockOfOne, steadyUse } from "./faults/instances.ts"
import { migrationFaults } from "./faults/migrations.ts"
import { mongoFaults } from "./faults/mongo.ts"
import { fill, versionFaults } from "./faults/versions.ts"
import { fillDisk, whyNoFullDisk } from "./full-disk.ts"
import { type Store, startWorld, type World } from "./world.ts"

const table: Array<object> = []
const note = (row: object) => {
  table.push(row)
  console.log(JSON.stringify(row))
}
afterAll(() => console.table(table))

/** Says why a fault is not tried. */
const omit = (fault: string, reason: string) => {
  console.warn(`${fault}: not tried, ${reason}`)
  note({ fault, seen: `not tried: ${reason}` })
}

/** Every fault of a list, one after the other, with two instances under load on one database. */
const drill = (title: string, faults: ReadonlyArray<Fault>, begin: () => Promise<World>) =>
  describe(title, () => {
    let begun: Promise<World> | undefined
    let alerts: (() => Promise<ReadonlyArray<string>>) | undefined
    const world = async () => {
      begun ??= begin()
      const started = await begun
      if (isFull) alerts ??= await startAlerts(started.metrics)
      return started
    }
    for (const fault of faults) {
      if (fault.omitted !== undefined) {
        omit(fault.name, fault.omitted)
        continue
      }
      it(`${fault.name}: ${fault.expected}`, async () => {
        const row = { fault: fault.name, expected: fault.expected }
        const {
          phase,
          note: told,
          wrong,
        } = await during(await world(), fault).catch((error: Error) => {
          note({ ...row, seen: error.message })
          throw error
        })
        const { sent, acknowledged, p99, slowest, longestPause } = phase
        const others = Object.entries(phase.other).map(([answer, count]) => `${count} × ${answer}`)
        const seen = [...others, ...(told === "" ? [] : [told]), ...wrong.slice(0, 3)].join("; ")
        note({
          ...row,
          sent,
          200: acknowledged,
          p99,
          slowest,
          longestPause,
          seen,
          ...(alerts ? { alerts: (await alerts()).join() } : {}),
        })
        expect(wrong, wrong.slice(0, 3).join("; ")).toEqual([])
      }, 7_200_000)
    }
    it("the audit log has no fault", async () => {
      const { faults, records } = await (await world()).finish()
      note({ fault: `audit verify, ${title}`, expected: "0 faults", seen: `${faults} faults, ${records} records` })
      expect(faults).toBe(0)
    })
  })

const server = await startPostgres()
atEnd(server.stop)
await sql(server.url, "CREATE ROLE app LOGIN")
/** A database of its own, and the URL of its administrator. */
const database = async (name: string): Promise<Store> => {
  await sql(server.url, `CREATE DATABASE ${name} OWNER app`)
  return { kind: "postgres", url: new URL(name, server.url.replace("postgres@", "app@")).href }
}

drill(
  "PostgreSQL",
  [
    ...migrationFaults,
    rollingRestart,
    killedInstance,
    ...databaseFaults(server, new URL("drill", server.url).href),
    rotatedSecret,
    refusedMail,
    slowClockOfOne,
    hangingReceiver,
    hotSubject,
    steadyUse,
  ],
  async () => {
    const store = await database("drill")
    const world = await startWorld(store)
    await fill(store.url)
    return world
  },
)

if (older === undefined) omit("faults of two versions", "there is no OLD")
else
  drill("two versions", versionFaults, async () => {
    const store = await database("older")
    const world = await startWorld(store, older)
    await fill(store.url)
    return world
  })

const noMongo = whyNoMongo()
if (noMongo !== undefined) omit("faults of MongoDB", noMongo)
else {
  const { url, members, stop } = await startReplicaSet()
  atEnd(stop)
  drill("MongoDB", mongoFaults(members[0]!), () => startWorld({ kind: "mongo", url: url.replace("/?", "/drill?") }))
}

const noDisk = whyNoFullDisk()
if (noDisk !== undefined) omit("full disk", noDisk)
else
  it("a full disk under the embedded database: 503 on writes, reads go on, nothing is lost", async () => {
    const wrong = await fillDisk()
    note({ fault: "full disk, embedded", expected: "503 on writes, reads go on", seen: wrong.join("; ") })
    expect(wrong, wrong.join("; ")).toEqual([])
  })
