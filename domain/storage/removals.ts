import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Versioned, Write } from "../ports/store.ts"
import { dependants, detach, insert, removeEach, removeVersioned, retryOnConflict, Store } from "../ports/store.ts"
import * as Table from "./table.ts"

// Removal of rows that many others reference. One commit with all of them could take a store longer than it may.

/** Rows whose removal was promised: what references them goes in batches (`finishRemovals`), across restarts. */
export const Removals = Table.make(
  "removal",
  Schema.Struct({ id: Schema.String, table: Schema.String, key: Schema.String, created_at: Schema.DateTimeUtc }),
  { key: "id" },
)

/** The most referencing rows of one table that go in the same commit as the row that they reference. */
const few = 100

/** Whether few rows reference this one. */
const isSmall = Effect.fnUntraced(function* (tables: ReadonlyArray<Table.AnyTable>, table: Table.AnyTable, key: string) {
  const { list } = yield* Store
  const counts = yield* Effect.forEach(
    dependants(tables, table),
    (child) => Effect.map(list(child.table, { [child.field]: key }, { limit: few + 1 }), ({ length }) => length),
    { concurrency: 4 },
  )
  return counts.every((count) => count <= few)
})

/** The write that has a row, and everything that references it, removed later. */
export const removeLater = Effect.fnUntraced(function* (table: Table.AnyTable, key: string) {
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  return insert(Removals, { id, table: table.name, key, created_at: yield* DateTime.now })
})

/**
 * The writes that remove a row that was read, with everything that references it: in the same commit where that is little.
 * Otherwise the row alone goes at once, and `others` with it: rows that must not outlive it, not even for a minute.
 */
export const removing = Effect.fnUntraced(function* <T extends Table.AnyTable>(
  tables: ReadonlyArray<Table.AnyTable>,
  table: T,
  held: Versioned<Table.Row<T>>,
  others: ReadonlyArray<Write> = [],
) {
  const key = String(held.row[table.key])
  if (yield* isSmall(tables, table, key)) return [removeVersioned(table, held)]
  return [detach(table, held), ...others, yield* removeLater(table, key)]
})

/** About how many rows one commit of a removal takes: fewer where each of them may take others along. */
const batch = { plain: 1000, referenced: 50 }

/** The most removals that are finished together. */
const page = 20

/** Finishes every removal that is under way. Each batch is a commit of its own, so that a crash loses at most one. */
export const finishRemovals = Effect.fnUntraced(function* (tables: ReadonlyArray<Table.AnyTable>) {
  const { list } = yield* Store
  let after = {}
  while (true) {
    const removals = yield* list(Removals, {}, { limit: page, ...after })
    // A table whose module is off keeps its removals until the module is on again.
    for (const table of tables) {
      const own = removals.filter((removal) => removal.table === table.name)
      if (own.length > 0) yield* finish(tables, table, own)
    }
    if (removals.length < page) return
    after = { after: removals.at(-1) }
  }
})

const finish = Effect.fnUntraced(function* (
  tables: ReadonlyArray<Table.AnyTable>,
  table: Table.AnyTable,
  removals: ReadonlyArray<typeof Removals.schema.Type>,
) {
  const { commit, listForEach } = yield* Store
  const keys = removals.map(({ key }) => key)
  for (const child of dependants(tables, table)) {
    const size = dependants(tables, child.table).length === 0 ? batch.plain : batch.referenced
    const limit = Math.ceil(size / keys.length)
    while (true) {
      const rows = (yield* listForEach(child.table, child.field, keys, { limit })).flat()
      if (rows.length === 0) break
      const removed = rows.map((row) => row[child.table.key])
      yield* retryOnConflict(commit([removeEach(child.table, removed)]))
    }
  }
  const done = removals.map(({ id }) => id)
  yield* retryOnConflict(commit([removeEach(table, keys), removeEach(Removals, done)]))
})
