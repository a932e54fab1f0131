import { Array, DateTime, Effect, Option, Stream } from "effect"
import { Policies } from "../../domain/policies.ts"
import { conflictIfTaken, dependants, orFail, remove, retryOnConflict, rowsOf, Store, update } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { secondFactorRemovalsOf } from "../../domain/sign-in/credentials.ts"
import { userRemovalWrites } from "../../domain/users/before-user-removal.ts"
import { Users } from "../../domain/users/tables.ts"
import type { StoredUser } from "../../domain/users/user.ts"
import { maxRecords } from "./existing-values.ts"
import { madeRow, rowName } from "./imported-rows.ts"
import { RunRefused } from "./run.ts"
import { type ImportRecord, ImportRecords, ImportRuns, type MadeRow } from "./tables.ts"

/** The result of an undo. */
export interface Undone {
  /** Users of the run that were removed. */
  readonly removed: number
  /** Additions whose credentials were removed. */
  readonly reverted: number
  /** Users and additions that stay: a row of the user was added, changed or removed since, or a module refuses the removal. */
  readonly kept: number
}

/** Reverts a run. It can be repeated after an interruption. */
export const undo = Effect.fnUntraced(function* undo(id: string, onProgress: (undone: Undone) => void = () => {}) {
  // If the import still runs, its next commit fails, and it stops.
  yield* retryOnConflict(markUndone(id))

  let undone: Undone = { removed: 0, reverted: 0, kept: 0 }
  const undoPage = Effect.fnUntraced(function* undoPage(records: ReadonlyArray<ImportRecord>) {
    const ends = yield* Effect.forEach(groupsOf(records), undoRecords, { concurrency: 8 })
    const count = (end: keyof Undone) => undone[end] + ends.flat().filter((each) => each === end).length
    undone = { removed: count("removed"), reverted: count("reverted"), kept: count("kept") }
    onProgress(undone)
  })
  yield* Stream.runForEachArray(rowsOf(ImportRecords, { run_id: id }, { limit: 200, order: "key" }), undoPage)
  return undone
})

/** The records of each user, in the order of their keys: additions come before the record that created the user. */
const groupsOf = (records: ReadonlyArray<ImportRecord>) => Object.values(Array.groupBy(records, ({ user_id }) => user_id))

const undoRecords = (records: ReadonlyArray<ImportRecord>) => Effect.forEach(records, (record) => retryOnConflict(undoRecord(record)))

const markUndone = Effect.fnUntraced(function* markUndone(id: string) {
  const store = yield* Store
  const run = yield* orFail(store.read(ImportRuns, { id }), () => new RunRefused({ reason: "unknown" }))
  yield* conflictIfTaken(store.commit([update(ImportRuns, run, { undone_at: yield* DateTime.now })]))
})

const undoRecord = Effect.fnUntraced(function* undoRecord(record: ImportRecord) {
  const store = yield* Store
  const user = yield* store.read(Users, { id: record.user_id })
  if (Option.isNone(user)) return "removed"
  const records = yield* store.list(ImportRecords, { user_id: record.user_id }, { limit: maxRecords })
  const made = records.flatMap(({ rows }) => rows)
  if (!(yield* isUnchanged(user.value.row, made))) return "kept"
  if (record.kind === "user") {
    if (records.some(({ run_id }) => run_id !== record.run_id)) return "kept"
    const writes = yield* Effect.option(userRemovalWrites(user.value))
    if (Option.isNone(writes)) return "kept"
    yield* conflictIfTaken(store.commit(writes.value))
    return "removed"
  }
  const { tables } = yield* Policies
  const removals = record.rows.flatMap(({ table, key }) => tables.filter(({ name }) => name === table).map((each) => remove(each, key)))
  const added = yield* secondFactorRemovalsOf(
    user.value.row,
    record.rows.map(({ table }) => table),
  )
  yield* conflictIfTaken(store.commit([update(Users, user.value, {}), ...removals, ...added, remove(ImportRecords, record.key)]))
  return "reverted"
})

/**
 * Whether the user and all rows that reference them, directly or through others, are those that imports made, with the same content. Any
 * other row shows that the account was used: a session, a credential, a membership, a mailed token. Rows of logs do not count: a failed
 * sign-in of any client adds one.
 */
const isUnchanged = Effect.fnUntraced(function* isUnchanged(user: StoredUser, made: ReadonlyArray<MadeRow>) {
  const { list } = yield* Store
  const tables = (yield* Policies).tables.filter(({ name, isLog }) => name !== ImportRecords.name && !isLog)
  const hashes = new Map(made.map((row) => [rowName(row), row.hash]))
  const found = new Set<string>()
  const visit = (table: AnyTable, row: Readonly<Record<string, unknown>>): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      const own = madeRow(table, row)
      if (hashes.get(rowName(own)) !== own.hash) return false
      found.add(rowName(own))
      for (const { table: child, field } of dependants(tables, table)) {
        // Reads one row more than the import made, so that other rows are found.
        const rows = yield* list(child, { [field]: row[table.key] }, { limit: hashes.size + 1 })
        for (const each of rows) if (!(yield* visit(child, each))) return false
      }
      return true
    })
  return (yield* visit(Users, user)) && found.size === hashes.size
})
