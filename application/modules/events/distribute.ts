import { DateTime, Effect, Option } from "effect"
import { insert, removeVersioned, Store } from "../../../domain/ports/store.ts"
import { matches, type Settings, type Webhook } from "./settings.ts"
import { Deliveries, Events } from "./tables.ts"
import { enabledWebhooks } from "./webhooks.ts"

const page = 100

/** Turns each committed event into a delivery for each webhook that wants it. Of two processes, one distributes an event. */
export const distribute = (settings: Settings) =>
  Effect.gen(function* distributeEvents() {
    const { list } = yield* Store
    while (true) {
      const events = yield* list(Events, {}, { limit: page, order: "id" })
      if (events.length === 0) return
      const webhooks = yield* enabledWebhooks(settings)
      for (const { id } of events) yield* distributeOne(id, webhooks)
      if (events.length < page) return
    }
  })

const distributeOne = Effect.fnUntraced(function* distributeOne(id: string, webhooks: ReadonlyArray<Webhook>) {
  const { commit, read } = yield* Store
  const event = Option.getOrUndefined(yield* read(Events, { id }))
  if (event === undefined) return
  const { type, subject, body } = event.row
  const now = yield* DateTime.now
  const deliveries = webhooks
    .filter(({ types }) => matches(types, type))
    .map((webhook) =>
      insert(Deliveries, {
        id: `${id}:${webhook.id}`,
        webhook_id: webhook.id,
        event_id: id,
        type,
        subject,
        body,
        attempts: 0,
        created_at: now,
        due_at: now,
      }),
    )
  yield* commit([removeVersioned(Events, event), ...deliveries]).pipe(
    Effect.catchTags({ Conflict: () => Effect.void, Taken: () => Effect.void }),
  )
})
