import { change, type EventKinds } from "../../../../domain/events/event-types.ts"
import { rowEvents } from "../../../../domain/events/row-events.ts"
import type { Happening, Party } from "../../../../domain/events/security-event.ts"
import { States } from "../tables.ts"
import { WebhookOperations } from "./table.ts"

export const operationTypes = {
  "webhook.enabled": change("An administrator enabled a webhook that was turned off."),
  "webhook.replayed": change("An administrator had events sent to a webhook once more."),
  "webhook.tested": change("An administrator sent a message to a webhook to test it."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof operationTypes>

const webhook = (id: string): Party => ({ kind: "webhook", id })

/** What administrators do with webhooks. */
export const operationEvents = [
  rowEvents(WebhookOperations, ({ after }): ReadonlyArray<Own> => {
    if (after === null) return []
    const subject = webhook(after.webhook_id)
    if (after.operation === "test") return [{ type: "webhook.tested", subject }]
    return [{ type: "webhook.replayed", subject, data: { deliveries: String(after.deliveries) } }]
  }),
  rowEvents(States, ({ before, after }, { operation }): ReadonlyArray<Own> => {
    if (after !== null || before.disabled_at === null || operation.path !== "/admin/webhooks/enable") return []
    return [{ type: "webhook.enabled", subject: webhook(before.id) }]
  }),
]
