import { Effect, Layer, Option } from "effect"
import type { Db } from "mongodb"
import { isStorable, Store, type StoreUnavailable, sweepEach } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { perTable } from "../../domain/storage/query-checks.ts"
import { onlyStorable, type Queries } from "../../domain/storage/storable-queries.ts"
import type { DatabaseRefused } from "../database-refused.ts"
import * as Commit from "./commit.ts"
import { Database } from "./database.ts"
import { joinedPath } from "./fields.ts"
import { migrate } from "./migrations.ts"
import { list, listForEach, read, readWithReferenced, readWithReferencing } from "./queries.ts"
import { removals } from "./removals.ts"
import type { Operation, TableDocuments } from "./table-documents.ts"
import * as TableRows from "./table-rows.ts"
import { writes } from "./writes.ts"

/** The Store on MongoDB. Creates collections and indexes when it is built. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, DatabaseRefused | StoreUnavailable, Database> =>
  Layer.unwrap(Effect.as(migrate(tables), layerMigrated(tables)))

/** The Store on a database that is already migrated. */
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
  const documentsOf = perTable(tables, (table) => operationsOf(tables, table, database.db))

  return Store.of({
    ...onlyStorable(queries(documentsOf, database)),
    commit: Commit.make(documentsOf, database),
    sweep: (now, limit) => sweepEach(tables, (table) => remove(database, documentsOf(table), documentsOf(table).sweep(now, limit))),
    ping: Effect.orDie(database.ping),
  })
}

const run = <A>(database: Database["Service"], operation: Operation<A>) => Effect.orDie(database.run(operation))

/** Rows that others may reference are removed in a transaction, together with the rows that reference them. */
const remove = <A>(database: Database["Service"], from: TableDocuments, operation: Operation<A>) =>
  from.hasDependants ? Effect.orDie(database.transact(operation)) : run(database, operation)

/** The methods that run one operation each. `take` runs a transaction if it also has to remove dependent rows. */
const queries = (documentsOf: (table: AnyTable) => TableDocuments, database: Database["Service"]): Queries => ({
  read: (table, where) => {
    const documents = documentsOf(table)
    return Effect.map(run(database, documents.read(where)), (document) =>
      document === null ? Option.none() : Option.some(documents.decodeDocument(document) as any),
    )
  },

  readWithReferenced: (table, where, field) => {
    const [documents, parent] = [documentsOf(table), documentsOf(table.references[field])]
    return Effect.map(run(database, documents.readWithReferenced(where, field, parent.table)), (document) =>
      document === undefined
        ? Option.none()
        : Option.some([documents.decodeDocument(document), parent.decodeDocument(document[joinedPath])] as any),
    )
  },

  readWithReferencing: (table, where, other, field, rest) => {
    const [documents, second] = [documentsOf(table), documentsOf(other)]
    return Effect.map(run(database, documents.readWithReferencing(where, second, field, rest)), (document) => {
      if (document === undefined) return Option.none()
      const [joined] = document[joinedPath]
      return Option.some([documents.decodeDocument(document), Option.map(Option.fromUndefinedOr(joined), second.decodeDocument)] as any)
    })
  },

  list: (table, where, options) => {
    const documents = documentsOf(table)
    return Effect.map(run(database, documents.list(where, options)), (results) =>
      results.map((document) => documents.decodeDocument(document).row as any),
    )
  },

  listForEach: (table, field, values, options) => {
    const documents = documentsOf(table)
    return Effect.map(run(database, documents.listForEach(field, values.filter(isStorable), options)), (results) => {
      const lists = new Map<string, Array<any>>(values.map((value) => [value, []]))
      for (const { row } of results.map(documents.decodeDocument)) lists.get(row[field] as string)!.push(row)
      return values.map((value) => lists.get(value)!)
    })
  },

  take: (table, where) => {
    const documents = documentsOf(table)
    return Effect.map(remove(database, documents, documents.take(where)), (document) =>
      document === null ? Option.none() : Option.some(documents.decodeDocument(document).row as any),
    )
  },
})
