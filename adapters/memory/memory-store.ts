import { Effect, Layer, Option } from "effect"
import { dependants, type ListOptions, Store, type StoreService } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { demandOne, demandOrder, demandPrefix, indexFieldsOf, limitOf, perTable } from "../../domain/storage/query-checks.ts"
import type { MemoryTables } from "./memory-commit.ts"
import * as MemoryCommit from "./memory-commit.ts"
import type { Entry } from "./memory-table.ts"
import * as MemoryTable from "./memory-table.ts"

type Where = Readonly<Record<string, unknown>>

/** A Store in memory. Rows last as long as the layer: for tests, and to try the service without a database. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store> => Layer.sync(Store, () => make(tables))

const make = (tables: ReadonlyArray<AnyTable>) => {
  const rowsOf = perTable(tables, MemoryTable.make)
  let revision = 0
  const dependantsOf = perTable(tables, (table) => dependants(tables, table))
  const all: MemoryTables = { tables, rowsOf, dependantsOf, nextRevision: () => ++revision }
  return Store.of({ ...queries(rowsOf), ...writes(all), ping: Effect.void })
}

const queries = (
  rowsOf: MemoryTables["rowsOf"],
): Pick<StoreService, "read" | "readWithReferenced" | "readWithReferencing" | "list" | "listForEach"> => {
  const versioned = (table: AnyTable, entry: Entry) => ({ row: rowsOf(table).decode(entry), revision: entry.revision })
  const list = makeList(rowsOf)
  return {
    read: (table, where) =>
      Effect.sync(() => {
        const entry = rowsOf(table).one(where)
        return entry === undefined ? Option.none() : Option.some(versioned(table, entry) as any)
      }),

    readWithReferenced: (table, where, field) =>
      Effect.sync(() => {
        const parent = table.references[field] as AnyTable
        const entry = rowsOf(table).one(where)
        if (entry === undefined) return Option.none()
        const first = versioned(table, entry)
        const referenced = rowsOf(parent).get(first.row[field])
        return referenced === undefined ? Option.none() : Option.some([first, versioned(parent, referenced)] as any)
      }),

    readWithReferencing: (table, where, other, field, rest) =>
      Effect.sync(() => {
        const [entry, otherRows] = [rowsOf(table).one(where), rowsOf(other)]
        otherRows.demand("one", { ...rest, [field]: "" }, (fields) => demandOne(other, fields))
        if (entry === undefined) return Option.none()
        const first = versioned(table, entry)
        const [second] = otherRows.matching({ ...rest, [field]: first.row[table.key] })
        return Option.some([first, second === undefined ? Option.none() : Option.some(versioned(other, second))] as any)
      }),

    list: (table, where, options) => Effect.sync(() => list(table, where, options) as ReadonlyArray<any>),

    listForEach: (table, field, values, options) =>
      Effect.sync(() => values.map((value) => list(table, { ...options.where, [field]: value }, options) as ReadonlyArray<any>)),
  }
}

const makeList =
  (rowsOf: MemoryTables["rowsOf"]) =>
  (table: AnyTable, where: Where, options: ListOptions<any>): ReadonlyArray<Where> => {
    const order = options.order ?? table.key
    const { prefix } = options
    if (prefix !== undefined) demandPrefix(table, prefix)
    const rows = rowsOf(table)
    rows.demand(`by ${order} ${prefix?.field}`, where, () => demandOrder(table, indexFieldsOf(table, where, prefix), order))
    const [byOrder, byKey] = [rows.compare(order), rows.compare(table.key)]
    const sign = options.descending ? -1 : 1
    const compare = (left: Where, right: Where) => sign * (byOrder(left, right) || byKey(left, right))
    const after = options.after === undefined ? undefined : rows.encodeSome(options.after)
    return rows
      .matching(where)
      .filter(
        ({ json }) =>
          (after === undefined || compare(json, after) > 0) &&
          (prefix === undefined || (json[prefix.field] as string | null)?.startsWith(prefix.text)),
      )
      .sort((left, right) => compare(left.json, right.json))
      .slice(0, limitOf(table, options))
      .map((entry) => rows.decode(entry))
  }

const writes = (all: MemoryTables): Pick<StoreService, "take" | "commit" | "sweep"> => ({
  take: (table, where) =>
    Effect.sync(() => {
      const entry = all.rowsOf(table).one(where)
      if (entry === undefined) return Option.none()
      MemoryCommit.begin(all).remove(table, entry)
      return Option.some(all.rowsOf(table).decode(entry) as any)
    }),

  commit: (writes) =>
    Effect.suspend(() => {
      const { apply, rollback } = MemoryCommit.begin(all)
      try {
        for (const step of writes) {
          const failure = apply(step)
          if (failure === undefined) continue
          rollback()
          return Effect.fail(failure)
        }
      } catch (defect) {
        rollback()
        return Effect.die(defect)
      }
      return Effect.void
    }),

  sweep: (now, limit) =>
    Effect.sync(() => {
      const due = all.tables.flatMap((table) => {
        const rows = all.rowsOf(table)
        const expired = [...rows.entries()].filter((entry) => rows.expiry(entry) <= now.getTime())
        return expired
          .sort((left, right) => rows.expiry(left) - rows.expiry(right))
          .slice(0, limit)
          .map((entry) => [table, entry] as const)
      })
      const { remove } = MemoryCommit.begin(all)
      for (const [table, entry] of due) remove(table, entry)
      return due.length
    }),
})
