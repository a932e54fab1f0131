import { DateTime, Effect } from "effect"
import type { SecurityEvent } from "../../../domain/events/security-event.ts"
import type { AskedEvents } from "../../../domain/policies.ts"
import { Store } from "../../../domain/ports/store.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import { firstIdAt } from "../../../domain/storage/new-id.ts"
import { shownToOwners } from "./list.ts"
import { type AuditRecord, Records } from "./tables.ts"

const rowsOf = Effect.fnUntraced(function* askedRows(asked: AskedEvents) {
  const { list, listForEach } = yield* Store
  if ("ids" in asked) return (yield* listForEach(Records, "id", asked.ids, { limit: 1 })).flat()
  const { since, until, limit } = asked
  const after = { id: firstIdAt(DateTime.toEpochMillis(since)) }
  const rows = yield* list(Records, {}, { limit, order: "id", after })
  return rows.filter(({ at }) => until === null || DateTime.isLessThan(at, until))
})

/** The event of a record, without its note. */
export const eventOf = (row: AuditRecord) => shownToOwners(row) as SecurityEvent

/** The events of records, without notes and in the order of their ids, to send them once more. */
export const recordedEvents = Effect.fnUntraced(function* recordedEvents(asked: AskedEvents) {
  const isLive = liveAt(Records, yield* DateTime.now)
  const rows = (yield* rowsOf(asked)).filter(isLive)
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(eventOf)
})
