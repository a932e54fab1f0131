import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import type { Happening, Party } from "../../../domain/events/security-event.ts"
import { States, Webhooks } from "./tables.ts"

/** The types of events that only this module has. */
export const types = {
  "webhook.created": change("A webhook was added."),
  "webhook.updated": change("A webhook changed, or got a new secret."),
  "webhook.disabled": change("A webhook was turned off, because its receiver refused or failed for too long."),
  "webhook.deleted": change("A webhook was removed."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof types>

const webhook = (id: string): Party => ({ kind: "webhook", id })

const webhookEvents = rowEvents(Webhooks, ({ before, after }): ReadonlyArray<Own> => {
  const subject = webhook((after ?? before).id)
  if (before === null) return [{ type: "webhook.created", subject }]
  return [{ type: after === null ? "webhook.deleted" : "webhook.updated", subject }]
})

const stateEvents = rowEvents(States, ({ before, after }): ReadonlyArray<Own> => {
  if (after === null || after.disabled_at === null || (before?.disabled_at ?? null) !== null) return []
  return [{ type: "webhook.disabled", subject: webhook(after.id), data: { why: after.reason } }]
})

/** The events of webhooks. */
export const events = [webhookEvents, stateEvents]
