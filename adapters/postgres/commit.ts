import type { PgConnection, Result } from "@effect/sql-pg/PgConnection"
import { Data, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql"
import { Conflict, conditionalRows, type StoreService, Taken, type Write } from "../../domain/ports/store.ts"
import { type AnyTable, indexes } from "../../domain/ports/table.ts"
import { isStorableWhere } from "../../domain/storage/query-checks.ts"
import { indexName } from "./columns.ts"
import type { Database } from "./database.ts"
import { constraintOf, isConflict, isUnavailable } from "./faults.ts"
import type { Sql, TableSql } from "./table-sql.ts"

type SqlOf = (table: AnyTable) => TableSql

interface Step extends Sql {
  readonly table: AnyTable
  /** Whether the commit fails with `Conflict` when the statement matches no row. */
  readonly mustMatch: boolean
}

/** The method `commit`: a single statement where one is enough, otherwise a transaction in one packet. */
export const make = (tables: ReadonlyArray<AnyTable>, sqlOf: SqlOf, database: Database["Service"]): StoreService["commit"] => {
  const toPortError = makeErrorMapping(tables)
  const locks = makeLocks(tables, sqlOf)

  const runSingle = ({ text, values, table, mustMatch }: Step) =>
    database
      .withCommit((connection) => connection.query(text, values))
      .pipe(
        Effect.catch((error) => toPortError(table, error)),
        Effect.flatMap(({ rowCount }) => (mustMatch && rowCount === 0 ? Effect.fail(new Conflict({ table: table.name })) : Effect.void)),
      )

  const runTransaction = (steps: ReadonlyArray<Step>) =>
    Effect.catch(transact(database, steps), (error) =>
      error instanceof StatementFailed ? toPortError(error.table, error.error) : Effect.die(error),
    )

  return (writes) =>
    Effect.suspend(() => {
      const single = insertUnderCheck(sqlOf, writes)
      if (single !== undefined) return runSingle(single)
      const steps: Array<Step> = []
      for (const write of writes) {
        const stepsOfWrite = stepsOf(sqlOf, write)
        if (stepsOfWrite instanceof Conflict) return Effect.fail(stepsOfWrite)
        steps.push(...stepsOfWrite)
      }
      if (steps.length === 0) return Effect.void
      return steps.length === 1 ? runSingle(steps[0]!) : Effect.asVoid(runTransaction([...locks(writes), ...steps]))
    })
}

/** Runs statements that remove rows of a table, in one transaction. Returns the result of the last one. */
export const removeInTransaction = (database: Database["Service"], table: AnyTable, statements: ReadonlyArray<Sql>) =>
  Effect.map(Effect.orDie(transact(database, removalSteps(table, statements, false))), (results) => results.at(-1)!)

/** Maps a write's error to `Taken` or `Conflict`; any other error is a defect. */
const makeErrorMapping = (tables: ReadonlyArray<AnyTable>) => {
  const uniques = new Map(tables.flatMap(uniqueFields))
  return (table: AnyTable, error: SqlError.SqlError): Effect.Effect<never, Taken | Conflict> => {
    if (isConflict(error)) return Effect.fail(new Conflict({ table: table.name }))
    // Each partition has its own constraint, and of a partitioned table only the key is unique.
    const unique = uniques.get(constraintOf(error)) ?? (table.isByMonth ? { table: table.name, field: table.key } : undefined)
    const taken = error.reason._tag === "UniqueViolation" ? unique : undefined
    return taken === undefined ? Effect.die(error) : Effect.fail(new Taken(taken))
  }
}

/** For the name of each unique index: its table and first field. */
const uniqueFields = (table: AnyTable) => [
  [indexName(table, [], "pkey"), { table: table.name, field: table.key }] as const,
  ...indexes(table)
    .filter(({ unique }) => unique)
    .map(({ fields }) => [indexName(table, fields, "key"), { table: table.name, field: fields[0]! }] as const),
]

/**
 * Commits lock their conditional rows in the same order, so that they wait for one another instead of deadlocking.
 * It is the order of the tables: referenced tables come first, as they do when a removal locks rows and their dependants.
 */
const makeLocks = (tables: ReadonlyArray<AnyTable>, sqlOf: SqlOf) => {
  const ranks = new Map(tables.map(({ name }, rank) => [name, String(rank).padStart(4, "0")]))
  return (writes: ReadonlyArray<Write>): ReadonlyArray<Step> => {
    const rows = conditionalRows(writes)
    if (rows.length < 2) return []
    return rows
      .map(({ table, key, expected, isCheck }) => {
        const locked = isCheck ? sqlOf(table).check(key, expected) : sqlOf(table).lock(key)
        return { place: `${ranks.get(table.name)}\0${String(key)}`, step: { ...locked, table, mustMatch: isCheck } }
      })
      .sort((left, right) => (left.place < right.place ? -1 : 1))
      .map(({ step }) => step)
  }
}

/** A `check` and one `insert`, as a sign-in commits them: one statement instead of a transaction. */
const insertUnderCheck = (sqlOf: SqlOf, [check, insert, ...others]: ReadonlyArray<Write>): Step | undefined => {
  if (check?._tag !== "check" || insert?._tag !== "insert" || others.length > 0 || !isStorableWhere({ key: check.key })) return undefined
  const { table } = insert
  return { ...sqlOf(table).insertUnder(sqlOf(check.table).check(check.key, check.expected), insert.row), table, mustMatch: true }
}

const stepsOf = (sqlOf: SqlOf, write: Write): ReadonlyArray<Step> | Conflict => {
  const { table } = write
  const sql = sqlOf(table)
  if ("row" in write) return [{ ...sql.write(write), table, mustMatch: "expected" in write }]
  if (write._tag === "removeAll") return isStorableWhere(write.where) ? removalSteps(table, sql.removeAll(write.where), false) : []
  if (write._tag === "removeEach") {
    const keys = write.keys.filter((key) => isStorableWhere({ key }))
    return keys.length === 0 ? [] : removalSteps(table, sql.removeEach(keys), false)
  }
  if (!isStorableWhere({ key: write.key })) return write.expected === undefined ? [] : new Conflict({ table: table.name })
  if (write._tag === "check") return [{ ...sql.check(write.key, write.expected), table, mustMatch: true }]
  if (write._tag === "detach") return [{ ...sql.detach(write.key, write.expected), table, mustMatch: true }]
  return removalSteps(table, sql.remove(write.key, write.expected), write.expected !== undefined)
}

/** The last of the statements removes the row itself; only it can conflict. */
const removalSteps = (table: AnyTable, statements: ReadonlyArray<Sql>, mustMatch: boolean): ReadonlyArray<Step> =>
  statements.map((statement, at) => ({ ...statement, table, mustMatch: mustMatch && at === statements.length - 1 }))

const transact = (database: Database["Service"], steps: ReadonlyArray<Step>) =>
  database.withExclusive((connection) => transaction(connection, steps))

const begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

/**
 * Sends all statements at once: the server runs them in order; after a failed one it rejects the rest and turns COMMIT into ROLLBACK. A
 * condition that matches no row therefore has to raise an error. All values are encoded first: otherwise a value that cannot be encoded
 * would leave out its statement. BEGIN and COMMIT are never prepared: if a connection pooler lost the prepared name, the statements would
 * run without a transaction.
 */
const transaction = Effect.fnUntraced(function* runTransaction(connection: PgConnection, steps: ReadonlyArray<Step>) {
  const results = yield* pipelined([
    connection.query(begin, [], false),
    ...steps.map(({ text, values, mustMatch }) => connection.query(mustMatch ? failingWhenEmpty(text) : text, values)),
    connection.query("COMMIT", [], false),
  ])
  const failed = results.findIndex(Exit.isFailure)
  if (failed < 0) return results.slice(1, -1).map((result) => (result as Exit.Success<Result>).value)
  const error = yield* Effect.flip(results[failed] as Exit.Failure<Result, SqlError.SqlError>)
  const step = steps[failed - 1]
  const committed = results.at(-1)!
  if (Exit.isSuccess(committed) && committed.value.command === "COMMIT") return yield* Effect.die(error)
  return yield* step === undefined || isUnavailable(error) ? Effect.fail(error) : new StatementFailed({ table: step.table, error })
})

const pipelined = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) => Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })

/** The statement, changed to raise a division by zero when it matches no row. */
const failingWhenEmpty = (text: string) => {
  const met = text.startsWith("SELECT") ? text : `${text} RETURNING 1`
  return `WITH met AS MATERIALIZED (${met}) SELECT 1 / count(*) FROM met`
}

/** The statement that failed and rolled the transaction back. */
class StatementFailed extends Data.TaggedError("StatementFailed")<{ readonly table: AnyTable; readonly error: SqlError.SqlError }> {}
