import { Effect, Option } from "effect"
import type { StoreService, Write } from "../ports/store.ts"
import type { AnyTable } from "../ports/table.ts"
import type { Change } from "./row-events.ts"

/** The maximum number of rows of one `removeAll` that get events. */
const limit = 1000

type AnyRow = Record<string, unknown>

export interface TableChange {
  readonly table: AnyTable
  readonly change: Change<AnyRow>
}

/**
 * The changes that a commit will make to rows of the watched tables, each row once. Rows are read before the commit, which is exact for
 * conditional writes. Of two concurrent commits that remove the same row without a condition, both count as its removal.
 */
export const changesOf = Effect.fnUntraced(function* changesOf(
  store: Pick<StoreService, "read" | "list" | "listForEach">,
  isWatched: (table: string) => boolean,
  writes: ReadonlyArray<Write>,
) {
  const found = new Map<string, TableChange>()
  for (const write of writes) {
    const { table } = write
    if (!isWatched(table.name)) continue
    for (const change of yield* changesOfWrite(store, write)) {
      const key = `${table.name}\0${String((change.after ?? change.before)[table.key])}`
      if (!found.has(key)) found.set(key, { table, change })
    }
  }
  return [...found.values()]
})

const changesOfWrite = Effect.fnUntraced(function* changesOfWrite(
  store: Pick<StoreService, "read" | "list" | "listForEach">,
  write: Write,
): Effect.fn.Return<ReadonlyArray<Change<AnyRow>>> {
  const { table } = write
  const rowOf = (key: unknown) =>
    Effect.map(store.read(table, { [table.key]: key }), (found) => Option.getOrNull(found)?.row as AnyRow | undefined)

  if (write._tag === "check") return []
  if (write._tag === "insert" || (write._tag === "put" && write.expected === "absent")) return [{ before: null, after: write.row }]
  if (write._tag === "put") {
    const before = yield* rowOf(write.row[table.key])
    return [before === undefined ? { before: null, after: write.row } : { before, after: write.row }]
  }
  if (write._tag === "removeAll") return removed(yield* store.list(table, write.where, { limit }))
  if (write._tag === "removeEach") {
    const rows = yield* store.listForEach(table, table.key, write.keys.map(String), { limit: 1 })
    return removed(rows.flat())
  }
  const before = yield* rowOf(write.key)
  return before === undefined ? [] : removed([before])
})

const removed = (rows: ReadonlyArray<AnyRow>): ReadonlyArray<Change<AnyRow>> => rows.map((before) => ({ before, after: null }))
