import type { PgConnection, Row } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { Database } from "./database.ts"
import { codeOf, constraintOf, isUnavailable } from "./faults.ts"
import type { Change, Found } from "./schema.ts"
import { changes, sequence, undeclared } from "./schema.ts"

/** What stands between the database and the tables, without touching it. */
export const plan = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection) => Effect.map(look(connection), (found) => changes(tables, found)))

/** Tables of ours that are none of these: what modules have left that are off, or gone. */
export const unused = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection) => Effect.map(look(connection), (found) => undeclared(tables, found)))

/**
 * Brings the database up to the tables and returns the statements that were run: all, or none.
 * Several instances may start at once: they go one after another, and only the first finds something to do.
 */
export const migrate = (
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<ReadonlyArray<string>, DatabaseRefused | StoreUnavailable, Database> =>
  withConnection((connection) =>
    Effect.gen(function* () {
      yield* connection.query("BEGIN ISOLATION LEVEL READ COMMITTED")
      yield* connection.query(lock)
      const found = yield* look(connection)
      const planned = changes(tables, found)
      const refused = planned.find(({ refused }) => refused !== undefined)
      if (refused?.refused !== undefined) return yield* new DatabaseRefused({ reason: refused.refused, statement: refused.statement })
      const statements = [...(found.sequence ? [] : [sequence]), ...planned.map(({ statement }) => statement)]
      if (statements.length > 0) yield* Effect.catch(connection.query(together(statements), [], false), duplicates(planned))
      yield* connection.query("COMMIT")
      return statements
    }).pipe(Effect.tapError(() => Effect.ignore(connection.query("ROLLBACK")))),
  )

/** Of the schema, so that services in several schemas of one database do not wait for one another. */
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('sallyport ' || current_schema(), 0))"

/** One round trip for all of them. */
const together = (statements: ReadonlyArray<string>) => `DO $sallyport$ BEGIN ${statements.join("; ")}; END $sallyport$`

const withConnection = <A, E>(use: (connection: PgConnection) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    return yield* use(yield* (yield* Database).connect)
  }).pipe(
    Effect.scoped,
    Effect.catchIf(isUnavailable, (cause) => Effect.fail(new StoreUnavailable({ cause }))),
    Effect.catchTag("SqlError", Effect.die),
  )

/** Rows that are there already may contradict a new unique index. */
const duplicates =
  (planned: ReadonlyArray<Change>) =>
  (error: SqlError.SqlError): Effect.Effect<never, SqlError.SqlError | DatabaseRefused> => {
    const index = planned.find(({ creates }) => creates === constraintOf(error))
    if (codeOf(error) !== "23505" || index === undefined) return Effect.fail(error)
    return Effect.fail(new DatabaseRefused({ reason: "Rows hold the same values where they are to be unique", statement: index.statement }))
  }

const look = (connection: PgConnection): Effect.Effect<Found, SqlError.SqlError> =>
  Effect.gen(function* () {
    const columns = yield* connection.query(columnsSql)
    const indexes = yield* connection.query(indexesSql)
    const sequences = yield* connection.query(sequencesSql)
    return { columns: columns.rows.map(column), indexes: indexes.rows.map(index), sequence: sequences.rowCount > 0 }
  })

const column = (row: Row) => ({
  table: String(row["table"]),
  name: String(row["name"]),
  type: `${row["type"]}${row["collation"] === null ? "" : ` COLLATE "${row["collation"]}"`}`,
  nullable: row["nullable"] === true,
  filled: row["filled"] === true,
})

const index = (row: Row) => ({
  table: String(row["table"]),
  name: String(row["name"]),
  fields: row["fields"] as ReadonlyArray<string>,
  unique: row["unique"] === true,
  primary: row["primary"] === true,
  whole: row["whole"] === true,
})

const columnsSql = `
SELECT c.relname::text AS "table", a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type, l.collname::text AS collation,
  NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS filled
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_collation l ON l.oid = a.attcollation
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname, a.attnum`

const indexesSql = `
SELECT c.relname::text AS "table", n.relname::text AS name, i.indisunique AS unique, i.indisprimary AS primary,
  i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AS whole,
  ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum ORDER BY k.place) AS fields
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`

const sequencesSql = `SELECT 1 FROM pg_class WHERE relkind = 'S' AND relname = 'sallyport_revision' AND relnamespace = current_schema()::regnamespace`
