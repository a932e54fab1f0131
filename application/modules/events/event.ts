import { DateTime, Effect } from "effect"
import type { SecurityEvent } from "../../../domain/events/security-event.ts"
import { insert } from "../../../domain/ports/store.ts"
import { Events } from "./tables.ts"

/** What receivers get: ids to look up, and neither address nor browser. */
const bodyOf = ({ at, type, ip_address: _, user_agent: __, request_id: ___, trace_id: ____, ...data }: SecurityEvent) =>
  JSON.stringify({ type, timestamp: DateTime.formatIso(at), data })

/** The writes that store events for distribution. */
export const eventWrites = (events: ReadonlyArray<SecurityEvent>) =>
  Effect.succeed(
    events.map((event) => {
      const { id, type, subject } = event
      return insert(Events, { id, type, subject: `${subject.kind}:${subject.id ?? ""}`, body: bodyOf(event) })
    }),
  )
