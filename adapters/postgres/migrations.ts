import type { PgConnection, Row } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { revisionSequence } from "./columns.ts"
import { Database } from "./database.ts"
import { codeOf, constraintOf, isUnavailable } from "./faults.ts"
import type { Catalog, Change } from "./schema.ts"
import { changes, sequence, undeclared } from "./schema.ts"

/** The changes that the database needs, and the rights that the role needs, without making them. */
export const plan = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection) =>
    Effect.gen(function* () {
      const planned = changes(tables, yield* readCatalog(connection))
      const names = tables.map(({ name }) => name)
      const { rows } = yield* connection.query(missingRightsSql, [[...names, revisionSequence]])
      return [...planned, ...rows.map(grant)]
    }),
  )

/** Tables that Sallyport created and that no module declares any more, since the module is off or removed. */
export const unused = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection) => Effect.map(readCatalog(connection), (catalog) => undeclared(tables, catalog)))

/**
 * Creates what the declared tables need and returns the statements that were run: all, or none.
 * Instances that start at the same time migrate one after another; only the first one finds changes to make.
 */
export const migrate = (
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<ReadonlyArray<string>, DatabaseRefused | StoreUnavailable, Database> =>
  withConnection((connection) =>
    Effect.gen(function* () {
      yield* connection.query("BEGIN ISOLATION LEVEL READ COMMITTED")
      yield* connection.query(lock)
      const catalog = yield* readCatalog(connection)
      const planned = changes(tables, catalog)
      const refused = planned.find(({ refusal }) => refusal !== undefined)
      if (refused?.refusal !== undefined) return yield* new DatabaseRefused({ reason: refused.refusal, statement: refused.statement })
      const statements = [...(catalog.sequence ? [] : [sequence]), ...planned.map(({ statement }) => statement)]
      if (statements.length > 0) yield* Effect.catch(connection.query(asOneBlock(statements), [], false), refuseDuplicates(planned))
      yield* connection.query("COMMIT")
      return statements
    }).pipe(Effect.tapError(() => Effect.ignore(connection.query("ROLLBACK")))),
  )

/** A lock for each schema, so that services in several schemas of one database do not wait for one another. */
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('sallyport ' || current_schema(), 0))"

/** One round trip for all statements. */
const asOneBlock = (statements: ReadonlyArray<string>) => `DO $sallyport$ BEGIN ${statements.join("; ")}; END $sallyport$`

const withConnection = <A, E>(use: (connection: PgConnection) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    return yield* use(yield* (yield* Database).connect)
  }).pipe(
    Effect.scoped,
    Effect.catchIf(isUnavailable, (cause) => Effect.fail(new StoreUnavailable({ cause }))),
    Effect.catchTag("SqlError", Effect.die),
  )

/** Existing rows may violate a new unique index. */
const refuseDuplicates =
  (planned: ReadonlyArray<Change>) =>
  (error: SqlError.SqlError): Effect.Effect<never, SqlError.SqlError | DatabaseRefused> => {
    const index = planned.find(({ creates }) => creates === constraintOf(error))
    if (codeOf(error) !== "23505" || index === undefined) return Effect.fail(error)
    return Effect.fail(
      new DatabaseRefused({ reason: "Rows have equal values in a column that must be unique", statement: index.statement }),
    )
  }

const readCatalog = (connection: PgConnection): Effect.Effect<Catalog, SqlError.SqlError> =>
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
  hasDefault: row["filled"] === true,
})

const index = (row: Row) => ({
  table: String(row["table"]),
  name: String(row["name"]),
  fields: row["fields"] as ReadonlyArray<string>,
  unique: row["unique"] === true,
  primary: row["primary"] === true,
  isComplete: row["whole"] === true,
})

/** Without the right, requests fail. Only the owner of the table can grant it. */
const grant = ({ table, role, rights }: Row): Change => ({
  statement: `GRANT ${rights} ON ${table} TO ${role}`,
  refusal: `The role ${role} lacks rights on ${table}`,
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

const missingRightsSql = `
SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || quote_ident(c.relname) AS "table", quote_ident(current_user) AS role,
  string_agg(r.name, ', ' ORDER BY r.name) AS rights
FROM pg_class c CROSS JOIN unnest(CASE c.relkind WHEN 'S' THEN ARRAY['USAGE'] ELSE ARRAY['DELETE', 'INSERT', 'SELECT', 'UPDATE'] END) r (name)
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'S') AND c.relname = ANY($1::text[])
  AND NOT CASE c.relkind WHEN 'S' THEN has_sequence_privilege(c.oid, r.name) ELSE has_table_privilege(c.oid, r.name) END
GROUP BY c.relname, c.relkind ORDER BY c.relname`

const sequencesSql = `SELECT 1 FROM pg_class WHERE relkind = 'S' AND relname = 'sallyport_revision' AND relnamespace = current_schema()::regnamespace`
