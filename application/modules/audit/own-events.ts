import { type EventKinds, often } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import type { Happening } from "../../../domain/events/security-event.ts"
import { Days } from "./tables.ts"

/** The types of events that only this module has. */
export const types = {
  "audit.sealed": often("The records of a day were sealed; the event has the last seal of the day."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof types>

/** Reports seals outside of the service: with the database and the secret, an attacker could compute a whole new chain. */
const sealEvents = rowEvents(Days, ({ before, after }): ReadonlyArray<Own> => {
  if (before !== null || after === null) return []
  const { day, number, digest, key_id } = after
  return [{ type: "audit.sealed", subject: { kind: "service", id: null }, data: { day, number: String(number), digest, key_id } }]
})

export const events = [sealEvents]
