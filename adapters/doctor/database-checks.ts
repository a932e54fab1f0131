import { clockError, clockText, clockWarning } from "../clock-difference.ts"
import type { Facts } from "../kinds/facts.ts"
import { bytesText, durationText, type Finding, fault, fine, orFine, warn } from "./finding.ts"

// What the facts of a database mean for production: one function for each check.

type Check = (facts: Facts) => ReadonlyArray<Finding>

const clock: Check = ({ clockAhead }) => {
  const text = clockText(clockAhead)
  const remedy = "synchronize both machines by NTP"
  if (Math.abs(clockAhead) > clockError) return [fault("clock", text, remedy)]
  return [Math.abs(clockAhead) > clockWarning ? warn("clock", text, remedy) : fine("clock", text)]
}

const encryption: Check = ({ isPlain }) => [
  isPlain
    ? warn(
        "database_tls",
        "the connection to the database is not encrypted",
        "use sslmode=verify-full (tls=true for MongoDB), unless the network is private",
      )
    : fine("database_tls", "the connection to the database is encrypted, or does not leave this machine"),
]

const login: Check = ({ role }) =>
  role === "" ? [fault("login", "the database asks for no login", "turn on its access control, and create a role for the service")] : []

const dangers: Check = (facts) =>
  orFine(
    facts.dangers.map(({ setting, effect, isFatal, remedy }) => (isFatal ? fault : warn)("durability", `${setting}: ${effect}`, remedy)),
    "durability",
    "a commit that was answered survives a crash of the server",
  )

/** Milliseconds would not matter, minutes keep the database from removing dead rows. */
const longTransaction = 300
const hangingTransaction = 3600

const transaction: Check = ({ transaction, grant }) => {
  if (transaction === undefined)
    return [
      grant === undefined
        ? fine("transactions", "no transaction is open")
        : warn("transactions", "the role may not see the transactions of others", grant),
    ]
  const text = `${transaction.owner} has had a transaction open for ${durationText(transaction.seconds)}`
  if (transaction.seconds < longTransaction) return [fine("transactions", text)]
  const report = transaction.seconds < hangingTransaction ? warn : fault
  return [report("transactions", text, "end it: dead rows cannot be removed and migrations wait; set idle_in_transaction_session_timeout")]
}

/** Fewer dead rows than this cost nothing. */
const manyDead = 10_000

const bloat: Check = ({ tables }) => {
  const off = tables.filter(({ isVacuumed }) => !isVacuumed).map(({ name }) => name)
  const bloated = tables.filter(({ rows, dead }) => dead > manyDead && dead > rows / 2)
  return orFine(
    [
      ...(off.length === 0 ? [] : [fault("vacuum", `autovacuum is off for ${listed(off)}`, "turn it on: dead rows would stay for ever")]),
      ...bloated.map(({ name, rows, dead }) =>
        warn(
          "vacuum",
          `table ${name} has ${dead} dead rows beside ${rows}`,
          `run VACUUM (ANALYZE) "${name}", end long transactions, and lower autovacuum_vacuum_scale_factor of the table`,
        ),
      ),
    ],
    "vacuum",
    "no table has many dead rows",
  )
}

const listed = (names: ReadonlyArray<string>) => (names.length > 5 ? `${names.slice(0, 5).join(", ")} and others` : names.join(", "))

/** A slot that holds more than this fills disks. */
const muchHeld = 1e9

const replication: Check = ({ replication, grant }) => {
  if (replication === undefined)
    return [warn("replication", "the role may not see standbys", grant ?? "check with the tools of your database that a standby follows")]
  const { standbys, slots, waits } = replication
  const synchronous = standbys.filter(({ isSynchronous }) => isSynchronous)
  const found: ReadonlyArray<Finding> = [
    ...(waits && synchronous.length === 0
      ? [fault("replication", "commits wait for a standby, and none is connected", "start one, or change synchronous_standby_names")]
      : []),
    ...(standbys.length === 0 && !waits
      ? [warn("replication", "there is no standby", "add one: a broken machine would lose what was written since the last backup")]
      : []),
    ...(standbys.length > 0 && synchronous.length === 0 && !waits
      ? [warn("replication", "no standby is synchronous", "set synchronous_standby_names: a failover can lose commits that were answered")]
      : []),
    ...standbys.flatMap(({ name, fault }) =>
      fault === undefined ? [] : [warn("replication", `standby ${name} ${fault}`, "check its log and its connection")],
    ),
    ...slots.flatMap(({ name, isRead, heldBytes, isLost }) => {
      const remedy = `start its reader, or run SELECT pg_drop_replication_slot('${name}')`
      if (isLost) return [fault("replication", `slot ${name} has lost what its reader needs`, remedy)]
      if (isRead) return []
      const report = heldBytes > muchHeld ? fault : warn
      return [report("replication", `slot ${name} has no reader and holds ${bytesText(heldBytes)} of the write-ahead log`, remedy)]
    }),
  ]
  return orFine(found, "replication", `${standbys.length} standbys follow, ${synchronous.length} of them synchronously`)
}

const next: Check = ({ next }) => next.map(({ text, grant }) => fault("rights", text, grant))

/** The checks of a database alone. */
export const databaseChecks: Check = (facts) =>
  [clock, login, encryption, dangers, transaction, bloat, replication, next].flatMap((check) => check(facts))

/** How many processes are to be connected. */
export interface Deployment {
  readonly instances: number
  readonly workers: number
  /** `store.max_connections`. */
  readonly each: number
  /** Who updates the schema. */
  readonly migrate: "start" | "never"
}

/** Two for a migration, one for a command. */
const spare = 3

/** Whether all instances can be connected at once, beside other programs. */
export const connectionCheck = ({ connections, grant }: Facts, { instances, workers, each }: Deployment): Finding => {
  if (connections === undefined)
    return warn("connections", "the limit of connections is not known", grant ?? "compare it with store.max_connections yourself")
  const { limit, others } = connections
  const needed = instances * workers * each + spare
  const text = `${instances} × ${workers} × ${each} connections and ${spare} for commands are ${needed}; the database accepts ${limit}`
  if (needed > limit) return fault("connections", text, "lower store.max_connections, use a pooler, or raise the limit of the database")
  if (needed + others > limit)
    return warn("connections", `${text}, of which other programs use ${others} now`, "raise the limit of the database")
  return fine("connections", text)
}

/** Whether the role may change the schema, if it has to, and only then. */
export const migrationCheck = ({ role, migration }: Facts, { migrate }: Pick<Deployment, "migrate">): ReadonlyArray<Finding> => {
  if (migrate === "start")
    return orFine(
      migration.map(({ text, grant }) => fault("rights", text, grant)),
      "rights",
      `${role || "the role"} may make the next migration`,
    )
  return migration.length > 0
    ? [fine("rights", `${role} cannot change the schema; run this with the URL of the role of \`migrate\` to check that role`)]
    : [
        warn(
          "rights",
          `${role || "the role"} may change the schema, although store.migrate is "never"`,
          "let the service connect as a role with fewer rights, unless this is the role of `migrate`",
        ),
      ]
}
