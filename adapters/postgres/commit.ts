import type { PgConnection, Result } from "@effect/sql-pg/PgConnection"
import { Data, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql"
import type { StoreService, Write } from "../../domain/ports/store.ts"
import { Conflict, conditional, Taken } from "../../domain/ports/store.ts"
import { isAnswerable } from "../../domain/storage/store-question.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import { indexes } from "../../domain/storage/table.ts"
import { indexName } from "./columns.ts"
import type { Database } from "./database.ts"
import { constraintOf, isConflict, isUnavailable } from "./faults.ts"
import type { Sql, TableSql } from "./table-sql.ts"

type SqlOf = (table: AnyTable) => TableSql

/** One statement of a commit. */
interface Step extends Sql {
  readonly table: AnyTable
  /** Whether it has to meet a row. */
  readonly must: boolean
}

/** The verb `commit`: a single statement where one will do, else a transaction in one packet. */
export const make = (tables: ReadonlyArray<AnyTable>, of: SqlOf, database: Database["Service"]): StoreService["commit"] => {
  const refusal = makeRefusal(tables)
  const locks = makeLocks(tables, of)

  const alone = ({ text, values, table, must }: Step) =>
    database
      .share((connection) => connection.query(text, values))
      .pipe(
        Effect.catch((error) => refusal(table, error)),
        Effect.flatMap(({ rowCount }) => (must && rowCount === 0 ? Effect.fail(new Conflict({ table: table.name })) : Effect.void)),
      )

  const together = (steps: ReadonlyArray<Step>) =>
    Effect.catch(transact(database, steps), (error) => (error instanceof Refused ? refusal(error.table, error.error) : Effect.die(error)))

  return (writes) =>
    Effect.suspend(() => {
      const single = insertUnderCheck(of, writes)
      if (single !== undefined) return alone(single)
      const all: Array<Step> = []
      for (const write of writes) {
        const made = stepsOf(of, write)
        if (made instanceof Conflict) return Effect.fail(made)
        all.push(...made)
      }
      if (all.length === 0) return Effect.void
      return all.length === 1 ? alone(all[0]!) : Effect.asVoid(together([...locks(writes), ...all]))
    })
}

/** Runs statements that remove rows of a table; what the last one answers. */
export const removing = (database: Database["Service"], table: AnyTable, statements: ReadonlyArray<Sql>) =>
  Effect.map(Effect.orDie(transact(database, last(table, statements, false))), (results) => results.at(-1)!)

/** What the port calls a fault of a write; anything else is nobody's to answer. */
const makeRefusal = (tables: ReadonlyArray<AnyTable>) => {
  const uniques = new Map(tables.flatMap(uniqueFields))
  return (table: AnyTable, error: SqlError.SqlError): Effect.Effect<never, Taken | Conflict> => {
    if (isConflict(error)) return Effect.fail(new Conflict({ table: table.name }))
    const taken = error.reason._tag === "UniqueViolation" ? uniques.get(constraintOf(error)) : undefined
    return taken === undefined ? Effect.die(error) : Effect.fail(new Taken(taken))
  }
}

/** Which field a unique index holds, by the index's name. */
const uniqueFields = (table: AnyTable) => [
  [indexName(table, [], "pkey"), { table: table.name, field: table.key }] as const,
  ...indexes(table)
    .filter(({ unique }) => unique)
    .map(({ fields }) => [indexName(table, fields, "key"), { table: table.name, field: fields[0]! }] as const),
]

/**
 * Rows that two commits are conditional on are locked in one order by both: they wait for one another instead of meeting head-on.
 * It is the order of the tables, in which what is referenced comes first, as it does where a removal locks what it takes along.
 */
const makeLocks = (tables: ReadonlyArray<AnyTable>, of: SqlOf) => {
  const ranks = new Map(tables.map(({ name }, rank) => [name, String(rank).padStart(4, "0")]))
  return (writes: ReadonlyArray<Write>): ReadonlyArray<Step> => {
    const rows = conditional(writes)
    if (rows.length < 2) return []
    return rows
      .map(({ table, key, expected, isCheck }) => {
        const locked = isCheck ? of(table).check(key, expected) : of(table).lock(key)
        return { place: `${ranks.get(table.name)}\0${String(key)}`, step: { ...locked, table, must: isCheck } }
      })
      .sort((left, right) => (left.place < right.place ? -1 : 1))
      .map(({ step }) => step)
  }
}

/** What signing in commits: it need not be framed by a transaction of several statements. */
const insertUnderCheck = (of: SqlOf, [check, insert, ...others]: ReadonlyArray<Write>): Step | undefined => {
  if (check?._tag !== "check" || insert?._tag !== "insert" || others.length > 0 || !isAnswerable({ key: check.key })) return undefined
  const { table } = insert
  return { ...of(table).insertUnder(of(check.table).check(check.key, check.expected), insert.row), table, must: true }
}

const stepsOf = (of: SqlOf, write: Write): ReadonlyArray<Step> | Conflict => {
  const { table } = write
  const sql = of(table)
  if ("row" in write) return [{ ...sql.write(write), table, must: "expected" in write }]
  if (write._tag === "removeAll") return isAnswerable(write.where) ? last(table, sql.removeAll(write.where), false) : []
  if (write._tag === "removeEach") {
    const keys = write.keys.filter((key) => isAnswerable({ key }))
    return keys.length === 0 ? [] : last(table, sql.removeEach(keys), false)
  }
  if (!isAnswerable({ key: write.key })) return write.expected === undefined ? [] : new Conflict({ table: table.name })
  if (write._tag === "check") return [{ ...sql.check(write.key, write.expected), table, must: true }]
  if (write._tag === "detach") return [{ ...sql.detach(write.key, write.expected), table, must: true }]
  return last(table, sql.remove(write.key, write.expected), write.expected !== undefined)
}

/** Of several statements that remove, the last removes the row itself. */
const last = (table: AnyTable, statements: ReadonlyArray<Sql>, must: boolean): ReadonlyArray<Step> =>
  statements.map((statement, at) => ({ ...statement, table, must: must && at === statements.length - 1 }))

const transact = (database: Database["Service"], steps: ReadonlyArray<Step>) => database.own((connection) => transaction(connection, steps))

const begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

/**
 * All statements in one go: the server runs them in order, and after one that raises it refuses the rest and turns
 * COMMIT into ROLLBACK. So a condition that is not met has to raise. Values were encoded before, so that none can stay behind.
 * The frame is never prepared: a name that a connection pooler has forgotten would let the statements run without it.
 */
const transaction = Effect.fnUntraced(function* runTransaction(connection: PgConnection, steps: ReadonlyArray<Step>) {
  const results = yield* atOnce([
    connection.query(begin, [], false),
    ...steps.map(({ text, values, must }) => connection.query(must ? raising(text) : text, values)),
    connection.query("COMMIT", [], false),
  ])
  const failed = results.findIndex(Exit.isFailure)
  if (failed < 0) return results.slice(1, -1).map((result) => (result as Exit.Success<Result>).value)
  const error = yield* Effect.flip(results[failed] as Exit.Failure<Result, SqlError.SqlError>)
  const step = steps[failed - 1]
  const last = results.at(-1)!
  if (Exit.isSuccess(last) && last.value.command === "COMMIT") return yield* Effect.die(error)
  return yield* step === undefined || isUnavailable(error) ? Effect.fail(error) : new Refused({ table: step.table, error })
})

const atOnce = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) => Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })

/** Divides by zero where a statement meets no row. */
const raising = (text: string) => {
  const met = text.startsWith("SELECT") ? text : `${text} RETURNING 1`
  return `WITH met AS MATERIALIZED (${met}) SELECT 1 / count(*) FROM met`
}

/** The statement that ended a transaction. */
class Refused extends Data.TaggedError("Refused")<{ readonly table: AnyTable; readonly error: SqlError.SqlError }> {}
