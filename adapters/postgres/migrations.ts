import type { PgConnection, Row } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { quote, revisionSequence } from "./columns.ts"
import { Database } from "./database.ts"
import { codeOf, constraintOf, isRefused, isUnavailable } from "./faults.ts"
import type { Catalog, Change } from "./schema.ts"
import { changes, groundwork, occupied, undeclared } from "./schema.ts"

/** The changes that the database needs, and the rights that the role needs, without making them. */
export const plan = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection, schema) =>
    Effect.gen(function* () {
      const catalog = yield* readCatalog(connection, schema, tables)
      const planned = yield* changesOf(tables, catalog)
      const names = tables.map(({ name }) => name)
      const { rows } = yield* connection.query(missingRightsSql, [catalog.name, [...names, revisionSequence]])
      return [...planned, ...rows.map((row) => grant(schema, row))]
    }),
  )

/** Fails if a name of a table is in use. */
const changesOf = (tables: ReadonlyArray<AnyTable>, catalog: Catalog) => {
  const reason = occupied(catalog)
  return reason === undefined ? Effect.succeed(changes(tables, catalog)) : new DatabaseRefused({ reason })
}

/** Tables that Sallyport created and that no module declares any more, since the module is off or removed. */
export const unused = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection, schema) => Effect.map(readCatalog(connection, schema, tables), (catalog) => undeclared(tables, catalog)))

/**
 * Creates what the declared tables need and returns the statements that were run: all, or none.
 * Instances that start at the same time migrate one after another; only the first one finds changes to make.
 */
export const migrate = (
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<ReadonlyArray<string>, DatabaseRefused | StoreUnavailable, Database> =>
  withConnection((connection, schema) =>
    Effect.gen(function* () {
      yield* connection.query("BEGIN ISOLATION LEVEL READ COMMITTED")
      yield* connection.query(lock, [schema ?? null])
      const catalog = yield* readCatalog(connection, schema, tables)
      const planned = yield* changesOf(tables, catalog)
      const refused = planned.find(({ refusal }) => refusal !== undefined)
      if (refused?.refusal !== undefined) return yield* new DatabaseRefused({ reason: refused.refusal, statement: refused.statement })
      const statements = [...groundwork(catalog), ...planned.map(({ statement }) => statement)]
      if (statements.length > 0) yield* Effect.catch(connection.query(asOneBlock(statements), [], false), refuseDuplicates(planned))
      yield* connection.query("COMMIT")
      return statements
    }).pipe(Effect.tapError(() => Effect.ignore(connection.query("ROLLBACK")))),
  )

/** A lock for each schema, so that services in several schemas of one database do not wait for one another. */
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('sallyport ' || coalesce($1::text, current_schema()), 0))"

/** One round trip for all statements. */
const asOneBlock = (statements: ReadonlyArray<string>) => `DO $sallyport$ BEGIN ${statements.join("; ")}; END $sallyport$`

const withConnection = <A, E>(use: (connection: PgConnection, schema: string | undefined) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const { connect, schema } = yield* Database
    return yield* use(yield* connect, schema)
  }).pipe(
    Effect.scoped,
    Effect.catchIf(
      (error) => isUnavailable(error) || isRefused(error),
      (cause) => Effect.fail(new StoreUnavailable({ cause, isFinal: isRefused(cause) })),
    ),
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

const readCatalog = (
  connection: PgConnection,
  schema: string | undefined,
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<Catalog, SqlError.SqlError> =>
  Effect.gen(function* () {
    const schemas = yield* connection.query(schemaSql, [schema ?? null])
    const name = String(schemas.rows[0]?.["name"] ?? "")
    const columns = yield* connection.query(columnsSql, [name])
    const indexes = yield* connection.query(indexesSql, [name])
    const sequences = yield* connection.query(sequencesSql, [name])
    const occupants = yield* connection.query(occupantsSql, [name, tables.map((table) => table.name)])
    return {
      name,
      schema,
      exists: schemas.rows[0]?.["exists"] === true,
      columns: columns.rows.map(column),
      indexes: indexes.rows.map(index),
      sequence: sequences.rowCount > 0,
      occupants: occupants.rows.map((row) => ({ name: String(row["name"]), kind: String(row["kind"]) })),
    }
  })

const column = (row: Row) => ({
  table: String(row["table"]),
  name: String(row["name"]),
  type: `${row["type"]}${row["collation"] === null ? "" : ` COLLATE "${row["collation"]}"`}`,
  nullable: row["nullable"] === true,
  hasDefault: row["filled"] === true,
  isRevision: row["revision"] === true,
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
const grant = (schema: string | undefined, { kind, name, role, rights }: Row): Change => {
  const named = schema === undefined || kind === "SCHEMA" ? name : `${quote(schema)}.${name}`
  const object = kind === "" ? named : `${kind} ${named}`
  return { statement: `GRANT ${rights} ON ${object} TO ${role}`, refusal: `The role ${role} lacks rights on ${object}` }
}

const columnsSql = `
SELECT c.relname::text AS "table", a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type, l.collname::text AS collation,
  NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS filled,
  coalesce(pg_get_expr(d.adbin, d.adrelid) ~ '^nextval\\(.*\\m${revisionSequence}\\M', false) AS revision
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  LEFT JOIN pg_collation l ON l.oid = a.attcollation LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname, a.attnum`

const indexesSql = `
SELECT c.relname::text AS "table", n.relname::text AS name, i.indisunique AS unique, i.indisprimary AS primary,
  i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AS whole,
  ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum ORDER BY k.place) AS fields
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid JOIN pg_namespace s ON s.oid = c.relnamespace
WHERE s.nspname = $1::text AND c.relkind IN ('r', 'p')`

/** Where the role cannot use the schema, its rights on tables have no effect. */
const missingRightsSql = `
SELECT o.kind, quote_ident(o.name) AS name, quote_ident(current_user) AS role, string_agg(r.name, ', ' ORDER BY r.name) AS rights
FROM (
  SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE '' END AS kind, c.oid, c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p', 'S') AND c.relname = ANY($2::text[])
  UNION ALL SELECT 'SCHEMA', oid, nspname::text FROM pg_namespace WHERE nspname = $1::text
) o CROSS JOIN unnest(CASE o.kind WHEN '' THEN ARRAY['DELETE', 'INSERT', 'SELECT', 'UPDATE'] ELSE ARRAY['USAGE'] END) r (name)
WHERE NOT CASE o.kind WHEN 'SCHEMA' THEN has_schema_privilege(o.oid, r.name) WHEN 'SEQUENCE' THEN has_sequence_privilege(o.oid, r.name)
  ELSE has_table_privilege(o.oid, r.name) END
GROUP BY o.kind, o.name ORDER BY o.kind = 'SCHEMA' DESC, o.name`

const schemaSql = `SELECT s.name, EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = s.name) AS exists
FROM (SELECT coalesce($1::text, current_schema()::text) AS name) s`

const sequencesSql = `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'S' AND c.relname = '${revisionSequence}' AND n.nspname = $1::text`

/** A table needs its name among the relations and among the types of its schema. */
const occupantsSql = `
SELECT c.relname::text AS name, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'f' THEN 'table' WHEN 'S' THEN 'sequence' WHEN 'c' THEN 'type' WHEN 'i' THEN 'index' WHEN 'I' THEN 'index'
  ELSE 'view' END AS kind
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1::text AND c.relname = ANY($2::text[])
UNION ALL
SELECT t.typname::text, 'type' FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE n.nspname = $1::text AND t.typname = ANY($2::text[]) AND t.typrelid = 0
ORDER BY name`
