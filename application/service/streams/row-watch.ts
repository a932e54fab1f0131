import { Cause, Effect, Queue } from "effect"
import type { AuthError } from "../../../domain/errors.ts"
import { find, findEach, orFail } from "../../../domain/ports/store.ts"
import type { Follower, RowStream } from "./event-stream.ts"
import type { LogRow } from "./log-tail.ts"
import type { LogSubscriber, OpenStream } from "./reader.ts"

/** One row as an open stream follows it. */
export interface RowSubscriber {
  readonly kind: "row"
  readonly stream: RowStream
  readonly follower: Follower
  readonly key: string
  /** Only the newest state waits for the reader: a slow one misses earlier states, and never the last. */
  readonly queue: Queue.Queue<LogRow, AuthError | Cause.Done>
  /** The newest state that was queued, as JSON. */
  shown: string | undefined
}

export type Subscriber = LogSubscriber | RowSubscriber

/** Begins to follow a row with its present state. */
export const watched = Effect.fnUntraced(function* watchedRow(stream: RowStream, follower: Follower, key: string) {
  const row: LogRow = yield* orFail(find(stream.table, { [stream.table.key]: key }), stream.absent)
  const queue = yield* Queue.sliding<LogRow, AuthError | Cause.Done>(1)
  const subscriber: RowSubscriber = { kind: "row", stream, follower, key, queue, shown: undefined }
  tell(subscriber, row)
  return subscriber
})

/** Queues the state of the row, unless it was queued before. True if it is the last one. */
const tell = (subscriber: RowSubscriber, row: LogRow): boolean => {
  const { stream, queue } = subscriber
  const shown = JSON.stringify(stream.show(row))
  const isLast = stream.hasEnded(row)
  if (shown !== subscriber.shown) Queue.offerUnsafe(queue, row)
  subscriber.shown = shown
  if (isLast) Queue.endUnsafe(queue)
  return isLast
}

/** The states that wait, and then those to come. */
export const rowReader = ({ stream, queue }: RowSubscriber): OpenStream["next"] =>
  Queue.take(queue).pipe(
    Effect.map((row) => ({ value: stream.show(row), isLast: stream.hasEnded(row) })),
    Effect.catchIf(Cause.isDone, () => Effect.succeed(undefined)),
  )

/** Reads the rows of these streams, once for each table. Returns the streams that are over; that of a removed row has failed. */
export const told = Effect.fnUntraced(function* toldOfRows(subscribers: ReadonlyArray<RowSubscriber>) {
  const over: Array<RowSubscriber> = []
  for (const table of new Set(subscribers.map(({ stream }) => stream.table))) {
    const group = subscribers.filter(({ stream }) => stream.table === table)
    const keys = group.map(({ key }) => key)
    const rows = yield* findEach(table, keys)
    for (const subscriber of group) {
      const row = rows.get(subscriber.key)
      if (row === undefined) yield* Queue.fail(subscriber.queue, subscriber.stream.absent())
      if (row === undefined || tell(subscriber, row)) over.push(subscriber)
    }
  }
  return over
})
