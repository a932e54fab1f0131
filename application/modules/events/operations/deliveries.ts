import { DateTime, Effect, Schema } from "effect"
import { Store } from "../../../../domain/ports/store.ts"
import { liveAt } from "../../../../domain/storage/live.ts"
import { Text } from "../../../../domain/values/text.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { cursorOf, defaultPageSize, NextPage, nextPage, PageInput } from "../../../service/paging.ts"
import { WebhookNotFound } from "../errors.ts"
import type { Settings } from "../settings.ts"
import { DeadDeliveries, Deliveries, type Delivery } from "../tables.ts"
import { isKnown } from "./known.ts"

const State = Schema.Literals(["waiting", "dead"]).annotate({ identifier: "DeliveryState" })

/** The form of a delivery for administrators, without the event itself. */
const ShownDelivery = Schema.Struct({
  id: Schema.String,
  event_id: Schema.String,
  type: Schema.String,
  state: State,
  attempts: Schema.Int,
  reason: Schema.NullOr(Schema.String).pipe(
    Schema.annotateKey({ description: "Why the last attempt failed; null before the first failure." }),
  ),
  created_at: Schema.DateTimeUtc,
  due_at: Schema.NullOr(Schema.DateTimeUtc).pipe(Schema.annotateKey({ description: "The next attempt; null: none follows." })),
}).annotate({ identifier: "WebhookDelivery" })

type Stored = Pick<Delivery, "attempts" | "created_at" | "event_id" | "id" | "reason" | "type">

const shown = ({ id, event_id, type, attempts, created_at, reason }: Stored, due_at: DateTime.Utc | null): typeof ShownDelivery.Type => {
  const state = due_at === null ? "dead" : "waiting"
  return { id, event_id, type, state, attempts, reason, created_at, due_at }
}

/** The place of a delivery: those that wait are sorted by their next attempt, for which there is an index. */
const Place = cursorOf(Schema.Struct({ id: Text, due: Schema.optionalKey(Schema.Int) }))

interface Asked {
  readonly webhook_id: string
  readonly limit: number
  readonly cursor: string | undefined
}

const waiting = Effect.fnUntraced(function* waitingDeliveries({ webhook_id, limit, cursor }: Asked) {
  const { id = "", due = 0 } = cursor === undefined ? {} : Place.read(cursor)
  const after = cursor === undefined ? {} : { after: { id, due_at: DateTime.makeUnsafe(due) } }
  const found = yield* (yield* Store).list(Deliveries, { webhook_id }, { limit: limit + 1, order: "due_at", ...after })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  const next = last === undefined ? null : Place.write({ id: last.id, due: last.due_at.epochMilliseconds })
  return { deliveries: rows.map((row) => shown(row, row.due_at)), next }
})

const dead = Effect.fnUntraced(function* deadDeliveries({ webhook_id, limit, cursor }: Asked) {
  const after = cursor === undefined ? {} : { after: { id: Place.read(cursor).id } }
  const found = yield* (yield* Store).list(DeadDeliveries, { webhook_id }, { limit: limit + 1, order: "id", ...after })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  const isLive = liveAt(DeadDeliveries, yield* DateTime.now)
  const next = last === undefined ? null : Place.write({ id: last.id })
  return { deliveries: rows.filter(isLive).map((row) => shown(row, null)), next }
})

export const deliveryList = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/webhooks/deliveries",
    summary:
      "The deliveries to a webhook that wait, by their next attempt; with the state `dead` those that failed for good, the oldest first.",
    access: { permission: "webhooks:read" },
    input: Schema.Struct({
      webhook_id: Schema.String,
      state: Schema.optionalKey(State),
      ...PageInput,
      cursor: Schema.optionalKey(Place.input),
    }),
    output: Schema.Struct({ deliveries: Schema.Array(ShownDelivery), ...NextPage }),
    errors: [WebhookNotFound],
    handler: Effect.fnUntraced(function* eventsDeliveries({ webhook_id, state = "waiting", ...request }) {
      if (!(yield* isKnown(settings, webhook_id))) return yield* new WebhookNotFound()
      const { limit = defaultPageSize, cursor } = request
      const { deliveries, next } = yield* (state === "dead" ? dead : waiting)({ webhook_id, limit, cursor })
      return Endpoint.reply({ deliveries, ...nextPage(request, next) })
    }),
  })
