import { Effect } from "effect"
import { Conflict, conditionalRows, type StoreService, Taken, type Write } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { isStorableWhere } from "../../domain/storage/query-checks.ts"
import type { Database, Limits } from "./database.ts"
import type { Operation, Step, TableDocuments } from "./table-documents.ts"

type DocumentsOf = (table: AnyTable) => TableDocuments

/** The method `commit`: one operation where one is enough, otherwise a transaction. */
export const make =
  (documentsOf: DocumentsOf, database: Database["Service"]): StoreService["commit"] =>
  (writes) =>
    Effect.suspend(() => {
      const steps: Array<Step> = []
      for (const write of writes) {
        const step = stepOf(documentsOf, write)
        if (step instanceof Conflict) return Effect.fail(step)
        if (step !== undefined) appendStep(steps, step)
      }
      const [only] = steps
      if (only === undefined) return Effect.void
      const result =
        steps.length === 1 && only.isSingleOperation
          ? database.write(only.run)
          : runTransaction(database, steps, locksOf(documentsOf, writes))
      return Effect.catch(result, (error) => (error instanceof Taken || error instanceof Conflict ? Effect.fail(error) : Effect.die(error)))
    })

const stepOf = (documentsOf: DocumentsOf, write: Write): Step | Conflict | undefined => {
  const { table } = write
  const documents = documentsOf(table)
  if ("row" in write) return documents.write(write)
  if (write._tag === "removeAll") return isStorableWhere(write.where) ? documents.removeAll(write.where) : undefined
  if (write._tag === "removeEach") {
    const keys = write.keys.filter((key) => isStorableWhere({ key }))
    return keys.length === 0 ? undefined : documents.removeEach(keys)
  }
  if (!isStorableWhere({ key: write.key })) return write.expected === undefined ? undefined : new Conflict({ table: table.name })
  if (write._tag === "detach") return documents.detach(write.key, write.expected, write.before)
  const { key, before } = write
  return write._tag === "check" ? documents.check(key, write.expected, before) : documents.remove(key, write.expected, before)
}

/** Consecutive inserts into one table become one round trip. */
const appendStep = (steps: Array<Step>, step: Step): void => {
  const before = steps.at(-1)?.inserts
  const next = step.inserts
  if (before === undefined || next === undefined || before.combine !== next.combine) return void steps.push(step)
  steps[steps.length - 1] = next.combine([...before.documents, ...next.documents])
}

/**
 * Locks for the conditional rows, in the order of their keys. A transaction reads a snapshot of its start and fails with a write conflict
 * when it writes a row that has changed since. A retry therefore first locks those rows, beginning with the row of the last conflict.
 * Otherwise a commit on a row that is written continuously could conflict again in every retry.
 */
const locksOf = (documentsOf: DocumentsOf, writes: ReadonlyArray<Write>): ReadonlyArray<Operation<void>> =>
  conditionalRows(writes)
    .map(({ table, key, before }) => ({ place: `${table.name}\0${String(key)}`, lock: documentsOf(table).lock(key, before) }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
    .map(({ lock }) => lock)

const runTransaction = (database: Database["Service"], steps: ReadonlyArray<Step>, locks: ReadonlyArray<Operation<void>>) => {
  let order = locks
  const acquire = async (lock: Operation<void>, limits: Limits) => {
    try {
      await lock(limits)
    } catch (error) {
      order = [lock, ...order.filter((other) => other !== lock)]
      throw error
    }
  }
  return database.transact(async (limits, attempt) => {
    if (attempt > 0) for (const lock of order) await acquire(lock, limits)
    for (const { run } of steps) await run(limits)
  })
}
