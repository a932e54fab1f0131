import { Effect, Layer, Option } from "effect"
import { dependants, Store, type StoreUnavailable, sweepEach } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { perTable } from "../../domain/storage/query-checks.ts"
import { onlyStorable, type Queries } from "../../domain/storage/storable-queries.ts"
import type { DatabaseRefused } from "../database-refused.ts"
import * as Commit from "./commit.ts"
import { Database } from "./database.ts"
import { gathered } from "./gathered-reads.ts"
import { migrate } from "./migrations.ts"
import { sweepByMonth } from "./partition-sweep.ts"
import { list, listForEach, read, readWithReferenced, readWithReferencing, uniqueRead, uniqueReadWithReferenced } from "./queries.ts"
import { removals } from "./removals.ts"
import * as TableRows from "./table-rows.ts"
import { firstRow, type Where } from "./table-rows.ts"
import type { Sql, TableSql, UniqueRead } from "./table-sql.ts"
import { writes } from "./writes.ts"

/** The Store on PostgreSQL. Migrates the database when it is built. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, DatabaseRefused | StoreUnavailable, Database> =>
  Layer.unwrap(Effect.as(migrate(tables), layerMigrated(tables)))

/** The Store on a database that is already migrated. */
export const layerMigrated = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, never, Database> =>
  Layer.effect(
    Store,
    Effect.map(Database, (database) => make(tables, database)),
  )

const statementsOf = (tables: ReadonlyArray<AnyTable>, table: AnyTable, schema: string | undefined): TableSql => {
  const rows = TableRows.make(table, schema)
  return {
    ...rows,
    read: read(rows),
    readWithReferenced: readWithReferenced(rows),
    readWithReferencing: readWithReferencing(rows),
    uniqueRead: uniqueRead(rows),
    uniqueReadWithReferenced: uniqueReadWithReferenced(rows),
    list: list(rows),
    listForEach: listForEach(rows),
    ...removals(rows, tables),
    ...writes(rows),
  }
}

const make = (tables: ReadonlyArray<AnyTable>, database: Database["Service"]) => {
  const sqlOf = perTable(tables, (table) => statementsOf(tables, table, database.schema))
  const sweepMonths = (table: AnyTable) =>
    sweepByMonth(database, sqlOf(table), (name, now, limit) => countRemoved(database, sqlOf(table).removeDue(now, limit, name)))

  return Store.of({
    ...onlyStorable(queries(sqlOf, database)),
    commit: Commit.make(tables, sqlOf, database),
    sweep: (now, limit) =>
      sweepEach(tables, (table) => {
        const sql = sqlOf(table)
        if (dependants(tables, table).length === 0) {
          return table.isByMonth ? sweepMonths(table)(now, limit) : countRemoved(database, sql.removeDue(now, limit))
        }
        return Effect.flatMap(query(database, sql.due(now, limit)), (found) => {
          const keys = found.map(([key]) => key)
          if (keys.length === 0) return Effect.succeed(0)
          return Effect.map(Commit.removeInTransaction(database, table, sql.removeKeys(keys, now)), ({ rowCount }) => rowCount)
        })
      }),
    ping: Effect.orDie(database.ping),
  })
}

const query = (database: Database["Service"], { text, values }: Sql) =>
  Effect.orDie(database.withShared((connection) => connection.queryValues(text, values)))

const countRemoved = (database: Database["Service"], { text, values }: Sql) =>
  Effect.orDie(
    Effect.map(
      database.withShared((connection) => connection.query(text, values)),
      ({ rowCount }) => rowCount,
    ),
  )

/** The methods that run one statement each. `take` runs a transaction if it also has to remove dependent rows. */
const queries = (sqlOf: (table: AnyTable) => TableSql, database: Database["Service"]): Queries => {
  const gatheredOf = memoized((read: UniqueRead) =>
    gathered((values) =>
      Effect.map(
        database.withShared((connection) => connection.queryValues(read.text, [values()])),
        (rows) => new Map(rows.map((row) => [row[read.column], [row]])),
      ),
    ),
  )
  /** Runs the statement of one read, or gathers it with others if it reads by a unique field. */
  const readOne = (where: Where, unique: UniqueRead | undefined, sql: () => Sql) => {
    if (unique === undefined) return query(database, sql())
    const [value] = Object.values(where)
    return Effect.map(Effect.orDie(gatheredOf(unique)(value as string)), (rows = []) => rows)
  }
  return {
    read: (table, where) => {
      const sql = sqlOf(table)
      return Effect.map(
        readOne(where, sql.uniqueRead(where), () => sql.read(where)),
        (rows) => firstRow(sql, rows) as any,
      )
    },

    readWithReferenced: (table, where, field) => {
      const [sql, parent] = [sqlOf(table), sqlOf(table.references[field])]
      const unique = sql.uniqueReadWithReferenced(where, field, parent)
      return Effect.map(
        readOne(where, unique, () => sql.readWithReferenced(where, field, parent)),
        ([values]) =>
          values === undefined ? Option.none() : Option.some([sql.decodeRow(values), parent.decodeRow(values, sql.columnCount)] as any),
      )
    },

    readWithReferencing: (table, where, other, field, rest) => {
      const [sql, second] = [sqlOf(table), sqlOf(other)]
      return Effect.map(query(database, sql.readWithReferencing(where, second, field, rest)), ([values]) =>
        values === undefined ? Option.none() : Option.some([sql.decodeRow(values), second.decodeJoined(values, sql.columnCount)] as any),
      )
    },

    list: (table, where, options) => {
      const sql = sqlOf(table)
      return Effect.map(query(database, sql.list(where, options)), (rows) => rows.map((values) => sql.decodeRow(values).row as any))
    },

    listForEach: (table, field, values, options) => {
      const sql = sqlOf(table)
      const lists = values.map((): Array<any> => [])
      if (values.length === 0) return Effect.succeed(lists)
      return Effect.map(query(database, sql.listForEach(field, values, options)), (rows) => {
        for (const found of rows) lists[Number(found[0]) - 1]!.push(sql.decodeRow(found, 1).row)
        return lists
      })
    },

    take: (table, where) => {
      const sql = sqlOf(table)
      const statements = sql.take(where)
      const rows =
        statements.length === 1
          ? query(database, statements[0]!)
          : Effect.map(Commit.removeInTransaction(database, table, statements), ({ rows }) => rows.map((row) => Object.values(row)))
      return Effect.map(rows, (rows) => Option.map(firstRow(sql, rows), ({ row }) => row as any))
    },
  }
}

const memoized = <K extends object, A>(make: (key: K) => A) => {
  const made = new WeakMap<K, A>()
  return (key: K): A => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}
