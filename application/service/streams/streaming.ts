import { type Cause, Clock, Deferred, Effect, Queue, Schema, Semaphore } from "effect"
import { type AuthError, InvalidRequest, Overloaded, RateLimited, Unauthorized } from "../../../domain/errors.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { millisOf } from "../../../domain/storage/new-id.ts"
import { faults } from "../faults.ts"
import { type AnyEventStream, type Follower, isViewer, type LogStream } from "./event-stream.ts"
import { type LogRow, makeTail, type Tail } from "./log-tail.ts"
import { type Authorize, type LogSubscriber, makeReader, type OpenStream } from "./reader.ts"
import { refusals } from "./rights.ts"
import { rowReader, type Subscriber, told, watched } from "./row-watch.ts"

/** Milliseconds between two reads of the logs, and between two checks of the rights of all streams. */
export const pollEvery = 1000
/** The maximum number of open streams of one session. */
export const perSession = 5
/** The maximum number of open streams of one user, client or key in a process. */
export const perUser = 20
/** The maximum number of open streams of one process. */
export const perProcess = 1000
/** The maximum number of events that wait for the reader of a stream. */
export const capacity = 1000
/** Milliseconds in which the reader of a full queue has to read an event. Otherwise its stream is ended. */
const patience = 1000
/** Milliseconds that a stream can go back. Older events are read from the log. */
const maxAge = 3_600_000

/**
 * The open streams of one process. Each log, and each table with rows that are followed, is read once per interval for all of them, so that
 * an event of any process arrives.
 */
export const makeStreams = (authorize: Authorize) => {
  const subscribers = new Set<Subscriber>()
  const tails = new Map<AnyTable, Tail>()
  const lock = Semaphore.makeUnsafe(1)

  const logSubscribers = () => [...subscribers].filter((each) => each.kind === "log")
  const tailOf = (log: AnyTable) => {
    const tail = tails.get(log) ?? makeTail(log)
    tails.set(log, tail)
    return tail
  }
  const assertRoom = (caller: Follower): Effect.Effect<void, AuthError> => {
    if (subscribers.size >= perProcess) return Effect.fail(new Overloaded({ retryAfter: 5 }))
    const own = [...subscribers].filter(({ follower }) => ownerOf(follower) === ownerOf(caller))
    const ofSession = own.filter(({ follower }) => isViewer(follower) && isViewer(caller) && follower.session.id === caller.session.id)
    const isFull = own.length >= perUser || ofSession.length >= perSession
    return isFull ? Effect.fail(new RateLimited({ message: "This session or its user has too many open streams." })) : Effect.void
  }

  /** Opens a stream until the scope ends. */
  const open = Effect.fnUntraced(function* openStream(stream: AnyEventStream, follower: Follower | null, raw: unknown) {
    if (follower === null) return yield* new Unauthorized()
    yield* authorize(stream, follower)
    const decoded = Schema.decodeUnknownEffect(stream.input)(raw)
    const input = yield* Effect.mapError(decoded, ({ issue }) => new InvalidRequest(faults(issue)))
    const now = yield* Clock.currentTimeMillis
    const subscriber =
      stream.kind === "row" ? yield* watched(stream, follower, stream.keyOf(input)) : yield* followed(stream, follower, input, now)
    const subscribe = Effect.gen(function* subscribe() {
      yield* assertRoom(follower)
      if (subscriber.kind === "log") yield* startTail(subscriber.stream)
      subscribers.add(subscriber)
    })
    const close = Effect.sync(() => {
      subscribers.delete(subscriber)
      Queue.endUnsafe(subscriber.queue)
    })
    yield* Effect.acquireRelease(lock.withPermit(subscribe), () => close)
    if (subscriber.kind === "row") return { next: rowReader(subscriber), close, overflowed: Effect.never } satisfies OpenStream
    const next = makeReader(subscriber, input.after, now)
    return { next, close, overflowed: Deferred.await(subscriber.overflowed) } satisfies OpenStream
  })

  /** Notes which rows the log has, if its first stream opens. */
  const startTail = ({ log }: LogStream) => {
    if (logSubscribers().some(({ stream }) => stream.log === log)) return Effect.void
    tails.delete(log)
    return tailOf(log).read
  }

  const end = (subscriber: Subscriber, error: AuthError) => {
    subscribers.delete(subscriber)
    return Queue.fail(subscriber.queue, error)
  }
  /** Puts the rows into the queue of a stream. If the reader is too slow, the queue is emptied and the stream ends. */
  const deliver = Effect.fnUntraced(function* deliver(subscriber: LogSubscriber, rows: ReadonlyArray<LogRow>) {
    const { queue, selection, overflowed } = subscriber
    for (const row of rows.filter((each) => isSelected(each, selection))) {
      if (Queue.isFullUnsafe(queue)) yield* roomIn(queue)
      if (Queue.offerUnsafe(queue, row)) continue
      if (!Queue.isFullUnsafe(queue)) return
      yield* Effect.ignore(Queue.clear(queue))
      yield* end(subscriber, new Overloaded({ message: "The events were read too slowly." }))
      yield* Deferred.succeed(overflowed, undefined)
      return
    }
  })

  const round = Effect.gen(function* pollStreams() {
    if (subscribers.size === 0) return tails.clear()
    // The rights are checked first: the event that ended the session is then in the rows.
    const refused = yield* refusals([...subscribers], authorize)
    const followers = logSubscribers()
    for (const log of new Set(followers.map(({ stream }) => stream.log))) {
      const rows = yield* tailOf(log).read
      const readers = followers.filter((each) => each.stream.log === log && !(refused.has(each) && each.stream.permission !== null))
      yield* Effect.forEach(readers, (reader) => deliver(reader, rows), { discard: true, concurrency: "unbounded" })
    }
    const watchers = [...subscribers].filter((each) => each.kind === "row").filter((each) => !refused.has(each))
    for (const subscriber of yield* told(watchers)) subscribers.delete(subscriber)
    for (const [subscriber, error] of refused) yield* end(subscriber, error)
  })

  return {
    open,
    /** Reads the logs once, and ends the streams whose callers have lost their rights. */
    poll: lock.withPermit(round),
    /** Ends all streams when the service stops. */
    endAll: Effect.sync(() => {
      for (const { queue } of subscribers) Queue.endUnsafe(queue)
      subscribers.clear()
    }),
  }
}
export type Streams = ReturnType<typeof makeStreams>

/** Whose streams count together. */
const ownerOf = (follower: Follower) =>
  isViewer(follower) ? `user ${follower.user.id}` : `${follower.credential.kind} ${follower.credential.id}`

/** Begins to follow a log, for a caller who may. */
const followed = Effect.fnUntraced(function* followedLog(
  stream: LogStream,
  follower: Follower,
  input: { readonly after?: string },
  now: number,
) {
  if (input.after !== undefined && millisOf(input.after) < now - maxAge) return yield* new InvalidRequest(tooOld)
  return {
    kind: "log",
    stream,
    follower,
    selection: stream.select(input, follower),
    queue: yield* Queue.dropping<LogRow, AuthError | Cause.Done>(capacity),
    overflowed: yield* Deferred.make<void>(),
  } satisfies LogSubscriber
})

/** Waits until a full queue has room, at most for `patience`. */
const roomIn = Effect.fnUntraced(function* roomIn(queue: LogSubscriber["queue"]) {
  const step = patience / 20
  for (let left = patience; left > 0 && Queue.isFullUnsafe(queue); left -= step) yield* Effect.sleep(step)
})

const tooOld = { message: "after: The event is older than an hour. Read older events from the log." }

const isSelected = (row: LogRow, { where, includes }: LogSubscriber["selection"]) =>
  Object.entries(where).every(([field, value]) => row[field] === value) && includes(row)
