import { Clock, Effect } from "effect"
import { Store, type StoreService } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { firstIdAt } from "../../domain/storage/new-id.ts"

/**
 * Milliseconds that each read goes back before the previous one. An id is made before its commit, and the clocks of processes differ:
 * a row that becomes visible later than this after its id was made is not read.
 */
export const overlap = 10_000
/** The maximum number of rows in one query. */
const pageSize = 500

export type LogRow = Readonly<Record<string, unknown>>

/** The key of a row. */
export const idOf = (log: AnyTable, row: LogRow) => String(row[log.key])

/** Reads the rows that are added to a log. The first read returns none: it only notes which rows exist. */
export const makeTail = (log: AnyTable) => {
  let readAt: number | undefined
  let seen: ReadonlySet<string> = new Set()

  /** The rows that became visible since the last read, in the order of their ids. */
  const read = Effect.gen(function* readTail() {
    const store = yield* Store
    const now = yield* Clock.currentTimeMillis
    const rows = yield* rowsAfter(store, log, firstIdAt(Math.min(readAt ?? now, now) - overlap))
    const added = readAt === undefined ? [] : rows.filter((row) => !seen.has(idOf(log, row)))
    seen = new Set(rows.map((row) => idOf(log, row)))
    readAt = now
    return added
  })
  return { read }
}
export type Tail = ReturnType<typeof makeTail>

const rowsAfter = Effect.fnUntraced(function* rowsAfter(store: StoreService, log: AnyTable, start: string) {
  const rows: Array<LogRow> = []
  let after = start
  while (true) {
    const page: ReadonlyArray<LogRow> = yield* store.list(log, {}, { limit: pageSize, order: log.key, after: { [log.key]: after } })
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return rows
    after = idOf(log, last)
  }
})
