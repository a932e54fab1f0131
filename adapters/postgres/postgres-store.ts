import { Effect, Layer, Option } from "effect"
import type { StoreUnavailable } from "../../domain/ports/store.ts"
import { dependants, Store, sweepEach } from "../../domain/ports/store.ts"
import type { Questions } from "../../domain/storage/answerable.ts"
import { answerable } from "../../domain/storage/answerable.ts"
import { perTable } from "../../domain/storage/store-question.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { DatabaseRefused } from "../database-refused.ts"
import * as Commit from "./commit.ts"
import { Database } from "./database.ts"
import { migrate } from "./migrations.ts"
import { list, listForEach, read, readWithReferenced, readWithReferencing } from "./questions.ts"
import { removals } from "./removals.ts"
import * as TableRows from "./table-rows.ts"
import { firstHeld } from "./table-rows.ts"
import type { Sql, TableSql } from "./table-sql.ts"
import { writes } from "./writes.ts"

/** The Store on PostgreSQL. Brings the tables up to date before the first verb. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, DatabaseRefused | StoreUnavailable, Database> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      yield* migrate(tables)
      return make(tables, yield* Database)
    }),
  )

/** The same on tables that are up to date already: nothing is migrated. */
export const layerMigrated = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, never, Database> =>
  Layer.effect(
    Store,
    Effect.map(Database, (database) => make(tables, database)),
  )

const statementsOf = (tables: ReadonlyArray<AnyTable>, table: AnyTable): TableSql => {
  const rows = TableRows.make(table)
  return {
    ...rows,
    read: read(rows),
    readWithReferenced: readWithReferenced(rows),
    readWithReferencing: readWithReferencing(rows),
    list: list(rows),
    listForEach: listForEach(rows),
    ...removals(rows, tables),
    ...writes(rows),
  }
}

const make = (tables: ReadonlyArray<AnyTable>, database: Database["Service"]) => {
  const of = perTable(tables, (table) => statementsOf(tables, table))

  return Store.of({
    ...answerable(questions(of, database)),
    commit: Commit.make(tables, of, database),
    sweep: (now, limit) =>
      sweepEach(tables, (table) => {
        const sql = of(table)
        if (dependants(tables, table).length === 0) return removed(database, sql.removeDue(now, limit))
        return Effect.flatMap(query(database, sql.due(now, limit)), (found) => {
          const keys = found.map(([key]) => key)
          if (keys.length === 0) return Effect.succeed(0)
          return Effect.map(Commit.removing(database, table, sql.removeKeys(keys, now)), ({ rowCount }) => rowCount)
        })
      }),
    ping: Effect.asVoid(query(database, { text: "SELECT 1", values: [] })),
  })
}

const query = (database: Database["Service"], { text, values }: Sql) =>
  Effect.orDie(database.share((connection) => connection.queryValues(text, values)))

/** How many rows a statement removed. */
const removed = (database: Database["Service"], { text, values }: Sql) =>
  Effect.orDie(
    Effect.map(
      database.share((connection) => connection.query(text, values)),
      ({ rowCount }) => rowCount,
    ),
  )

/** One statement each, but where more than the row itself is taken. */
const questions = (of: (table: AnyTable) => TableSql, database: Database["Service"]): Questions => ({
  read: (table, where) => {
    const sql = of(table)
    return Effect.map(query(database, sql.read(where)), (rows) => firstHeld(sql, rows) as any)
  },

  readWithReferenced: (table, where, field) => {
    const [sql, parent] = [of(table), of(table.references[field])]
    return Effect.map(query(database, sql.readWithReferenced(where, field, parent)), ([values]) =>
      values === undefined ? Option.none() : Option.some([sql.held(values), parent.held(values, sql.width)] as any),
    )
  },

  readWithReferencing: (table, where, other, field, rest) => {
    const [sql, beside] = [of(table), of(other)]
    return Effect.map(query(database, sql.readWithReferencing(where, beside, field, rest)), ([values]) =>
      values === undefined ? Option.none() : Option.some([sql.held(values), beside.joined(values, sql.width)] as any),
    )
  },

  list: (table, where, options) => {
    const sql = of(table)
    return Effect.map(query(database, sql.list(where, options)), (rows) => rows.map((values) => sql.held(values).row as any))
  },

  listForEach: (table, field, values, options) => {
    const sql = of(table)
    const lists = values.map((): Array<any> => [])
    if (values.length === 0) return Effect.succeed(lists)
    return Effect.map(query(database, sql.listForEach(field, values, options)), (rows) => {
      for (const found of rows) lists[Number(found[0]) - 1]!.push(sql.held(found, 1).row)
      return lists
    })
  },

  take: (table, where) => {
    const sql = of(table)
    const statements = sql.take(where)
    const rows =
      statements.length === 1
        ? query(database, statements[0]!)
        : Effect.map(Commit.removing(database, table, statements), ({ rows }) => rows.map((row) => Object.values(row)))
    return Effect.map(rows, (rows) => Option.map(firstHeld(sql, rows), ({ row }) => row as any))
  },
})
