import { Clock, Effect, Stream } from "effect"
import { rowsOf } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { firstIdAt } from "../../../domain/storage/new-id.ts"

/**
 * Milliseconds between the making of an id and its commit, as another process sees them: a row that becomes visible later than this is not
 * read.
 */
export const overlap = 10_000
/**
 * Milliseconds that a read goes back before the previous one, so that few rows are read again. A row that becomes visible later waits for
 * a long read, which each fifth one is.
 */
const usualOverlap = 2_000
const longEach = 5
const longOverlap = overlap + longEach * 1000
/** The maximum number of rows in one query. */
const pageSize = 500

export type LogRow = Readonly<Record<string, unknown>>

/** The key of a row. */
export const idOf = (log: AnyTable, row: LogRow) => String(row[log.key])

/** Reads the rows that are added to a log. The first read returns none: it only notes which rows exist. */
export const makeTail = (log: AnyTable) => {
  let readAt: number | undefined
  let reads = 0
  let seen: ReadonlySet<string> = new Set()

  /** The rows that became visible since the last read, in the order of their ids. */
  const read = Effect.gen(function* readTail() {
    const now = yield* Clock.currentTimeMillis
    const from = Math.min(readAt ?? now, now)
    const after = { [log.key]: firstIdAt(from - (reads++ % longEach === 0 ? longOverlap : usualOverlap)) }
    const rows: ReadonlyArray<LogRow> = yield* Stream.runCollect(rowsOf(log, {}, { limit: pageSize, order: log.key, after }))
    const added = readAt === undefined ? [] : rows.filter((row) => !seen.has(idOf(log, row)))
    const forgotten = firstIdAt(from - longOverlap)
    seen = new Set([...[...seen].filter((id) => id > forgotten), ...rows.map((row) => idOf(log, row))])
    readAt = now
    return added
  })
  return { read }
}
export type Tail = ReturnType<typeof makeTail>
