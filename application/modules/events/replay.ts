import { DateTime, Effect, Option } from "effect"
import type { Authority } from "../../../domain/administration/principal.ts"
import { insert, isCommitted, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { isLeased } from "./deliver.ts"
import { DeadDeliveries, Deliveries, type Delivery, States } from "./tables.ts"

/** Deliveries that wait, then those that were set aside, without their content. */
export const listDeliveries = Effect.fnUntraced(function* listDeliveries(limit: number) {
  const { list } = yield* Store
  const waiting = yield* list(Deliveries, {}, { limit, order: "id" })
  const dead = yield* list(DeadDeliveries, {}, { limit: Math.max(1, limit - waiting.length), order: "id", descending: true })
  return [...waiting.map((row) => shown(row, "waiting", row.due_at)), ...dead.map((row) => shown(row, "set aside", null))].slice(0, limit)
})

type Listed = Pick<Delivery, "id" | "webhook_id" | "type" | "attempts" | "created_at" | "reason">

const shown = ({ id, webhook_id, type, attempts, created_at, reason }: Listed, state: string, due_at: DateTime.Utc | null) => ({
  id,
  webhook_id,
  type,
  state,
  attempts,
  created_at,
  due_at,
  reason,
})

/** Makes a delivery due again that was set aside, with all attempts. False if there is no such delivery. */
export const replay = Effect.fnUntraced(function* replayDelivery(id: string) {
  const found = Option.getOrUndefined(yield* (yield* Store).read(DeadDeliveries, { id }))
  if (found === undefined) return false
  const { reason: _, died_at: __, expires_at: ___, ...delivery } = found.row
  const due_at = yield* DateTime.now
  const due = { ...delivery, attempts: 0, created_at: due_at, due_at, leased_until: null, reason: null }
  return yield* isCommitted([removeVersioned(DeadDeliveries, found), insert(Deliveries, due)])
})

/** The write that makes a waiting delivery due now; none if it is due, or if an attempt may be running. */
export const hastening = Effect.fnUntraced(function* hasteningOfDelivery(id: string) {
  const now = yield* DateTime.now
  const found = Option.toArray(yield* (yield* Store).read(Deliveries, { id }))
  return found.filter(({ row }) => isLater(row, now)).map((delivery) => update(Deliveries, delivery, { due_at: now }))
})

/** Makes a delivery due now that waits for its next attempt. False if there is none, or if an attempt may be running. */
export const hasten = Effect.fnUntraced(function* hastenDelivery(id: string) {
  const writes = yield* hastening(id)
  return writes.length > 0 && (yield* isCommitted(writes))
})

/** Whether the next attempt is later. A leased delivery is due at the end of its lease, but its attempt may be running. */
const isLater = (delivery: Delivery, now: DateTime.Utc) => DateTime.isGreaterThan(delivery.due_at, now) && !isLeased(delivery, now)

/** The ids of at most 1000 deliveries of a webhook that wait for their next attempt, those first that wait longest. */
export const waitingOf = Effect.fnUntraced(function* waitingDeliveries(webhook_id: string) {
  const now = yield* DateTime.now
  const rows = yield* (yield* Store).list(Deliveries, { webhook_id }, { limit: 1000, order: "due_at", descending: true })
  return rows.filter((row) => isLater(row, now)).map(({ id }) => id)
})

/** The ids of at most 1000 deliveries of a webhook that were set aside, the oldest first. */
export const setAsideOf = (webhook_id: string) =>
  Effect.map(
    Effect.flatMap(Store, ({ list }) => list(DeadDeliveries, { webhook_id }, { limit: 1000, order: "id" })),
    (rows) => rows.map(({ id }) => id),
  )

/** Enables a webhook that was disabled, also one of the configuration. False if no webhook with this id is disabled or failing. */
export const enable = Effect.fnUntraced(function* enableWebhook<R>(id: string, may: Authority<R>) {
  const { commit, read } = yield* Store
  const unchanged = yield* may(null)
  const state = yield* read(States, { id })
  if (Option.isNone(state)) return false
  yield* commit([...unchanged, removeVersioned(States, state.value)])
  return true
}, retryOnConflict)
