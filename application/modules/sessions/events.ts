import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import type { Write } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { PendingSignIns } from "../../../domain/sign-in/challenges.ts"
import { Users } from "../../../domain/users/tables.ts"
import { BrowserHistories } from "./tables.ts"

/** The types of events that only this module has. */
export const types = {
  "sign_in.reported": change("A user reported a sign-in that was not their own, which ended all sessions and the password."),
} as const satisfies EventKinds

/** Whether a commit is about a test user. A commit that opens a session writes or checks the row of its user. */
const isOfTestUser = (writes: ReadonlyArray<Write>, user_id: string) =>
  writes.some((write) => {
    const row = "row" in write ? write.row : "before" in write ? write.before : undefined
    return write.table === Users && row?.["id"] === user_id && row["is_test"] === true
  })

const sessionEvents = rowEvents(Sessions, ({ before, after }, { operation, writes }): ReadonlyArray<Happening> => {
  const { id: session_id, user_id } = after ?? before
  const about = { subject: user(user_id), session_id }
  if (after === null) return [{ type: "session.revoked", ...about }]
  if (before !== null)
    return before.proved_at.epochMilliseconds === after.proved_at.epochMilliseconds ? [] : [{ type: "session.stepped_up", ...about }]
  const opened = isOfTestUser(writes, user_id) ? { ...about, data: { test_user: "true" } } : about
  const isSignIn = operation.signsIn !== undefined && operation.signsIn !== "session"
  return isSignIn
    ? [
        { type: "sign_in.succeeded", ...opened },
        { type: "session.opened", ...opened },
      ]
    : [{ type: "session.opened", ...opened }]
})

const challengeEvents = rowEvents(PendingSignIns, ({ before, after }): ReadonlyArray<Happening> => {
  if (before !== null || after === null) return []
  return [{ type: "sign_in.challenged", subject: user(after.user_id), data: { challenge: after.asked_by } }]
})

const reportEvents = rowEvents(BrowserHistories, ({ before, after }): ReadonlyArray<Happening<keyof typeof types>> => {
  const isReport = after !== null && after.reported_at !== null && after.reported_at !== before?.reported_at
  return isReport ? [{ type: "sign_in.reported", subject: user(after.user_id) }] : []
})

/** The events of sessions and challenges. */
export const events = [sessionEvents, challengeEvents, reportEvents]
