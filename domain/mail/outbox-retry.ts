import { DateTime, Effect, Option } from "effect"
import { conflictIfTaken, insert, removeVersioned, retryOnConflict, Store, update } from "../ports/store.ts"
import { giveUpAfter } from "./outbox.ts"
import { DeadLetters, PendingMessages } from "./outbox-tables.ts"

/**
 * Makes a message due now. A message that was given up is retried as long and as often as a new one; if its content has expired, the worker
 * discards it. False if no message has this id.
 */
export const retryMessage = (id: string) =>
  retryOnConflict(
    Effect.gen(function* () {
      const store = yield* Store
      const now = yield* DateTime.now
      const pending = yield* store.read(PendingMessages, { id })
      if (Option.isSome(pending)) {
        yield* store.commit([update(PendingMessages, pending.value, { due_at: now })])
        return true
      }
      const dead = yield* store.read(DeadLetters, { id })
      if (Option.isNone(dead)) return false
      const { sealed, receiver, created_at } = dead.value.row
      const give_up_at = DateTime.addDuration(now, giveUpAfter)
      const message = { id, sealed, receiver, created_at, attempts: 0, due_at: now, give_up_at, reason: null }
      yield* conflictIfTaken(store.commit([removeVersioned(DeadLetters, dead.value), insert(PendingMessages, message)]))
      return true
    }),
  )

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

const entry = (
  { id, receiver, attempts, created_at, reason }: Omit<OutboxEntry, "state" | "at">,
  state: OutboxEntry["state"],
  at: DateTime.Utc,
): OutboxEntry => ({ id, state, receiver, attempts, created_at, at, reason })
