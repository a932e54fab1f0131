import { change, type EventKinds } from "../../../../domain/events/event-types.ts"
import { rowEvents } from "../../../../domain/events/row-events.ts"
import type { Happening } from "../../../../domain/events/security-event.ts"
import { DeadLetters, PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { discardPath, retryPath } from "./outbox.ts"

export const operationTypes = {
  "outbox.retried": change("An administrator had a message of the outbox sent again."),
  "outbox.discarded": change("An administrator removed a message from the outbox."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof operationTypes>

const about = (id: string): Pick<Own, "data" | "subject"> => ({ subject: { kind: "service", id: null }, data: { message: id } })

/** What administrators do to messages. Deliveries, and the commits that store or remove messages for other reasons, are no events. */
export const operationEvents = [
  rowEvents(PendingMessages, ({ before, after }, { operation }): ReadonlyArray<Own> => {
    if (after !== null) return operation.path === retryPath ? [{ type: "outbox.retried", ...about(after.id) }] : []
    return operation.path === discardPath ? [{ type: "outbox.discarded", ...about(before.id) }] : []
  }),
  rowEvents(DeadLetters, ({ before, after }, { operation }): ReadonlyArray<Own> => {
    if (after !== null || operation.path !== discardPath) return []
    return [{ type: "outbox.discarded", ...about(before.id) }]
  }),
]
