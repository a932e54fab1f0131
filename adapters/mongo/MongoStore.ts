import { Effect, Layer, Option } from "effect"
import type { StoreService, StoreUnavailable, Write } from "../../application/ports/Store.ts"
import { Conflict, isStorable, Store, Taken } from "../../application/ports/Store.ts"
import { fault, isAnswerable } from "../../application/ports/StoreQuestion.ts"
import type { AnyTable } from "../../application/Table.ts"
import type { Limits } from "./Database.ts"
import { Database } from "./Database.ts"
import type { DatabaseRefused } from "./faults.ts"
import { followedPath } from "./fields.ts"
import { migrate } from "./Migrations.ts"
import type { Operation, Step, TableDocuments } from "./TableDocuments.ts"
import * as TablesDocuments from "./TableDocuments.ts"

/** The Store on MongoDB. Creates collections and indexes before the first verb. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store, DatabaseRefused | StoreUnavailable, Database> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      yield* migrate(tables)
      return make(tables, yield* Database)
    }),
  )

const make = (tables: ReadonlyArray<AnyTable>, database: Database["Service"]) => {
  const collections = new Map(tables.map((table) => [table.name, TablesDocuments.make(tables, table, database.db)]))
  const of = (table: AnyTable): TableDocuments => {
    const found = collections.get(table.name)
    if (found === undefined) throw fault(table, "is not declared")
    return found
  }

  const ask = <A>(operation: Operation<A>) => Effect.orDie(database.ask(operation))
  /** Whatever removes rows that others reference removes those as well, in one transaction. */
  const remove = <A>(from: TableDocuments, operation: Operation<A>) =>
    from.hasDependants ? Effect.orDie(database.transact(operation)) : ask(operation)

  const step = (write: Write): Step | Conflict | undefined => {
    const { table } = write
    const documents = of(table)
    if ("row" in write) return documents.write(write)
    if (write._tag === "removeAll") return isAnswerable(write.where) ? documents.removeAll(write.where) : undefined
    if (!isAnswerable({ key: write.key })) return write.expected === undefined ? undefined : new Conflict({ table: table.name })
    return write._tag === "check" ? documents.check(write.key, write.expected) : documents.remove(write.key, write.expected)
  }

  /**
   * The rows that the writes are conditional on, in the order of their keys. A transaction sees the moment at which it began,
   * and ends where it writes what somebody else has written since. One to which this has happened writes those rows
   * before anything else, and first of all the one at which it was too late: on a row that others write all the time
   * it would otherwise be too late for ever.
   */
  const holds = (writes: ReadonlyArray<Write>): ReadonlyArray<Operation<void>> =>
    writes
      .filter((write) => "expected" in write && typeof write.expected === "number")
      .map((write) => {
        const { table } = write
        const key = "row" in write ? write.row[table.key] : "key" in write ? write.key : ""
        return { place: `${table.name}\0${String(key)}`, hold: of(table).hold(key) }
      })
      .sort((left, right) => (left.place < right.place ? -1 : 1))
      .map(({ hold }) => hold)

  const together = (steps: ReadonlyArray<Step>, holds: ReadonlyArray<Operation<void>>) => {
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

  const read: StoreService["read"] = (table, where) =>
    Effect.suspend(() => {
      if (!isAnswerable(where)) return Effect.succeedNone
      const documents = of(table)
      return Effect.map(ask(documents.read(where)), (document) =>
        document === null ? Option.none() : Option.some(documents.held(document) as any),
      )
    })

  return Store.of({
    read,

    follow: (table, where, field) =>
      Effect.suspend(() => {
        if (!isAnswerable(where)) return Effect.succeedNone
        const [documents, parent] = [of(table), of(table.references[field])]
        return Effect.map(ask(documents.follow(where, field, parent.table)), (document) =>
          document === undefined ? Option.none() : Option.some([documents.held(document), parent.held(document[followedPath])] as any),
        )
      }),

    readWith: (table, where, other, field, rest) =>
      Effect.suspend(() => {
        if (!isAnswerable(where)) return Effect.succeedNone
        if (!isAnswerable(rest))
          return Effect.map(
            read(table, where),
            Option.map((held) => [held, Option.none()] as const),
          )
        const [documents, beside] = [of(table), of(other)]
        return Effect.map(ask(documents.readWith(where, beside, field, rest)), (document) => {
          if (document === undefined) return Option.none()
          const [found] = document[followedPath]
          return Option.some([documents.held(document), Option.map(Option.fromUndefinedOr(found), beside.held)] as any)
        })
      }),

    list: (table, where, options) =>
      Effect.suspend(() => {
        if (!isAnswerable(where) || !isStorable(options.prefix?.text ?? "")) return Effect.succeed([])
        const documents = of(table)
        return Effect.map(ask(documents.list(where, options)), (found) => found.map((document) => documents.held(document).row as any))
      }),

    listEach: (table, field, values, options) =>
      Effect.suspend(() => {
        const documents = of(table)
        if (!isAnswerable(options.where ?? {})) return Effect.succeed(values.map(() => []))
        return Effect.map(ask(documents.listEach(field, values.filter(isStorable), options)), (found) => {
          const lists = new Map<string, Array<any>>(values.map((value) => [value, []]))
          for (const { row } of found.map(documents.held)) lists.get(row[field] as string)!.push(row)
          return values.map((value) => lists.get(value)!)
        })
      }),

    take: (table, where) =>
      Effect.suspend(() => {
        if (!isAnswerable(where)) return Effect.succeedNone
        const documents = of(table)
        return Effect.map(remove(documents, documents.take(where)), (document) =>
          document === null ? Option.none() : Option.some(documents.held(document).row as any),
        )
      }),

    commit: (writes) =>
      Effect.suspend(() => {
        const steps: Array<Step> = []
        for (const write of writes) {
          const made = step(write)
          if (made instanceof Conflict) return Effect.fail(made)
          if (made !== undefined) add(steps, made)
        }
        const [only] = steps
        if (only === undefined) return Effect.void
        const done = steps.length === 1 && only.isOne ? database.write(only.run) : together(steps, holds(writes))
        return Effect.catch(done, (error) => (error instanceof Taken || error instanceof Conflict ? Effect.fail(error) : Effect.die(error)))
      }),

    sweep: (now, limit) =>
      Effect.suspend(() =>
        Effect.map(
          Effect.forEach(
            tables.filter(({ expires }) => expires !== undefined),
            (table) => remove(of(table), of(table).sweep(now, limit)),
          ),
          (removed) => removed.reduce((sum, count) => sum + count, 0),
        ),
      ),

    ping: Effect.asVoid(ask(({ maxTimeMS }) => database.db.command({ ping: 1, maxTimeMS }))),
  })
}

/** One round trip for inserts into one table that follow one another. */
const add = (steps: Array<Step>, step: Step): void => {
  const before = steps.at(-1)?.inserts
  const next = step.inserts
  if (before === undefined || next === undefined || before.into !== next.into) return void steps.push(step)
  steps[steps.length - 1] = next.into.insertAll([...before.documents, ...next.documents])
}
