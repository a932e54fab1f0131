import { Cause, type Deferred, Effect, Queue } from "effect"
import type { AuthError } from "../../../domain/errors.ts"
import { Store } from "../../../domain/ports/store.ts"
import { firstIdAt, millisOf } from "../../../domain/storage/new-id.ts"
import type { AnyEventStream, Follower, LogStream, Selection } from "./event-stream.ts"
import { idOf, type LogRow, overlap } from "./log-tail.ts"

/** One event of a stream. */
export interface StreamEvent {
  /** A client resumes after it. Undefined for the state of a row: a new stream begins with the present state. */
  readonly id?: string
  readonly value: unknown
  /** Whether the stream is complete with it. */
  readonly isLast?: boolean
}

/** An open stream. */
export interface OpenStream {
  /** The next event; undefined when the service stops. Fails with the reason for which the stream ended. */
  readonly next: Effect.Effect<StreamEvent | undefined, AuthError, Store>
  /** Closes the stream before its scope ends. */
  readonly close: Effect.Effect<void>
  /** Succeeds when the stream was ended because its reader is too slow: the connection should then be closed. */
  readonly overflowed: Effect.Effect<void>
}

/** Fails unless the caller may read the stream. */
export type Authorize = (stream: AnyEventStream, follower: Follower) => Effect.Effect<void, AuthError, any>

export interface LogSubscriber {
  readonly kind: "log"
  readonly stream: LogStream
  readonly follower: Follower
  readonly selection: Selection<LogRow, Readonly<Record<string, unknown>>, unknown>
  /** Rows that wait for the reader. */
  readonly queue: Queue.Queue<LogRow, AuthError | Cause.Done>
  readonly overflowed: Deferred.Deferred<void>
}

const pageSize = 100

/**
 * Reads the events after `after` from the log, page by page as the client reads them, and then those of the queue. An event can be committed
 * a little later than its id was made, so the first page begins `overlap` before: a client may receive these events a second time.
 */
export const makeReader = (
  { stream, selection, queue }: LogSubscriber,
  after: string | undefined,
  openedAt: number,
): OpenStream["next"] => {
  const { log } = stream
  const { where, includes, show } = selection
  /** Ids that were read from the log and that the queue may contain too. */
  const sent = new Set<string>()
  let page: Array<LogRow> = []
  let next = after === undefined ? undefined : firstIdAt(millisOf(after) - overlap)

  const readPage = Effect.fnUntraced(function* readPage(start: string) {
    const { list } = yield* Store
    const rows: ReadonlyArray<LogRow> = yield* list(log, where, { limit: pageSize, order: log.key, after: { [log.key]: start } })
    const last = rows.at(-1)
    next = last === undefined || rows.length < pageSize ? undefined : idOf(log, last)
    page = rows.filter((row) => includes(row) && idOf(log, row) !== after)
  })
  const fromLog = Effect.gen(function* nextOfLog() {
    while (page.length === 0 && next !== undefined) yield* readPage(next)
    const row = page.shift()
    if (row !== undefined && millisOf(idOf(log, row)) >= openedAt - 2 * overlap) sent.add(idOf(log, row))
    return row
  })
  const fromQueue = Effect.gen(function* nextOfQueue() {
    while (true) {
      const row = yield* Queue.take(queue)
      if (!sent.delete(idOf(log, row))) return row
    }
  }).pipe(Effect.catchIf(Cause.isDone, () => Effect.succeed(undefined)))

  return Effect.gen(function* nextEvent() {
    const row = (yield* fromLog) ?? (yield* fromQueue)
    return row === undefined ? undefined : { id: idOf(log, row), value: show(row) }
  })
}
