import { Effect } from "effect"
import type { Db, Document } from "mongodb"
import type { AnyTable } from "../../domain/ports/table.ts"
import { clockDifference } from "../clock-difference.ts"
import type { Danger, Facts, Replication } from "../kinds/facts.ts"
import { Database } from "./database.ts"
import { withConnection } from "./migrations.ts"
import { granted, loginOf, migrationActions, missingActions } from "./rights.ts"

/** What the server says about itself, as far as the user may read it. */
export const facts = (tables: ReadonlyArray<AnyTable>) =>
  Effect.gen(function* () {
    const clockAhead = yield* clockDifference(clock)
    return yield* withConnection((db) => read(db, tables, clockAhead))
  })

/** The server's clock, in milliseconds since 1970. */
export const clock = Effect.flatMap(Database, ({ run, db }) =>
  Effect.map(
    run(({ maxTimeMS }) => db.command({ hello: 1, maxTimeMS })),
    (hello) => (hello["localTime"] as Date).getTime(),
  ),
)

const read = async (db: Db, tables: ReadonlyArray<AnyTable>, clockAhead: number): Promise<Facts> => {
  const server = db.client.db("admin")
  // Undefined without the right to ask.
  const asked = (command: Document) => server.command(command).catch(() => undefined)
  const login = await loginOf(db)
  const [hello, status, members, configured] = [
    await server.command({ hello: 1 }),
    await asked({ serverStatus: 1 }),
    await asked({ replSetGetStatus: 1 }),
    await asked({ replSetGetConfig: 1 }),
  ]
  const isHidden = status === undefined || members === undefined || configured === undefined
  const missing = missingActions(login, db.databaseName, "", migrationActions)
  const may = `${login?.name} may not ${missing.join(", ")} in the database ${db.databaseName}`
  const next = missingActions(login, db.databaseName, "", ["find", "insert", "remove", "update"])
  const transaction = isHidden ? undefined : await longest(db)
  return {
    role: login?.name ?? "",
    clockAhead,
    isPlain: db.client.options.tls !== true && !isLocal(String(hello["me"] ?? "")),
    ...(status === undefined ? {} : { connections: connectionsOf(status) }),
    dangers: dangersOf(configured),
    ...(transaction === undefined ? {} : { transaction }),
    tables: [],
    ...(members === undefined ? {} : { replication: replicationOf(members) }),
    ...(isHidden ? { grant: `db.grantRolesToUser("${login?.name}", [{ role: "clusterMonitor", db: "admin" }])` } : {}),
    migration: missing.length === 0 ? [] : [{ text: may, grant: granted(db.databaseName, "", missing) }],
    next:
      next.length === 0 || tables.length === 0
        ? []
        : [
            {
              text: `${login?.name} would lack ${next.join(", ")} on the collections of the next version`,
              grant: granted(db.databaseName, "", next),
            },
          ],
  }
}

const isLocal = (me: string) => /^(localhost|127\.|\[?::1\]?)/.test(me)

/** Its own connections cannot be told from those of others. */
const connectionsOf = ({ connections }: Document) => ({
  limit: Number(connections["current"]) + Number(connections["available"]),
  others: 0,
})

/** Every write of the service asks for the majority; this decides whether the majority has it on disk. */
const dangersOf = (configured: Document | undefined): ReadonlyArray<Danger> =>
  configured?.["config"]["writeConcernMajorityJournalDefault"] === false
    ? [
        {
          setting: "writeConcernMajorityJournalDefault is false",
          effect: "a crash of the machines can lose commits that were answered",
          isFatal: true,
          remedy: "set it to true by rs.reconfig",
        },
      ]
    : []

const longest = async (db: Db) => {
  const operations = db.client
    .db("admin")
    .aggregate([
      { $currentOp: { allUsers: true, idleSessions: true } },
      { $match: { "transaction.timeOpenMicros": { $exists: true } } },
      { $sort: { "transaction.timeOpenMicros": -1 } },
      { $limit: 1 },
    ])
  const [found] = await operations.toArray()
  if (found === undefined) return undefined
  return { seconds: Number(found["transaction"]["timeOpenMicros"]) / 1e6, owner: String(found["appName"] ?? found["client"] ?? "a client") }
}

/** Milliseconds. */
const lagging = 30_000

const replicationOf = ({ members }: Document): Replication => {
  const all = members as ReadonlyArray<Document>
  const primary = all.find(({ stateStr }) => stateStr === "PRIMARY")
  const others = all.filter((member) => member !== primary && member["stateStr"] !== "ARBITER")
  return {
    // A majority has every commit; of two members, both do.
    waits: false,
    slots: [],
    standbys: others.map(({ name, stateStr, optimeDate }) => {
      const standby = { name: String(name), isSynchronous: stateStr === "SECONDARY" }
      if (stateStr !== "SECONDARY") return { ...standby, fault: `is in the state ${stateStr}` }
      const behind = Number(primary?.["optimeDate"] ?? optimeDate) - Number(optimeDate)
      return behind > lagging ? { ...standby, fault: `is ${Math.round(behind / 1000)} s behind` } : standby
    }),
  }
}
