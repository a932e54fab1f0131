import { DateTime, Duration, Effect } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { Deliveries } from "./tables.ts"

const mostCounted = 1000

/** Ids begin with those of the events, so the first delivery is the oldest. */
export const health = Effect.gen(function* webhookHealth() {
  const rows = yield* (yield* Store).list(Deliveries, {}, { limit: mostCounted + 1, order: "id" })
  const [oldest] = rows
  const waited = oldest === undefined ? 0 : Duration.toSeconds(DateTime.distance(oldest.created_at, yield* DateTime.now))
  const waiting = Math.min(rows.length, mostCounted)
  return { queue: { receiver: "webhook", waiting, capped: rows.length > mostCounted, oldest_s: Math.max(0, Math.floor(waited)) } }
})
