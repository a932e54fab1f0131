import { DateTime, Effect } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import type { Settings } from "./settings.ts"
import { DeadDeliveries, Deliveries } from "./tables.ts"
import { countDisabled } from "./webhooks.ts"

/** The largest number that a gauge counts. */
const limit = 1000

const count = (table: typeof Deliveries | typeof DeadDeliveries) =>
  Effect.flatMap(Store, ({ list }) => Effect.map(list(table, {}, { limit, order: "id" }), ({ length }) => length))

/** By how many seconds the queue is behind: since when the next delivery has been due. A pause after a failure does not count. */
const delay = Effect.gen(function* deliveryDelay() {
  const [next] = yield* (yield* Store).list(Deliveries, {}, { limit: 1, order: "due_at" })
  if (next === undefined) return 0
  return Math.max(0, (DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(next.due_at)) / 1000)
})

/** The state of the queue of deliveries. */
export const gauges = (settings: Settings) => [
  { name: "sallyport_webhooks_disabled", description: "Webhooks that are disabled.", run: countDisabled(settings) },
  { name: "sallyport_webhook_pending", description: `Deliveries that wait; at most ${limit} are counted.`, run: count(Deliveries) },
  {
    name: "sallyport_webhook_dead",
    description: `Deliveries that were set aside; at most ${limit} are counted.`,
    run: count(DeadDeliveries),
  },
  { name: "sallyport_webhook_delay_seconds", description: "Since when the next delivery has been due.", run: delay },
]
