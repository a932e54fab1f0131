import { DateTime, Effect, Option } from "effect"
import type { Authority } from "../administration/principal.ts"
import { conflictIfTaken, insert, removeVersioned, retryOnConflict, Store, update } from "../ports/store.ts"
import { liveAt } from "../storage/live.ts"
import { giveUpAfter } from "./outbox.ts"
import { DeadLetters, PendingMessages } from "./outbox-tables.ts"

/**
 * Makes a message due now. A message that was given up is retried as long and as often as a new one; if its content has expired, the worker
 * discards it. False if no message has this id.
 */
export const retryMessage = Effect.fnUntraced(function* retryMessage<R>(id: string, may: Authority<R>) {
  const { commit } = yield* Store
  const unchanged = yield* may(null)
  const now = yield* DateTime.now
  const { pending, dead } = yield* storedMessage(id)
  if (Option.isSome(pending)) {
    yield* commit([...unchanged, update(PendingMessages, pending.value, { due_at: now })])
    return true
  }
  if (Option.isNone(dead)) return false
  const { sealed, receiver, created_at } = dead.value.row
  const give_up_at = DateTime.addDuration(now, giveUpAfter)
  const message = { id, sealed, receiver, created_at, attempts: 0, due_at: now, give_up_at, reason: null }
  yield* conflictIfTaken(commit([...unchanged, removeVersioned(DeadLetters, dead.value), insert(PendingMessages, message)]))
  return true
}, retryOnConflict)

/** Removes a message, also one that was given up. A delivery that runs is not stopped. False if no message has this id. */
export const discardMessage = Effect.fnUntraced(function* discardMessage<R>(id: string, may: Authority<R>) {
  const { commit } = yield* Store
  const unchanged = yield* may(null)
  const { pending, dead } = yield* storedMessage(id)
  const removals = [
    ...Option.toArray(Option.map(pending, (found) => removeVersioned(PendingMessages, found))),
    ...Option.toArray(Option.map(dead, (found) => removeVersioned(DeadLetters, found))),
  ]
  if (removals.length === 0) return false
  yield* commit([...unchanged, ...removals])
  return true
}, retryOnConflict)

/** The message in the table that it is in. It can move while both are read, so that the first one is read again before it is missed. */
const storedMessage = Effect.fnUntraced(function* storedMessage(id: string) {
  const { read } = yield* Store
  const pending = yield* read(PendingMessages, { id })
  if (Option.isSome(pending)) return { pending, dead: Option.none() }
  const dead = yield* read(DeadLetters, { id })
  return { pending: Option.isSome(dead) ? Option.none() : yield* read(PendingMessages, { id }), dead }
})

/** A message of the outbox without its content. */
export interface OutboxEntry {
  readonly id: string
  readonly state: "pending" | "given_up"
  readonly receiver: string | null
  readonly attempts: number
  readonly created_at: DateTime.Utc
  /** The next attempt, or when the message was given up. */
  readonly at: DateTime.Utc
  /** Why the last attempt failed; null before the first failure. */
  readonly reason: string | null
}

/** The oldest messages that wait and the oldest that were given up, at most `limit` of each. */
export const listMessages = Effect.fnUntraced(function* listMessages(limit: number) {
  const store = yield* Store
  const pending = yield* store.list(PendingMessages, {}, { limit, order: "id" })
  const dead = yield* store.list(DeadLetters, {}, { limit, order: "id" })
  return [...pending.map((row) => entry(row, "pending", row.due_at)), ...dead.map((row) => entry(row, "given_up", row.died_at))]
})

/** Whether messages wait for their next attempt, or were given up; undefined: both. */
type Asked = OutboxEntry["state"] | undefined

/** A page of messages, the oldest first, after the one with this id; `next` is the id of its last one, null at the end. */
export const pageOfMessages = Effect.fnUntraced(function* pageOfMessages(state: Asked, limit: number, after: string) {
  const store = yield* Store
  const options = { limit: limit + 1, order: "id", after: { id: after } } as const
  const isLive = liveAt(DeadLetters, yield* DateTime.now)
  const pending = state === "given_up" ? [] : yield* store.list(PendingMessages, {}, options)
  const dead = state === "pending" ? [] : yield* store.list(DeadLetters, {}, options)
  const found = [
    ...pending.map((row) => ({ entry: entry(row, "pending", row.due_at), isShown: true })),
    ...dead.map((row) => ({ entry: entry(row, "given_up", row.died_at), isShown: isLive(row) })),
  ].toSorted((one, other) => (one.entry.id < other.entry.id ? -1 : 1))
  const page = found.slice(0, limit)
  const next = found.length > limit ? (page.at(-1)?.entry.id ?? null) : null
  return { messages: page.flatMap(({ entry, isShown }) => (isShown ? [entry] : [])), next }
})

const entry = (
  { id, receiver, attempts, created_at, reason }: Omit<OutboxEntry, "state" | "at">,
  state: OutboxEntry["state"],
  at: DateTime.Utc,
): OutboxEntry => ({ id, state, receiver, attempts, created_at, at, reason })
