import { DateTime, Effect, Option } from "effect"
import type { SecurityEvent } from "../../../domain/events/security-event.ts"
import { insert, isCommitted, put, removeEach, Store } from "../../../domain/ports/store.ts"
import { matches, type Settings, type Webhook } from "./settings.ts"
import { Deliveries, Distribution, Events, type StoredEvent } from "./tables.ts"
import { enabledWebhooks } from "./webhooks.ts"

/** The body that receivers get. It has ids, but no address and no browser. */
const bodyOf = ({ at, type, ip_address: _, user_agent: __, request_id: ___, trace_id: ____, ...data }: SecurityEvent) =>
  JSON.stringify({ type, timestamp: DateTime.formatIso(at), data })

/** An event as it is stored for distribution. */
export const storedEvent = (event: SecurityEvent): StoredEvent => {
  const { id, type, subject } = event
  return { id, type, subject: `${subject.kind}:${subject.id ?? ""}`, body: bodyOf(event) }
}

/** The writes that store events for distribution. */
export const eventWrites = (events: ReadonlyArray<SecurityEvent>) =>
  Effect.succeed(events.map((event) => insert(Events, storedEvent(event))))

const page = 100
/** Pages of one round: deliveries go on even if events are committed faster than they are distributed. */
const pages = 20

/** Turns each committed event into a delivery for each webhook that subscribes to its type. Only one process distributes an event. */
export const distribute = (settings: Settings) =>
  Effect.gen(function* distributeEvents() {
    for (let left = pages; left > 0; left--) if ((yield* distributePage(settings)) < page) return
  })

/** Distributes a page of events in one commit, and returns their number; 0 if another process was faster. */
const distributePage = Effect.fnUntraced(function* distributePage(settings: Settings) {
  const { list, read } = yield* Store
  // Read before the events: if another process distributes from here on, the revision changes and this commit fails.
  const before = Option.getOrUndefined(yield* read(Distribution, { id: "last" }))
  const events = yield* list(Events, {}, { limit: page, order: "id" })
  if (events.length === 0) return 0
  const deliveries = deliveriesOf(events, yield* enabledWebhooks(settings), yield* DateTime.now)
  const last = put(Distribution, { id: "last", event_id: events.at(-1)!.id }, before?.revision ?? "absent")
  const ids = events.map(({ id }) => id)
  const writes = [last, removeEach(Events, ids), ...deliveries.map((delivery) => insert(Deliveries, delivery))]
  return (yield* isCommitted(writes)) ? events.length : 0
})

const deliveriesOf = (events: ReadonlyArray<StoredEvent>, webhooks: ReadonlyArray<Webhook>, now: DateTime.Utc) =>
  events.flatMap((event) => webhooks.filter(({ types }) => matches(types, event.type)).map(({ id }) => deliveryOf(event, id, now)))

/** The id of the delivery of an event to a webhook. */
export const deliveryId = (event_id: string, webhook_id: string) => `${event_id}:${webhook_id}`

/** A delivery of an event that is due now. */
export const deliveryOf = ({ id, type, subject, body }: StoredEvent, webhook_id: string, now: DateTime.Utc) => {
  const event = { event_id: id, type, subject, body }
  return {
    ...event,
    id: deliveryId(id, webhook_id),
    webhook_id,
    attempts: 0,
    created_at: now,
    due_at: now,
    leased_until: null,
    reason: null,
  }
}
