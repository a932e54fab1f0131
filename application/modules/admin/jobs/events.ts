import { partyOf } from "../../../../domain/administration/later.ts"
import { change, type EventKinds } from "../../../../domain/events/event-types.ts"
import { rowEvents } from "../../../../domain/events/row-events.ts"
import type { Happening } from "../../../../domain/events/security-event.ts"
import { Jobs } from "./tables.ts"

export const jobTypes = {
  "job.created": change("An administrator started an operation on many users."),
  "job.finished": change("An operation on many users ended, failed or was cancelled."),
} as const satisfies EventKinds

/** The events of jobs. Their subject is the administrator; each changed user has events of its own. */
export const jobEvents = [
  rowEvents(Jobs, ({ before, after }): ReadonlyArray<Happening<keyof typeof jobTypes>> => {
    if (after === null) return []
    const { id, operation, state, succeeded, failed, code } = after
    const subject = partyOf(after.initiator)
    if (before === null) return [{ type: "job.created", subject, data: { job: id, job_operation: operation } }]
    if (before.finished_at !== null || after.finished_at === null) return []
    const data = { job: id, job_operation: operation, state, succeeded: String(succeeded), failed: String(failed) }
    return [{ type: "job.finished", subject, data, ...(code === null ? {} : { outcome: "failure", reason: code }) }]
  }),
]
