import { Effect, Layer, Option } from "effect"
import type { Db } from "mongodb"
import type { StoreUnavailable } from "../../domain/ports/store.ts"
import { isStorable, Store, sweepEach } from "../../domain/ports/store.ts"
import type { Questions } from "../../domain/storage/answerable.ts"
import { answerable } from "../../domain/storage/answerable.ts"
import { perTable } from "../../domain/storage/store-question.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { DatabaseRefused } from "../database-refused.ts"
import * as Commit from "./commit.ts"
import { Database } from "./database.ts"
import { followedPath } from "./fields.ts"
import { migrate } from "./migrations.ts"
import { list, listForEach, read, readWithReferenced, readWithReferencing } from "./questions.ts"
import { removals } from "./removals.ts"
import type { Operation, TableDocuments } from "./table-documents.ts"
import * as TableRows from "./table-rows.ts"
import { writes } from "./writes.ts"

/** The Store on MongoDB. Creates collections and indexes before the first verb. */
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

const operationsOf = (tables: ReadonlyArray<AnyTable>, table: AnyTable, db: Db): TableDocuments => {
  const rows = TableRows.make(table, db)
  return {
    ...rows,
    read: read(rows),
    readWithReferenced: readWithReferenced(rows),
    readWithReferencing: readWithReferencing(rows),
    list: list(rows),
    listForEach: listForEach(rows),
    ...removals(rows, tables, db),
    ...writes(rows, db),
  }
}

const make = (tables: ReadonlyArray<AnyTable>, database: Database["Service"]) => {
  const of = perTable(tables, (table) => operationsOf(tables, table, database.db))

  return Store.of({
    ...answerable(questions(of, database)),
    commit: Commit.make(of, database),
    sweep: (now, limit) => sweepEach(tables, (table) => remove(database, of(table), of(table).sweep(now, limit))),
    ping: Effect.asVoid(ask(database, ({ maxTimeMS }) => database.db.command({ ping: 1, maxTimeMS }))),
  })
}

const ask = <A>(database: Database["Service"], operation: Operation<A>) => Effect.orDie(database.ask(operation))

/** Whatever removes rows that others reference removes those as well, in one transaction. */
const remove = <A>(database: Database["Service"], from: TableDocuments, operation: Operation<A>) =>
  from.hasDependants ? Effect.orDie(database.transact(operation)) : ask(database, operation)

/** One operation each, but where more than the row itself is taken. */
const questions = (of: (table: AnyTable) => TableDocuments, database: Database["Service"]): Questions => ({
  read: (table, where) => {
    const documents = of(table)
    return Effect.map(ask(database, documents.read(where)), (document) =>
      document === null ? Option.none() : Option.some(documents.held(document) as any),
    )
  },

  readWithReferenced: (table, where, field) => {
    const [documents, parent] = [of(table), of(table.references[field])]
    return Effect.map(ask(database, documents.readWithReferenced(where, field, parent.table)), (document) =>
      document === undefined ? Option.none() : Option.some([documents.held(document), parent.held(document[followedPath])] as any),
    )
  },

  readWithReferencing: (table, where, other, field, rest) => {
    const [documents, beside] = [of(table), of(other)]
    return Effect.map(ask(database, documents.readWithReferencing(where, beside, field, rest)), (document) => {
      if (document === undefined) return Option.none()
      const [found] = document[followedPath]
      return Option.some([documents.held(document), Option.map(Option.fromUndefinedOr(found), beside.held)] as any)
    })
  },

  list: (table, where, options) => {
    const documents = of(table)
    return Effect.map(ask(database, documents.list(where, options)), (found) =>
      found.map((document) => documents.held(document).row as any),
    )
  },

  listForEach: (table, field, values, options) => {
    const documents = of(table)
    return Effect.map(ask(database, documents.listForEach(field, values.filter(isStorable), options)), (found) => {
      const lists = new Map<string, Array<any>>(values.map((value) => [value, []]))
      for (const { row } of found.map(documents.held)) lists.get(row[field] as string)!.push(row)
      return values.map((value) => lists.get(value)!)
    })
  },

  take: (table, where) => {
    const documents = of(table)
    return Effect.map(remove(database, documents, documents.take(where)), (document) =>
      document === null ? Option.none() : Option.some(documents.held(document).row as any),
    )
  },
})
