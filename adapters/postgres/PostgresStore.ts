import type { PgConnection, Result } from "@effect/sql-pg/PgConnection"
import { Data, Effect, Exit, Layer, Option } from "effect"
import type { SqlError } from "effect/sql"
import type { StoreService, StoreUnavailable, Write } from "../../application/ports/Store.ts"
import { Conflict, dependants, isStorable, Store, Taken } from "../../application/ports/Store.ts"
import { fault, isAnswerable } from "../../application/ports/StoreQuestion.ts"
import type { AnyTable } from "../../application/Table.ts"
import { indexes } from "../../application/Table.ts"
import { Database } from "./Database.ts"
import { constraintOf, isConflict, isUnavailable } from "./faults.ts"
import type { MigrationRefused } from "./Migrations.ts"
import { migrate } from "./Migrations.ts"
import type { Sql, TableSql } from "./TableSql.ts"
import * as TableSqls from "./TableSql.ts"

/** The Store on PostgreSQL. Brings the tables up to date before the first verb. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, MigrationRefused | StoreUnavailable, Database> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      yield* migrate(tables)
      return make(tables, yield* Database)
    }),
  )

/** One statement of a commit. */
interface Step extends Sql {
  readonly table: AnyTable
  /** Whether it has to meet a row. */
  readonly must: boolean
}

const make = (tables: ReadonlyArray<AnyTable>, database: Database["Service"]) => {
  const sqls = new Map(tables.map((table) => [table.name, TableSqls.make(tables, table)]))
  const uniques = new Map(tables.flatMap((table) => TableSqls.uniqueFields(table, indexes(table))))
  const of = (table: AnyTable): TableSql => {
    const found = sqls.get(table.name)
    if (found === undefined) throw fault(table, "is not declared")
    return found
  }

  const query = ({ text, values }: Sql) => database.share((connection) => connection.queryValues(text, values)).pipe(Effect.orDie)

  /** What the port calls a fault of a write; anything else is nobody's to answer. */
  const refusal = (table: AnyTable, error: SqlError.SqlError): Effect.Effect<never, Taken | Conflict> => {
    if (isConflict(error)) return Effect.fail(new Conflict({ table: table.name }))
    const taken = error.reason._tag === "UniqueViolation" ? uniques.get(constraintOf(error)) : undefined
    return taken === undefined ? Effect.die(error) : Effect.fail(new Taken(taken))
  }

  const alone = (step: Step) =>
    database
      .share((connection) => connection.query(step.text, step.values))
      .pipe(
        Effect.catch((error) => refusal(step.table, error)),
        Effect.flatMap(({ rowCount }) =>
          step.must && rowCount === 0 ? Effect.fail(new Conflict({ table: step.table.name })) : Effect.void,
        ),
      )

  const together = (steps: ReadonlyArray<Step>) =>
    database
      .own((connection) => transaction(connection, steps))
      .pipe(Effect.catch((error) => (error instanceof Refused ? refusal(error.table, error.error) : Effect.die(error))))

  /** What signing in commits: it need not be framed by a transaction of several statements. */
  const insertUnderCheck = ([check, insert, ...others]: ReadonlyArray<Write>): Step | undefined => {
    if (check?._tag !== "check" || insert?._tag !== "insert" || others.length > 0 || !isAnswerable({ key: check.key })) return undefined
    const { table } = insert
    return { ...of(table).insertUnder(of(check.table).check(check.key, check.expected), insert.row), table, must: true }
  }

  const steps = (write: Write): ReadonlyArray<Step> | Conflict => {
    const { table } = write
    const sql = of(table)
    if ("row" in write) return [{ ...sql.write(write), table, must: "expected" in write }]
    if (write._tag === "removeAll") return isAnswerable(write.where) ? last(table, sql.removeAll(write.where), false) : []
    if (!isAnswerable({ key: write.key })) return write.expected === undefined ? [] : new Conflict({ table: table.name })
    if (write._tag === "check") return [{ ...sql.check(write.key, write.expected), table, must: true }]
    return last(table, sql.remove(write.key, write.expected), write.expected !== undefined)
  }

  const ranks = new Map(tables.map(({ name }, rank) => [name, String(rank).padStart(4, "0")]))

  /**
   * Rows that two commits are conditional on are locked in one order by both: they wait for one another instead of meeting head-on.
   * It is the order of the tables, in which what is referenced comes first, as it does where a removal locks what it takes along.
   */
  const locks = (writes: ReadonlyArray<Write>): ReadonlyArray<Step> => {
    const conditional = writes.filter((write) => "expected" in write && typeof write.expected === "number")
    if (conditional.length < 2) return []
    const places = conditional.map((write) => {
      const { table } = write
      const key = "row" in write ? write.row[table.key] : "key" in write ? write.key : ""
      const locked = write._tag === "check" ? of(table).check(key, write.expected) : of(table).lock(key)
      return { place: `${ranks.get(table.name)}\0${String(key)}`, step: { ...locked, table, must: write._tag === "check" } }
    })
    return places.sort((left, right) => (left.place < right.place ? -1 : 1)).map(({ step }) => step)
  }

  const removing = (table: AnyTable, statements: ReadonlyArray<Sql>) =>
    Effect.map(Effect.orDie(together(statements.map((statement) => ({ ...statement, table, must: false })))), (results) => results.at(-1)!)

  const sweepTable = (table: AnyTable, now: Date, limit: number): Effect.Effect<number> => {
    const sql = of(table)
    if (dependants(tables, table).length === 0) {
      const { text, values } = sql.removeDue(now, limit)
      return database
        .share((connection) => connection.query(text, values))
        .pipe(
          Effect.map(({ rowCount }) => rowCount),
          Effect.orDie,
        )
    }
    return Effect.gen(function* () {
      const keys = (yield* query(sql.due(now, limit))).map(([key]) => key)
      return keys.length === 0 ? 0 : (yield* removing(table, sql.removeKeys(keys, now))).rowCount
    })
  }

  const read: StoreService["read"] = (table, where) =>
    Effect.suspend(() => {
      if (!isAnswerable(where)) return Effect.succeedNone
      const sql = of(table)
      return Effect.map(query(sql.read(where)), (rows) => TableSqls.firstHeld(sql, rows) as any)
    })

  return Store.of({
    read,

    follow: (table, where, field) =>
      Effect.suspend(() => {
        if (!isAnswerable(where)) return Effect.succeedNone
        const [sql, parent] = [of(table), of(table.references[field])]
        return Effect.map(query(sql.follow(where, field, parent)), ([values]) =>
          values === undefined ? Option.none() : Option.some([sql.held(values), parent.held(values, sql.width)] as any),
        )
      }),

    readWith: (table, where, other, field, rest) =>
      Effect.suspend(() => {
        if (!isAnswerable(where)) return Effect.succeedNone
        if (!isAnswerable(rest))
          return Effect.map(
            read(table, where),
            Option.map((held) => [held, Option.none()] as const),
          )
        const [sql, beside] = [of(table), of(other)]
        return Effect.map(query(sql.readWith(where, beside, field, rest)), ([values]) =>
          values === undefined ? Option.none() : Option.some([sql.held(values), beside.joined(values, sql.width)] as any),
        )
      }),

    list: (table, where, options) =>
      Effect.suspend(() => {
        if (!isAnswerable(where) || !isStorable(options.prefix?.text ?? "")) return Effect.succeed([])
        const sql = of(table)
        return Effect.map(query(sql.list(where, options)), (rows) => rows.map((values) => sql.held(values).row as any))
      }),

    listEach: (table, field, values, options) =>
      Effect.suspend(() => {
        const sql = of(table)
        const lists = values.map((): Array<any> => [])
        if (values.length === 0 || !isAnswerable(options.where ?? {})) return Effect.succeed(lists)
        return Effect.map(query(sql.listEach(field, values, options)), (rows) => {
          for (const found of rows) lists[Number(found[0]) - 1]!.push(sql.held(found, 1).row)
          return lists
        })
      }),

    take: (table, where) =>
      Effect.suspend(() => {
        if (!isAnswerable(where)) return Effect.succeedNone
        const sql = of(table)
        const statements = sql.take(where)
        const rows =
          statements.length === 1
            ? query(statements[0]!)
            : Effect.map(removing(table, statements), ({ rows }) => rows.map((row) => Object.values(row)))
        return Effect.map(rows, (rows) => Option.map(TableSqls.firstHeld(sql, rows), ({ row }) => row as any))
      }),

    commit: (writes) =>
      Effect.suspend(() => {
        const single = insertUnderCheck(writes)
        if (single !== undefined) return alone(single)
        const all: Array<Step> = []
        for (const write of writes) {
          const made = steps(write)
          if (made instanceof Conflict) return Effect.fail(made)
          all.push(...made)
        }
        if (all.length === 0) return Effect.void
        return all.length === 1 ? alone(all[0]!) : Effect.asVoid(together([...locks(writes), ...all]))
      }),

    sweep: (now, limit) =>
      Effect.map(
        Effect.forEach(
          tables.filter(({ expires }) => expires !== undefined),
          (table) => sweepTable(table, now, limit),
        ),
        (removed) => removed.reduce((sum, count) => sum + count, 0),
      ),

    ping: Effect.asVoid(query({ text: "SELECT 1", values: [] })),
  })
}

/** Of several statements that remove, the last removes the row itself. */
const last = (table: AnyTable, statements: ReadonlyArray<Sql>, must: boolean): ReadonlyArray<Step> =>
  statements.map((statement, at) => ({ ...statement, table, must: must && at === statements.length - 1 }))

const begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

/**
 * All statements in one go: the server runs them in order, and after one that raises it refuses the rest and turns
 * COMMIT into ROLLBACK. So a condition that is not met has to raise. Values were encoded before, so that none can stay behind.
 * The frame is never prepared: a name that a connection pooler has forgotten would let the statements run without it.
 */
const transaction = Effect.fnUntraced(function* (connection: PgConnection, steps: ReadonlyArray<Step>) {
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
