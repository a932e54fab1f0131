import type { Row } from "@effect/sql-pg/PgConnection"
import { Cause, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { qualified, quote } from "./columns.ts"
import type { Database } from "./database.ts"
import type { Partition } from "./schema/partitions.ts"
import { freeOf, isClosed, monthsAhead, otherOf, rangeOf, spread, statements } from "./schema/partitions.ts"
import type { TableRows } from "./table-rows.ts"
import { lockTimeout, userOf } from "./table-users.ts"

/** A month, in milliseconds. If all rows of a partition expire within it, they are left until the partition can be dropped. */
const width = 31 * 86_400_000

/** How many rows of a partition show how many have expired. */
const samples = 100

/** Removes expired rows of a table: of a partitioned one, whole partitions where possible. Returns how many were removed one by one. */
export const sweepByMonth = (
  database: Database["Service"],
  { table, name, key }: Pick<TableRows, "table" | "name" | "key">,
  removeDue: (name: string, now: Date, limit: number) => Effect.Effect<number>,
) => {
  const { schema, isAlone } = database
  const make = statements(table, schema)
  const [id, expiry] = [quote(key.name), quote(table.expires ?? "")]

  const query = (text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.orDie(
      Effect.map(
        database.withShared((connection) => connection.query(text, values, false)),
        ({ rows }) => rows,
      ),
    )

  /** The first and the last expiry in each partition, each by its index. */
  const extents = (partitions: ReadonlyArray<Partition>) =>
    query(
      partitions
        .map(({ name }, at) => `SELECT ${at} AS at, min(${expiry}) AS first, max(${expiry}) AS last FROM ${qualified(schema, name)}`)
        .join(" UNION ALL "),
    )

  /** When the next row of a partition expires, and whether most of its rows have expired. */
  const expired = (partition: Partition, now: Date) => {
    const from = qualified(schema, partition.name)
    const range = rangeOf(partition)
    const text = `
      SELECT (SELECT min(${expiry}) FROM ${from} WHERE ${expiry} > $1) AS next, count(*) FILTER (WHERE e.at <= $1) * 2 > count(*) AS most
      FROM unnest($2::text[]) v (id) CROSS JOIN LATERAL (SELECT ${expiry} AS at FROM ${from} WHERE ${id} >= v.id ORDER BY ${id} LIMIT 1) e`
    return Effect.map(query(text, [now, range === undefined ? [] : spread(range, samples)]), ([row]) => ({
      next: row?.["next"] as Date,
      most: row?.["most"] === true,
    }))
  }

  /** Changes partitions in a transaction, unless another process does, or another transaction uses the table. */
  const change = (all: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const connection = yield* database.connect
      yield* connection.query("BEGIN ISOLATION LEVEL READ COMMITTED", [], false)
      return yield* Effect.gen(function* () {
        const { rows } = yield* connection.query(lock, [name])
        const user = yield* userOf(connection, name)
        if (user !== undefined) yield* Effect.logWarning(`The partitions of ${table.name} wait ${user}.`)
        const isFree = rows[0]?.["first"] === true && user === undefined
        yield* connection.query(`SET LOCAL lock_timeout = '${lockTimeout}'`, [], false)
        if (isFree) for (const statement of all) yield* connection.query(statement, [], false)
        yield* connection.query("COMMIT", [], false)
        return isFree
      }).pipe(Effect.tapError(() => Effect.ignore(connection.query("ROLLBACK", [], false))))
    }).pipe(Effect.scoped, tryingAgain)

  const validate = (statement: string) =>
    database.connect.pipe(
      Effect.flatMap((connection) => connection.query(statement, [], false)),
      Effect.as(true),
      Effect.scoped,
      tryingAgain,
    )

  /** The next round makes the change. */
  const tryingAgain = Effect.catch((error: SqlError.SqlError) =>
    Effect.as(
      Effect.logWarning(`The partitions of ${table.name} could not be changed; trying again in a minute.`, Cause.fail(error)),
      false,
    ),
  )

  const makeAhead = Effect.fnUntraced(function* makeAhead(
    partitions: ReadonlyArray<Partition>,
    reserved: ReadonlyArray<string>,
    now: Date,
  ) {
    const months = monthsAhead(table, now).filter((month) => !partitions.some(({ name }) => name === month.name))
    const kept = new Set([...partitions, ...months].map(({ name }) => freeOf(name)))
    // Rows of such a month could not be stored.
    const stale = reserved.filter((constraint) => !kept.has(constraint)).map((constraint) => constraint.slice(0, -freeOf("").length))
    if (stale.length > 0) yield* change(stale.map(make.released))
    for (const month of months) {
      if (!(yield* change(make.reserved(month)))) return
      if (yield* validate(make.validated(month))) yield* change(make.added(month))
    }
  })

  /** Removes what has expired in one partition. */
  const sweepOne = Effect.fnUntraced(function* sweepPartition(partition: Partition, { first, last }: Row, now: Date, limit: number) {
    const range = rangeOf(partition)
    const closed = range !== undefined && isClosed(partition, now)
    const end = (last as Date | null)?.getTime() ?? 0
    if (closed && end <= now.getTime()) {
      if (yield* change(make.dropped(partition.name, now)))
        yield* Effect.logInfo(`The partition ${partition.name} has expired and was dropped.`)
      return 0
    }
    if (first === null || (first as Date).getTime() > now.getTime()) return 0
    if (range !== undefined) {
      if (end <= now.getTime() + width) return 0
      const { next, most } = yield* expired(partition, now)
      if (next.getTime() <= now.getTime() + width) return 0
      if (closed && most) {
        yield* change(make.rewritten(partition.name, range, now))
        return 0
      }
    }
    return yield* removeDue(qualified(schema, partition.name), now, limit)
  })

  return (now: Date, limit: number) =>
    Effect.gen(function* () {
      const rows = isAlone ? [] : yield* query(partitionsSql, [name, qualified(schema, otherOf(table))])
      // Only the owner of the table can change its partitions.
      if (rows.length === 0) return yield* removeDue(name, now, limit)
      const partitions = rows.map((row) => ({ name: String(row["name"]), bound: String(row["bound"]) }))
      yield* makeAhead(partitions, rows[0]!["reserved"] as ReadonlyArray<string>, now)
      const found = yield* extents(partitions)
      const removed = yield* Effect.forEach(partitions, (partition, at) =>
        sweepOne(partition, found.find((row) => Number(row["at"]) === at)!, now, limit),
      )
      return removed.reduce((sum, count) => sum + count, 0)
    })
}

const lock = "SELECT pg_try_advisory_xact_lock(hashtextextended('sallyport partitions ' || $1, 0)) AS first"

const partitionsSql = `
SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bound,
  ARRAY(SELECT conname::text FROM pg_constraint WHERE conrelid = to_regclass($2) AND conname LIKE '%\\_\\_free') AS reserved
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
WHERE p.oid = to_regclass($1) AND p.relkind = 'p' AND pg_has_role(p.relowner, 'USAGE') ORDER BY c.relname`
