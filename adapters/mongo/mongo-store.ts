import { Effect, Layer, Option } from "effect"
import type { Db, Document } from "mongodb"
import type { StoreUnavailable } from "../../domain/ports/store.ts"
import { isStorable, Store, sweepEach } from "../../domain/ports/store.ts"
import { perTable } from "../../domain/storage/query-checks.ts"
import type { Queries } from "../../domain/storage/storable-queries.ts"
import { onlyStorable } from "../../domain/storage/storable-queries.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { DatabaseRefused } from "../database-refused.ts"
import { gathered } from "../gathered-reads.ts"
import * as Commit from "./commit.ts"
import { Database } from "./database.ts"
import type { Field } from "./fields.ts"
import { joinedPath } from "./fields.ts"
import { migrate } from "./migrations.ts"
import { list, listForEach, read, readEach, readEachWithReferenced, readWithReferenced, readWithReferencing } from "./queries.ts"
import { removals } from "./removals.ts"
import type { Operation, TableDocuments } from "./table-documents.ts"
import type { Where } from "./table-rows.ts"
import * as TableRows from "./table-rows.ts"
import { writes } from "./writes.ts"

/** The Store on MongoDB. Creates collections and indexes when it is built. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, DatabaseRefused | StoreUnavailable, Database> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      yield* migrate(tables)
      return make(tables, yield* Database)
    }),
  )

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
    readEach: readEach(rows),
    readWithReferenced: readWithReferenced(rows),
    readEachWithReferenced: readEachWithReferenced(rows),
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
    ping: Effect.asVoid(run(database, ({ maxTimeMS }) => database.db.command({ ping: 1, maxTimeMS }))),
  })
}

const run = <A>(database: Database["Service"], operation: Operation<A>) => Effect.orDie(database.run(operation))

/** Rows that others may reference are removed in a transaction, together with the rows that reference them. */
const remove = <A>(database: Database["Service"], from: TableDocuments, operation: Operation<A>) =>
  from.hasDependants ? Effect.orDie(database.transact(operation)) : run(database, operation)

/** The methods that run one operation each. `take` runs a transaction if it also has to remove dependent rows. */
const queries = (documentsOf: (table: AnyTable) => TableDocuments, database: Database["Service"]): Queries => {
  const gatheredOf = gatheredReads(database)
  return {
    read: (table, where) => {
      const documents = documentsOf(table)
      const unique = documents.uniqueField(where)
      const found =
        unique === undefined
          ? run(database, documents.read(where))
          : gatheredOf(`${table.name} ${unique.name}`, unique, (values) => documents.readEach(unique.name, values))(where)
      return Effect.map(found, (document) =>
        document === null || document === undefined ? Option.none() : Option.some(documents.decodeDocument(document) as any),
      )
    },

    readWithReferenced: (table, where, field) => {
      const [documents, parent] = [documentsOf(table), documentsOf(table.references[field])]
      const unique = documents.uniqueField(where)
      const found =
        unique === undefined
          ? run(database, documents.readWithReferenced(where, field, parent.table))
          : gatheredOf(`${table.name} ${unique.name} ${field}`, unique, (values) =>
              documents.readEachWithReferenced(unique.name, values, field, parent.table),
            )(where)
      return Effect.map(found, (document) =>
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
  }
}

/** Gathers the reads of one kind; each kind has a name. */
const gatheredReads = (database: Database["Service"]) => {
  const kinds = new Map<string, ReturnType<typeof gathered<Document, never>>>()
  return (name: string, { path }: Field, operation: (values: ReadonlyArray<string>) => Operation<ReadonlyArray<Document>>) => {
    const read =
      kinds.get(name) ??
      gathered((values) =>
        Effect.map(
          Effect.andThen(
            endOfTurn,
            Effect.suspend(() => run(database, operation(values()))),
          ),
          (documents) => new Map(documents.map((document) => [document[path], document])),
        ),
      )
    kinds.set(name, read)
    return (where: Where) => read(Object.values(where)[0] as string)
  }
}

const endOfTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
