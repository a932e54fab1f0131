import { DateTime, Effect, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { InvalidRequest } from "../../../../domain/errors.ts"
import type { SecurityEvent } from "../../../../domain/events/security-event.ts"
import { Policies } from "../../../../domain/policies.ts"
import { commitOrConflict, insert, removeEach, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { millisOf } from "../../../../domain/storage/new-id.ts"
import { Text } from "../../../../domain/values/text.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { deliveryId, deliveryOf, storedEvent } from "../distribute.ts"
import { WebhookNotFound } from "../errors.ts"
import { hastening } from "../replay.ts"
import { matches, type Settings } from "../settings.ts"
import { DeadDeliveries, Deliveries } from "../tables.ts"
import { enabledWebhook } from "./known.ts"
import { noted } from "./table.ts"

/** Events of one request: its commit adds a delivery for each. */
const most = 1000

const Replay = Schema.Struct({
  webhook_id: Schema.String,
  event_ids: Schema.optionalKey(Schema.NonEmptyArray(Text).check(Schema.isMaxLength(100))),
  since: Schema.optionalKey(Schema.DateTimeUtcFromString),
  until: Schema.optionalKey(Schema.DateTimeUtcFromString),
})

/** The events that a request names, and the moment from which another request reads on; null at their end. */
const named = Effect.fnUntraced(function* namedEvents({ event_ids, since, until }: typeof Replay.Type) {
  const { recordedEvents } = yield* Policies
  if (event_ids !== undefined && since === undefined && until === undefined)
    return { events: yield* recordedEvents({ ids: event_ids }), next_since: null }
  if (event_ids !== undefined || since === undefined)
    return yield* new InvalidRequest({ message: "Expected either event_ids, or since with or without until." })
  const found = yield* recordedEvents({ since, until: until ?? null, limit: most + 1 })
  const next = found[most]
  // The id decides where a range begins: its time can be earlier than that of the event.
  return { events: found.slice(0, most), next_since: next === undefined ? null : DateTime.makeUnsafe(millisOf(next.id)) }
})

/** The writes that send events once more. A delivery that waits is not added again. */
const writesFor = Effect.fnUntraced(function* deliveriesAgain(webhook_id: string, events: ReadonlyArray<SecurityEvent>) {
  const { listForEach } = yield* Store
  const now = yield* DateTime.now
  const wanted = events.map((event) => deliveryOf(storedEvent(event), webhook_id, now))
  const ids = wanted.map(({ id }) => id)
  const waiting = new Set((yield* listForEach(Deliveries, "id", ids, { limit: 1 })).flat().map(({ id }) => id))
  const added = wanted.filter(({ id }) => !waiting.has(id))
  const removals = removeEach(
    DeadDeliveries,
    added.map(({ id }) => id),
  )
  return { added: added.length, writes: [removals, ...added.map((delivery) => insert(Deliveries, delivery))] }
})

/** The writes by which deliveries that wait are sent now. They need no record of the event, which the delivery contains. */
const hastenings = (webhook_id: string, event_ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(new Set(event_ids), (id) => hastening(deliveryId(id, webhook_id)), { concurrency: 4 }),
    (found) => found.flat(),
  )

export const replayEndpoint = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/webhooks/replay",
    summary:
      "Sends recorded events once more, with their ids and a new signature: those with these ids, at once if they wait, or the first 1,000 from `since` until `until`. Only types of events that the webhook gets.",
    access: { permission: "webhooks:write" },
    input: Replay,
    output: Schema.Struct({
      queued: Schema.Int,
      next_since: Schema.NullOr(Schema.DateTimeUtc).pipe(
        Schema.annotateKey({ description: "The `since` of the next request; null: there are no more events." }),
      ),
    }),
    errors: [WebhookNotFound],
    handler: Effect.fnUntraced(function* eventsReplay(asked) {
      const { webhook_id } = asked
      const unchanged = yield* ofPrincipal(null)
      const { types } = yield* enabledWebhook(settings, webhook_id)
      const { events, next_since } = yield* named(asked)
      const subscribed = events.filter(({ type }) => matches(types, type))
      const { added, writes } = yield* writesFor(webhook_id, subscribed)
      const hastened = yield* hastenings(webhook_id, asked.event_ids ?? [])
      const queued = added + hastened.length
      yield* commitOrConflict([...unchanged, ...writes, ...hastened, yield* noted(webhook_id, "replay", queued)])
      return Endpoint.reply({ queued, next_since })
    }, retryOnConflict),
  })
