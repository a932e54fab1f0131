import { Effect, Layer, Option } from "effect"
import type { AnyTable } from "../Table.ts"
import type { Entry, MemoryTable } from "./MemoryTable.ts"
import * as MemoryTables from "./MemoryTable.ts"
import type { ListOptions, Write } from "./Store.ts"
import { Conflict, dependants, Store, Taken } from "./Store.ts"
import { demandIndex, demandOne, demandOrder, demandPrefix, fault, fieldsOf, limitOf, listedBy } from "./StoreQuestion.ts"

type Where = Readonly<Record<string, unknown>>

/** Rows live as long as the layer: for tests, and for whoever wants to try the service without a database. */
export const layer = (tables: ReadonlyArray<AnyTable>): Layer.Layer<Store> => Layer.sync(Store, () => make(tables))

const make = (tables: ReadonlyArray<AnyTable>) => {
  const held = new Map(tables.map((table) => [table.name, MemoryTables.make(table)]))
  let revision = 0

  const of = (table: AnyTable): MemoryTable => {
    const found = held.get(table.name)
    if (found === undefined) throw fault(table, "is not declared")
    return found
  }
  const one = (table: AnyTable, where: Where): Entry | undefined => {
    demandOne(table, fieldsOf(table, where))
    return of(table).matching(where)[0]
  }
  const view = (table: AnyTable, entry: Entry) => ({ row: of(table).decode(entry), revision: entry.revision })

  const list = (table: AnyTable, where: Where, options: ListOptions<any>): ReadonlyArray<Where> => {
    const order = options.order ?? table.key
    const { prefix } = options
    if (prefix !== undefined) demandPrefix(table, prefix)
    demandOrder(table, listedBy(table, where, prefix), order)
    const rows = of(table)
    const [byOrder, byKey] = [rows.compare(order), rows.compare(table.key)]
    const sign = options.descending ? -1 : 1
    const compare = (left: Where, right: Where) => sign * (byOrder(left, right) || byKey(left, right))
    const after = options.after === undefined ? undefined : rows.encodeSome(options.after)
    return rows
      .matching(where)
      .filter(({ json }) => after === undefined || compare(json, after) > 0)
      .filter(({ json }) => prefix === undefined || (json[prefix.field] as string | null)?.startsWith(prefix.text))
      .sort((left, right) => compare(left.json, right.json))
      .slice(0, limitOf(table, options))
      .map((entry) => rows.decode(entry))
  }

  /** Every change leaves its undoing behind, in case a later write of the same commit fails. */
  const replace = (table: AnyTable, key: unknown, json: Where | undefined, undo: Array<() => void>) => {
    const rows = of(table)
    const before = rows.get(key)
    rows.replace(key, json === undefined ? undefined : { json, revision: ++revision })
    undo.push(() => rows.replace(key, before))
  }
  const removeEntry = (table: AnyTable, entry: Entry, undo: Array<() => void>): void => {
    const key = of(table).decode(entry)[table.key]
    replace(table, key, undefined, undo)
    for (const child of dependants(tables, table)) {
      for (const row of of(child.table).matching({ [child.field]: key })) removeEntry(child.table, row, undo)
    }
  }
  const write = (table: AnyTable, row: Where, undo: Array<() => void>) => {
    const json = of(table).encode(row)
    const field = of(table).taken(json)
    if (field !== undefined) return new Taken({ table: table.name, field })
    replace(table, row[table.key], json, undo)
    return undefined
  }

  const apply = (step: Write, undo: Array<() => void>): Taken | Conflict | undefined => {
    const { table } = step
    if (step._tag === "removeAll") {
      demandIndex(table, fieldsOf(table, step.where))
      for (const entry of of(table).matching(step.where)) removeEntry(table, entry, undo)
      return undefined
    }
    const entry = of(table).get("row" in step ? step.row[table.key] : step.key)
    if (step._tag === "insert" && entry !== undefined) {
      of(table).encode(step.row)
      return new Taken({ table: table.name, field: table.key })
    }
    if ("expected" in step && step.expected !== (entry?.revision ?? "absent")) return new Conflict({ table: table.name })
    if ("row" in step) return write(table, step.row, undo)
    if (step._tag === "remove" && entry !== undefined) removeEntry(table, entry, undo)
    return undefined
  }

  return Store.of({
    read: (table, where) => Effect.sync(() => Option.map(Option.fromUndefinedOr(one(table, where)), (entry) => view(table, entry) as any)),

    follow: (table, where, field) =>
      Effect.sync(() => {
        const parent = table.references[field] as AnyTable
        const entry = one(table, where)
        if (entry === undefined) return Option.none()
        const first = view(table, entry)
        const followed = of(parent).get(first.row[field])
        return followed === undefined ? Option.none() : Option.some([first, view(parent, followed)] as any)
      }),

    readWith: (table, where, other, field, rest) =>
      Effect.sync(() => {
        demandOne(other, [field, ...fieldsOf(other, rest)])
        const [entry, beside] = [one(table, where), of(other)]
        if (entry === undefined) return Option.none()
        const first = view(table, entry)
        const [second] = beside.matching({ ...rest, [field]: first.row[table.key] })
        return Option.some([first, second === undefined ? Option.none() : Option.some(view(other, second))] as any)
      }),

    list: (table, where, options) => Effect.sync(() => list(table, where, options) as ReadonlyArray<any>),

    listEach: (table, field, values, options) =>
      Effect.sync(() => values.map((value) => list(table, { ...options.where, [field]: value }, options) as ReadonlyArray<any>)),

    take: (table, where) =>
      Effect.sync(() => {
        const entry = one(table, where)
        if (entry === undefined) return Option.none()
        removeEntry(table, entry, [])
        return Option.some(of(table).decode(entry) as any)
      }),

    commit: (writes) =>
      Effect.suspend(() => {
        const undo: Array<() => void> = []
        const rollback = () => {
          for (const step of undo.reverse()) step()
        }
        try {
          for (const step of writes) {
            const failure = apply(step, undo)
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
        const due = tables.flatMap((table) => {
          const rows = of(table)
          const expired = [...rows.entries()].filter((entry) => rows.expiry(entry) <= now.getTime())
          return expired
            .sort((left, right) => rows.expiry(left) - rows.expiry(right))
            .slice(0, limit)
            .map((entry) => [table, entry] as const)
        })
        for (const [table, entry] of due) removeEntry(table, entry, [])
        return due.length
      }),

    ping: Effect.void,
  })
}
