import { Effect } from "effect"
import type { StoreService, Write } from "../../domain/ports/store.ts"
import { Conflict, conditional, Taken } from "../../domain/ports/store.ts"
import { isAnswerable } from "../../domain/storage/store-question.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { Database, Limits } from "./database.ts"
import type { Operation, Step, TableDocuments } from "./table-documents.ts"

type DocumentsOf = (table: AnyTable) => TableDocuments

/** The verb `commit`: one operation where one will do, else a transaction. */
export const make =
  (of: DocumentsOf, database: Database["Service"]): StoreService["commit"] =>
  (writes) =>
    Effect.suspend(() => {
      const steps: Array<Step> = []
      for (const write of writes) {
        const made = stepOf(of, write)
        if (made instanceof Conflict) return Effect.fail(made)
        if (made !== undefined) add(steps, made)
      }
      const [only] = steps
      if (only === undefined) return Effect.void
      const done = steps.length === 1 && only.isOne ? database.write(only.run) : together(database, steps, holds(of, writes))
      return Effect.catch(done, (error) => (error instanceof Taken || error instanceof Conflict ? Effect.fail(error) : Effect.die(error)))
    })

const stepOf = (of: DocumentsOf, write: Write): Step | Conflict | undefined => {
  const { table } = write
  const documents = of(table)
  if ("row" in write) return documents.write(write)
  if (write._tag === "removeAll") return isAnswerable(write.where) ? documents.removeAll(write.where) : undefined
  if (write._tag === "removeEach") {
    const keys = write.keys.filter((key) => isAnswerable({ key }))
    return keys.length === 0 ? undefined : documents.removeEach(keys)
  }
  if (!isAnswerable({ key: write.key })) return write.expected === undefined ? undefined : new Conflict({ table: table.name })
  if (write._tag === "detach") return documents.detach(write.key, write.expected)
  return write._tag === "check" ? documents.check(write.key, write.expected) : documents.remove(write.key, write.expected)
}

/** One round trip for inserts into one table that follow one another. */
const add = (steps: Array<Step>, step: Step): void => {
  const before = steps.at(-1)?.inserts
  const next = step.inserts
  if (before === undefined || next === undefined || before.together !== next.together) return void steps.push(step)
  steps[steps.length - 1] = next.together([...before.documents, ...next.documents])
}

/**
 * The rows that the writes are conditional on, in the order of their keys. A transaction sees the moment at which it began,
 * and ends where it writes what somebody else has written since. One to which this has happened writes those rows
 * before anything else, and first of all the one at which it was too late: on a row that others write all the time
 * it would otherwise be too late for ever.
 */
const holds = (of: DocumentsOf, writes: ReadonlyArray<Write>): ReadonlyArray<Operation<void>> =>
  conditional(writes)
    .map(({ table, key }) => ({ place: `${table.name}\0${String(key)}`, hold: of(table).hold(key) }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
    .map(({ hold }) => hold)

const together = (database: Database["Service"], steps: ReadonlyArray<Step>, holds: ReadonlyArray<Operation<void>>) => {
  let order = holds
  const take = async (hold: Operation<void>, limits: Limits) => {
    try {
      await hold(limits)
    } catch (error) {
      order = [hold, ...order.filter((other) => other !== hold)]
      throw error
    }
  }
  return database.transact(async (limits, attempt) => {
    if (attempt > 0) for (const hold of order) await take(hold, limits)
    for (const { run } of steps) await run(limits)
  })
}
