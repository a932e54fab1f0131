import { Effect } from "effect"
import { rowEvents } from "../../../domain/events/row-events.ts"
import type { Happening, Party } from "../../../domain/events/security-event.ts"
import * as Module from "../../service/module.ts"
import { deliverAll } from "./deliver.ts"
import { distribute } from "./distribute.ts"
import { endpoints } from "./endpoints.ts"
import { eventWrites } from "./event.ts"
import { Settings } from "./settings.ts"
import { DeadDeliveries, Deliveries, Distribution, Events, States, Webhooks } from "./tables.ts"
import { countDisabled } from "./webhooks.ts"

const webhook = (id: string): Party => ({ kind: "webhook", id })

const webhookEvents = rowEvents(Webhooks, ({ before, after }): ReadonlyArray<Happening> => {
  const subject = webhook((after ?? before).id)
  if (before === null) return [{ type: "webhook.created", subject }]
  return [{ type: after === null ? "webhook.deleted" : "webhook.updated", subject }]
})

const stateEvents = rowEvents(States, ({ before, after }): ReadonlyArray<Happening> => {
  if (after === null || after.disabled_at === null || (before?.disabled_at ?? null) !== null) return []
  return [{ type: "webhook.disabled", subject: webhook(after.id), data: { why: after.reason } }]
})

/** Sends security events to other services by webhooks. */
export const events = Module.define({
  name: "events",
  settings: Settings,
  faults: ({ webhooks }) =>
    webhooks.flatMap(({ id }, at) =>
      webhooks.findIndex((other) => other.id === id) === at ? [] : [{ path: ["webhooks", at, "id"], wanted: "each id once" }],
    ),
  parts: (settings) => ({
    tables: [Events, Distribution, Webhooks, States, Deliveries, DeadDeliveries],
    endpoints: endpoints(settings),
    rowEvents: [webhookEvents, stateEvents],
    recorded: eventWrites,
    gauges: [{ name: "sallyport_webhooks_disabled", description: "Webhooks that are disabled.", run: countDisabled(settings) }],
    background: [{ every: 1000, run: Effect.andThen(distribute(settings), deliverAll(settings)) }],
  }),
})
