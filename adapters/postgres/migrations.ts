import { setTimeout } from "node:timers/promises"
import type { PgConnection, Row } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { refusalOf } from "../../domain/storage/schema-version.ts"
import { DatabaseRefused } from "../database-refused.ts"
import { qualified, quote, revisionSequence } from "./columns.ts"
import { Database } from "./database.ts"
import { codeOf, constraintOf, isRefused, isUnavailable } from "./faults.ts"
import { readCatalog } from "./schema/catalog.ts"
import type { Catalog, Change } from "./schema/model.ts"
import { changes, groundwork, occupied, undeclared } from "./schema/schema.ts"
import { isLockTimeout, lockTimeout, ofThisDatabase, userOf } from "./table-users.ts"

/** The changes that the database needs, and the rights that the role needs, without making them. */
export const plan = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection, database) =>
    Effect.gen(function* () {
      const { schema } = database
      const catalog = yield* readCatalog(connection, database, tables)
      const planned = yield* changesOf(tables, catalog)
      return [...planned, ...(yield* missingRights(connection, schema, tables))]
    }),
  )

/** The rights on existing tables without which requests would fail. */
const missingRights = (connection: PgConnection, schema: string | undefined, tables: ReadonlyArray<AnyTable>) =>
  Effect.map(connection.query(missingRightsSql, [schema ?? null, [...tables.map(({ name }) => name), revisionSequence]]), ({ rows }) =>
    rows.map((row) => grant(schema, row)),
  )

/** Fails if a name of a table is in use, or if the schema is one that this code must not use. */
const changesOf = (tables: ReadonlyArray<AnyTable>, catalog: Catalog) => {
  const reason = refusalOf(catalog.version) ?? occupied(catalog)
  return reason === undefined
    ? Effect.succeed([...groundwork(catalog).map((statement): Change => ({ statement })), ...changes(tables, catalog)])
    : DatabaseRefused.because(reason)
}

/** Tables that Sallyport created and that no module declares any more, since the module is off or removed. */
export const unused = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection, database) => Effect.map(readCatalog(connection, database, tables), (catalog) => undeclared(tables, catalog)))

/** The number of rows of each table. */
export const counts = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection, { schema }) =>
    Effect.forEach(tables, ({ name }) =>
      Effect.map(
        connection.query(`SELECT count(*)::float8 AS rows FROM ${qualified(schema, name)}`, []),
        ({ rows }) => [name, Number(rows[0]?.["rows"])] as const,
      ),
    ),
  )

/**
 * Creates what the declared tables need and returns the statements that were run. The service goes on meanwhile: new tables are made in one
 * transaction, each table in use is changed in a short one of its own, and indexes are built beside reads and writes. Whoever finds a
 * change due makes it, so instances can start at the same time, and a migration that was killed is continued by the next. Fails if the role
 * lacks rights on the tables.
 */
export const migrate = (
  tables: ReadonlyArray<AnyTable>,
): Effect.Effect<ReadonlyArray<string>, DatabaseRefused | StoreUnavailable, Database> =>
  withConnection((connection, database) =>
    Effect.gen(function* () {
      const session = { database, connection, schema: database.schema, tables }
      const made: Array<string> = []
      let waits = 0
      while (true) {
        const { due, wait, isStale = false } = yield* Effect.catchIf(step(session), isLockTimeout, () => busy)
        if (wait === undefined && due.length === 0 && !isStale) break
        made.push(...due)
        waits = wait === undefined ? 0 : waits + 1
        if (wait !== undefined) yield* pause(wait, waits)
      }
      const refused = DatabaseRefused.among(yield* missingRights(connection, database.schema, tables))
      return refused === undefined ? made : yield* refused
    }),
  )

/** Half a second to eight seconds, by the system's clock. */
const pause = (reason: string, count: number) =>
  Effect.andThen(
    Effect.logWarning(`The migration waits ${reason}.`),
    Effect.promise((signal) => setTimeout(Math.min(8000, 250 * 2 ** count), undefined, { signal })),
  )

/** A connection of a migration, and the tables that are declared. */
interface Session {
  readonly database: Database["Service"]
  readonly connection: PgConnection
  readonly schema: string | undefined
  readonly tables: ReadonlyArray<AnyTable>
}

/** The statements that a step has run; none when nothing is due, or when it has to wait for something. */
interface Step {
  readonly due: ReadonlyArray<string>
  /** What the migration waits for. */
  readonly wait?: string
  /** Whether another process made the changes first. */
  readonly isStale?: boolean
}

const busy = Effect.succeed<Step>({ due: [], wait: "for a transaction that uses a table" })

/** Makes the next changes that belong together, in a transaction if they can be in one. */
const step = (session: Session): Effect.Effect<Step, DatabaseRefused | SqlError.SqlError> =>
  Effect.gen(function* () {
    const { connection } = session
    yield* connection.query("BEGIN ISOLATION LEVEL READ COMMITTED")
    yield* connection.query(lock, [session.schema ?? null])
    const planned = yield* plannedIn(session)
    const due = together(planned)
    const locked = due[0]?.locks
    const user = locked === undefined ? undefined : yield* userOf(connection, qualified(session.schema, locked))
    if (user !== undefined) return yield* Effect.as(connection.query("ROLLBACK"), { due: [], wait: user })
    if (due.length > 0) yield* inTransaction(connection, due)
    yield* connection.query("COMMIT")
    if (due.length > 0) return { due: due.map(({ statement }) => statement) }
    return yield* concurrently(session, planned[0])
  }).pipe(Effect.tapError(() => Effect.ignore(session.connection.query("ROLLBACK"))))

/** The changes of the database as it is now. Fails with all refusals. */
const plannedIn = Effect.fnUntraced(function* plannedIn({ database, connection, tables }: Session) {
  const planned = yield* changesOf(tables, yield* readCatalog(connection, database, tables))
  const refused = DatabaseRefused.among(planned)
  return refused === undefined ? planned : yield* refused
})

/** What is new; else the changes of one table in use; else, when nothing is left to build, the version. */
const together = (planned: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  const inTransaction = planned.filter(({ isConcurrent = false, isVersion = false }) => !isConcurrent && !isVersion)
  const created = inTransaction.filter(({ locks }) => locks === undefined)
  const rest = planned.filter((change) => !created.includes(change))
  if (rest.every(({ isVersion = false }) => isVersion)) return planned
  if (created.length > 0) return created
  return inTransaction.filter(({ locks }) => locks === inTransaction[0]?.locks)
}

const inTransaction = (connection: PgConnection, due: ReadonlyArray<Change>) =>
  Effect.andThen(
    connection.query(`SET LOCAL lock_timeout = '${lockTimeout}'`, [], false),
    Effect.catch(connection.query(asOneBlock(due.map(({ statement }) => statement)), [], false), refuseDuplicates(due)),
  )

/** Runs the next statement that cannot be in a transaction, if no other process does: a half-built index would look like one left behind. */
const concurrently = (session: Session, expected: Change | undefined): Effect.Effect<Step, DatabaseRefused | SqlError.SqlError> => {
  if (expected === undefined) return Effect.succeed({ due: [] })
  return Effect.gen(function* () {
    if (!(yield* isFirst(session))) return { due: [], wait: "for another process that migrates" }
    // The build of a process that was killed goes on in the database.
    const built = yield* session.connection.query(beingBuilt, [])
    if (built.rowCount > 0) return { due: [], wait: "for an index that is being built" }
    const [change] = yield* plannedIn(session)
    if (change?.statement !== expected.statement) return { due: [], isStale: true }
    return yield* session.connection.query(change.statement, [], false).pipe(
      Effect.as<Step>({ due: [change.statement] }),
      Effect.catchIf(isMade, () => Effect.succeed<Step>({ due: [], isStale: true })),
      Effect.catch((error) => Effect.andThen(removeInvalid(session, change), refuseDuplicates([change])(error))),
    )
  }).pipe(Effect.scoped)
}

/** Takes the lock for such statements, in a transaction of another connection: those of a pooler keep no lock without one. */
const isFirst = Effect.fnUntraced(function* isFirst({ database: { connect, isAlone }, schema }: Session) {
  if (isAlone) return true
  const connection = yield* connect
  yield* connection.query("BEGIN ISOLATION LEVEL READ COMMITTED")
  const { rows } = yield* connection.query(buildLock, [schema ?? null])
  // Also ends the snapshot of the statement before, for which a build would wait.
  yield* connection.query("SET LOCAL idle_in_transaction_session_timeout = 0", [], false)
  return rows[0]?.["first"] === true
})

/** The index exists, or exists no more. */
const isMade = (error: DatabaseRefused | SqlError.SqlError) =>
  SqlError.isSqlError(error) && ["42P07", "42704"].includes(codeOf(error) ?? "")

/** An index with duplicates stays invalid and would slow down writes. */
const removeInvalid = ({ connection, schema }: Session, { creates }: Change) =>
  creates === undefined
    ? Effect.void
    : Effect.ignore(connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${qualified(schema, creates)}`, [], false))

/** A lock for each schema, so that services in several schemas of one database do not wait for one another. */
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('sallyport ' || coalesce($1::text, current_schema()), 0))"

const buildLock =
  "SELECT pg_try_advisory_xact_lock(hashtextextended('sallyport build ' || coalesce($1::text, current_schema()), 0)) AS first"

/** One round trip for all statements. */
const asOneBlock = (statements: ReadonlyArray<string>) => `DO $sallyport$ BEGIN ${statements.join("; ")}; END $sallyport$`

/** A build holds this lock on its table until it is done, also after its client has been killed. */
const beingBuilt = `
SELECT 1 FROM pg_locks l JOIN pg_index i ON i.indrelid = l.relation
WHERE l.locktype = 'relation' AND ${ofThisDatabase} AND l.mode = 'ShareUpdateExclusiveLock' AND NOT i.indisvalid`

export const withConnection = <A, E>(use: (connection: PgConnection, database: Database["Service"]) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const database = yield* Database
    return yield* use(yield* database.connect, database)
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
    return DatabaseRefused.because("Rows have equal values in a column that must be unique", index.statement)
  }

/** Without the right, requests fail. Only the owner of the table can grant it. */
const grant = (schema: string | undefined, { kind, name, role, rights }: Row): Change => {
  const named = schema === undefined || kind === "SCHEMA" ? name : `${quote(schema)}.${name}`
  const object = kind === "" ? named : `${kind} ${named}`
  return { statement: `GRANT ${rights} ON ${object} TO ${role}`, refusal: `The role ${role} lacks rights on ${object}` }
}

/** Where the role cannot use the schema, its rights on tables have no effect. */
const missingRightsSql = `
SELECT o.kind, quote_ident(o.name) AS name, quote_ident(current_user) AS role, string_agg(r.name, ', ' ORDER BY r.name) AS rights
FROM (
  SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE '' END AS kind, c.oid, c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = coalesce($1::text, current_schema()::text) AND c.relkind IN ('r', 'p', 'S') AND c.relname = ANY($2::text[])
  UNION ALL SELECT 'SCHEMA', oid, nspname::text FROM pg_namespace WHERE nspname = coalesce($1::text, current_schema()::text)
) o CROSS JOIN unnest(CASE o.kind WHEN '' THEN ARRAY['DELETE', 'INSERT', 'SELECT', 'UPDATE'] ELSE ARRAY['USAGE'] END) r (name)
WHERE NOT CASE o.kind WHEN 'SCHEMA' THEN has_schema_privilege(o.oid, r.name) WHEN 'SEQUENCE' THEN has_sequence_privilege(o.oid, r.name)
  ELSE has_table_privilege(o.oid, r.name) END
GROUP BY o.kind, o.name ORDER BY o.kind = 'SCHEMA' DESC, o.name`
