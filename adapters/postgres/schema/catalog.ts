import type { PgConnection, Row } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { revisionSequence } from "../columns.ts"
import type { Database } from "../database.ts"
import type { Catalog } from "./model.ts"
import { versionIn } from "./schema.ts"

/** What the schema contains. */
export const readCatalog = (
  connection: PgConnection,
  { schema, isPartitioned }: Pick<Database["Service"], "schema" | "isPartitioned">,
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<Catalog, SqlError.SqlError> =>
  Effect.gen(function* () {
    const schemas = yield* connection.query(schemaSql, [schema ?? null])
    const name = String(schemas.rows[0]?.["name"] ?? "")
    const columns = yield* connection.query(columnsSql, [name])
    const indexes = yield* connection.query(indexesSql, [name])
    const sequences = yield* connection.query(sequencesSql, [name])
    const sizes = yield* connection.query(sizesSql, [name])
    const partitions = yield* connection.query(partitionsSql, [name])
    const occupants = yield* connection.query(occupantsSql, [name, tables.map((table) => table.name)])
    return {
      name,
      schema,
      isPartitioned,
      exists: schemas.rows[0]?.["exists"] === true,
      columns: columns.rows.map(column),
      indexes: indexes.rows.map(index),
      sequence: sequences.rowCount > 0,
      version: versionIn(String(sequences.rows[0]?.["comment"] ?? "")),
      sizes: new Map(sizes.rows.map(size)),
      partitions: new Map(partitions.rows.map((row) => [String(row["name"]), String(row["table"])])),
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
  isValid: row["valid"] === true,
})

const size = (row: Row) =>
  [String(row["table"]), { rows: Number(row["rows"]), bytes: Number(row["bytes"]), isPartitioned: row["partitioned"] === true }] as const

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
  i.indpred IS NULL AND i.indexprs IS NULL AS whole, i.indisvalid AS valid,
  ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum ORDER BY k.place) AS fields
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid JOIN pg_namespace s ON s.oid = c.relnamespace
WHERE s.nspname = $1::text AND c.relkind IN ('r', 'p')`

const sizesSql = `
SELECT c.relname::text AS "table", c.reltuples::float8 AS rows, pg_table_size(c.oid)::float8 AS bytes, c.relkind = 'p' AS partitioned
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p')`

const partitionsSql = `
SELECT c.relname::text AS name, p.relname::text AS "table"
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace n ON n.oid = p.relnamespace
WHERE n.nspname = $1::text AND p.relkind = 'p' AND c.relkind IN ('r', 'p') ORDER BY c.relname`

const schemaSql = `SELECT s.name, EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = s.name) AS exists
FROM (SELECT coalesce($1::text, current_schema()::text) AS name) s`

const sequencesSql = `SELECT coalesce(obj_description(c.oid, 'pg_class'), '') AS comment FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
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
