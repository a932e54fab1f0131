import { DateTime, Effect, Option } from "effect"
import { insert, remove, removeVersioned, Store } from "../../../domain/ports/store.ts"
import { DeadDeliveries, Deliveries, States } from "./tables.ts"

/** Deliveries that wait, then those that were set aside, without their content. */
export const listDeliveries = Effect.fnUntraced(function* listDeliveries(limit: number) {
  const { list } = yield* Store
  const waiting = yield* list(Deliveries, {}, { limit, order: "id" })
  const dead = yield* list(DeadDeliveries, {}, { limit: Math.max(1, limit - waiting.length), order: "id", descending: true })
  return [
    ...waiting.map(({ id, webhook_id, type, attempts, created_at, due_at }) => ({
      id,
      webhook_id,
      type,
      state: "waiting",
      attempts,
      created_at,
      due_at,
      reason: null,
    })),
    ...dead.map(({ id, webhook_id, type, attempts, created_at, reason }) => ({
      id,
      webhook_id,
      type,
      state: "set aside",
      attempts,
      created_at,
      due_at: null,
      reason,
    })),
  ].slice(0, limit)
})

/** Makes a delivery that was set aside due again, with all attempts. False if there is none with this id. */
export const replay = Effect.fnUntraced(function* replayDelivery(id: string) {
  const { commit, read } = yield* Store
  const found = Option.getOrUndefined(yield* read(DeadDeliveries, { id }))
  if (found === undefined) return false
  const { reason: _, died_at: __, expires_at: ___, ...delivery } = found.row
  const due_at = yield* DateTime.now
  const writes = [removeVersioned(DeadDeliveries, found), insert(Deliveries, { ...delivery, attempts: 0, created_at: due_at, due_at })]
  return yield* Effect.match(commit(writes), { onSuccess: () => true, onFailure: () => false })
})

/** The ids of the deliveries of a webhook that were set aside, the oldest first. */
export const setAsideOf = (webhook_id: string) =>
  Effect.map(
    Effect.flatMap(Store, ({ list }) => list(DeadDeliveries, { webhook_id }, { limit: 1000, order: "id" })),
    (rows) => rows.map(({ id }) => id),
  )

/** Enables a webhook that was disabled, also one of the configuration. */
export const enable = (id: string) => Effect.flatMap(Store, ({ commit }) => Effect.orDie(commit([remove(States, id)])))
