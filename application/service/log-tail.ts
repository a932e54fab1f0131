import { Clock, Effect, Stream } from "effect"
import { rowsOf } from "../../domain/ports/store.ts"
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
    const now = yield* Clock.currentTimeMillis
    const after = { [log.key]: firstIdAt(Math.min(readAt ?? now, now) - overlap) }
    const rows: ReadonlyArray<LogRow> = yield* Stream.runCollect(rowsOf(log, {}, { limit: pageSize, order: log.key, after }))
    const added = readAt === undefined ? [] : rows.filter((row) => !seen.has(idOf(log, row)))
    seen = new Set(rows.map((row) => idOf(log, row)))
    readAt = now
    return added
  })
  return { read }
}
export type Tail = ReturnType<typeof makeTail>
