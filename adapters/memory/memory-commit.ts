import { Conflict, type Dependant, Taken, type Write } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { demandIndex, fieldsOf } from "../../domain/storage/query-checks.ts"
import type { Entry, MemoryTable } from "./memory-table.ts"

type Json = Readonly<Record<string, unknown>>

/** All tables of a store in memory. */
export interface MemoryTables {
  readonly tables: ReadonlyArray<AnyTable>
  readonly rowsOf: (table: AnyTable) => MemoryTable
  readonly dependantsOf: (table: AnyTable) => ReadonlyArray<Dependant>
  /** Grows with every write. */
  readonly nextRevision: () => number
}

/** Begins a commit. Every change records how to undo it, in case a later one fails. */
export const begin = ({ rowsOf, dependantsOf, nextRevision }: MemoryTables) => {
  const undo: Array<() => void> = []

  const replace = (table: AnyTable, key: unknown, json: Json | undefined) => {
    const rows = rowsOf(table)
    const before = rows.get(key)
    rows.replace(key, json === undefined ? undefined : { json, revision: nextRevision() })
    undo.push(() => rows.replace(key, before))
  }
  /** Removes a row and the rows that reference it. */
  const remove = (table: AnyTable, entry: Entry): void => {
    const key = rowsOf(table).decode(entry)[table.key]
    replace(table, key, undefined)
    for (const child of dependantsOf(table)) {
      for (const row of rowsOf(child.table).matching({ [child.field]: key })) remove(child.table, row)
    }
  }
  const removeKey = (table: AnyTable, key: unknown) => {
    const entry = rowsOf(table).get(key)
    if (entry !== undefined) remove(table, entry)
  }
  const write = (table: AnyTable, row: Json) => {
    const json = rowsOf(table).encode(row)
    const field = rowsOf(table).takenField(json)
    if (field !== undefined) return new Taken({ table: table.name, field })
    replace(table, row[table.key], json)
    return undefined
  }
  const apply = (step: Write): Taken | Conflict | undefined => {
    const { table } = step
    if (step._tag === "removeAll") {
      demandIndex(table, fieldsOf(table, step.where))
      for (const entry of rowsOf(table).matching(step.where)) remove(table, entry)
      return undefined
    }
    if (step._tag === "removeEach") {
      for (const key of step.keys) removeKey(table, key)
      return undefined
    }
    const entry = rowsOf(table).get("row" in step ? step.row[table.key] : step.key)
    if (step._tag === "insert" && entry !== undefined) {
      rowsOf(table).encode(step.row)
      return new Taken({ table: table.name, field: table.key })
    }
    if ("expected" in step && step.expected !== (entry?.revision ?? "absent")) return new Conflict({ table: table.name })
    if ("row" in step) return write(table, step.row)
    if (step._tag === "detach") replace(table, step.key, undefined)
    if (step._tag === "remove" && entry !== undefined) remove(table, entry)
    return undefined
  }
  const rollback = () => {
    for (const step of undo.reverse()) step()
  }

  return { apply, remove, rollback }
}
