import { Cause, Context, DateTime, Effect, Schema, Stream } from "effect"
import {
  dependants,
  detach,
  insert,
  removeEach,
  removeVersioned,
  retryOnConflict,
  rowsOf,
  Store,
  type Versioned,
  type Write,
} from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { newId } from "./new-id.ts"

// Removal of rows that many others reference. One commit with all of them could exceed the store's time limit.

/** Jobs that remove a row and the rows that reference it in batches (`finishRemovals`); they survive restarts. */
export const Removals = Table.make(
  "removal",
  Schema.Struct({ id: Schema.String, table: Schema.String, key: Schema.String, created_at: Schema.DateTimeUtc }),
  { key: "id" },
)

/** The maximum number of referencing rows of one table that are removed in the same commit as the row that they reference. */
const fewRows = 100

type Tables = ReadonlyArray<Table.AnyTable>

/** Whether each table has at most `fewRows` rows that reference one of these, directly or through rows of another table. */
const isSmall: (tables: Tables, table: Table.AnyTable, keys: ReadonlyArray<string>) => Effect.Effect<boolean, never, Store> =
  Effect.fnUntraced(function* hasFewReferences(tables, table, keys) {
    const { listForEach } = yield* Store
    const children = yield* Effect.forEach(
      dependants(tables, table),
      ({ table: child, field }) =>
        Effect.map(listForEach(child, field, keys, { limit: fewRows + 1 }), (rows) => ({
          child,
          keys: rows.flat().map((row) => String(row[child.key])),
        })),
      { concurrency: 4 },
    )
    if (children.some(({ keys }) => keys.length > fewRows)) return false
    for (const { child, keys } of children) if (keys.length > 0 && !(yield* isSmall(tables, child, keys))) return false
    return true
  })

/** The write that schedules the removal of a row and of everything that references it. */
export const removeLater = Effect.fnUntraced(function* removeLater(table: Table.AnyTable, key: string) {
  const id = yield* newId
  return insert(Removals, { id, table: table.name, key, created_at: yield* DateTime.now })
})

/**
 * The writes that remove a row that was read, with everything that references it: in the same commit if these are few rows.
 * Otherwise the commit removes only the row and `others`, the rows that must not outlive it, and schedules the removal of the rest.
 */
export const removalWrites = Effect.fnUntraced(function* removalWrites<T extends Table.AnyTable>(
  tables: ReadonlyArray<Table.AnyTable>,
  table: T,
  versioned: Versioned<Table.Row<T>>,
  others: ReadonlyArray<Write> = [],
) {
  const key = String(versioned.row[table.key])
  if (yield* isSmall(tables, table, [key])) return [removeVersioned(table, versioned)]
  return [detach(table, versioned), ...others, yield* removeLater(table, key)]
})

/** The approximate number of rows that one commit removes: fewer if the rows that reference them have to be looked up first. */
const batch = { plain: 1000, referenced: 50 }

/**
 * How often a removal has failed in this process. Each failure halves the batches: the store may not accept a whole batch in one commit.
 */
export const Failures = Context.Reference("sallyport/Removals/Failures", { defaultValue: () => new Map<string, number>() })

/** The maximum number of removals that are finished together. */
const page = 20

type Removal = typeof Removals.schema.Type

/** Finishes every removal that is under way. Each batch is a commit of its own, so that a crash loses at most one. */
export const finishRemovals = Effect.fnUntraced(function* finishRemovals(tables: Tables) {
  const failures = yield* Failures
  const finishAll = Effect.fnUntraced(function* finishPage(removals: ReadonlyArray<Removal>) {
    // A table whose module is off keeps its removals until the module is on again.
    for (const table of tables) {
      const own = removals.filter((removal) => removal.table === table.name)
      const fresh = own.filter(({ id }) => !failures.has(id))
      if (fresh.length > 0) yield* attempt(tables, table, fresh)
      for (const removal of own) if (!fresh.includes(removal)) yield* attempt(tables, table, [removal])
    }
  })
  yield* Stream.runForEachArray(rowsOf(Removals, {}, { limit: page }), finishAll)
})

/** A removal that fails is logged and retried in the next round, separately and in smaller batches, so that it does not stop the others. */
const attempt = Effect.fnUntraced(function* attemptRemovals(tables: Tables, table: Table.AnyTable, removals: ReadonlyArray<Removal>) {
  const failures = yield* Failures
  const times = Math.max(...removals.map(({ id }) => failures.get(id) ?? 0))
  const ids = removals.map(({ id }) => id)
  yield* finish(tables, table, removals, 2 ** times).pipe(
    Effect.andThen(
      Effect.sync(() => {
        for (const id of ids) failures.delete(id)
      }),
    ),
    Effect.catchDefect((defect) => {
      for (const id of ids) failures.set(id, times + 1)
      const line = `Removals of ${table.name} could not be finished; trying again in smaller batches.`
      return Effect.annotateLogs(Effect.logWarning(line, Cause.die(defect)), { ids })
    }),
  )
})

const finish = Effect.fnUntraced(function* finishRemovalsOf(
  tables: Tables,
  table: Table.AnyTable,
  removals: ReadonlyArray<Removal>,
  divisor: number,
) {
  const { commit } = yield* Store
  const keys = removals.map(({ key }) => key)
  yield* removeReferencing(tables, table, keys, divisor)
  const done = removals.map(({ id }) => id)
  yield* retryOnConflict(commit([removeEach(table, keys), removeEach(Removals, done)]))
})

/**
 * Removes the rows that reference these, in batches. If many rows reference a batch, those rows are removed first: one commit with all of
 * them would have no limit on its size.
 */
const removeReferencing: (
  tables: Tables,
  table: Table.AnyTable,
  keys: ReadonlyArray<string>,
  divisor: number,
) => Effect.Effect<void, never, Store> = Effect.fnUntraced(function* removeReferencingRows(tables, table, keys, divisor) {
  const { commit, listForEach } = yield* Store
  for (const child of dependants(tables, table)) {
    const size = dependants(tables, child.table).length === 0 ? batch.plain : batch.referenced
    const limit = Math.max(1, Math.floor(size / divisor / keys.length))
    while (true) {
      const rows = (yield* listForEach(child.table, child.field, keys, { limit })).flat()
      if (rows.length === 0) break
      const childKeys = rows.map((row) => String(row[child.table.key]))
      if (!(yield* isSmall(tables, child.table, childKeys))) yield* removeReferencing(tables, child.table, childKeys, divisor)
      yield* retryOnConflict(commit([removeEach(child.table, childKeys)]))
    }
  }
})
