import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { codeOf } from "./faults.ts"

/** How long statements of the service wait behind a change of the schema, at most. */
export const lockTimeout = "2s"

export const isLockTimeout = (error: unknown): error is SqlError.SqlError => SqlError.isSqlError(error) && codeOf(error) === "55P03"

/** A transaction that has used the table for longer than a request takes, such as that of a dump: the change would make all others wait. */
export const userOf = Effect.fnUntraced(function* userOf(connection: PgConnection, name: string) {
  const { rows } = yield* connection.query(usersOf, [name])
  const [user] = rows
  if (user === undefined) return undefined
  return `for ${user["name"]} (process ${user["pid"]}), whose transaction has used the table ${user["table"]} for ${user["seconds"]} s`
})

export const ofThisDatabase =
  "l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND l.granted AND l.pid <> pg_backend_pid()"

const usersOf = `
SELECT coalesce(nullif(a.application_name, ''), 'a client') AS name, a.pid, c.relname::text AS "table",
  extract(epoch FROM clock_timestamp() - a.xact_start)::int AS seconds
FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_class c ON c.oid = l.relation
WHERE l.locktype = 'relation' AND ${ofThisDatabase} AND l.relation = $1::regclass
  AND a.xact_start < clock_timestamp() - interval '2 seconds' AND a.backend_type IS DISTINCT FROM 'autovacuum worker'
ORDER BY a.xact_start LIMIT 1`
