import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import type { Write } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { PendingSignIns } from "../../../domain/sign-in/challenges.ts"
import { Users } from "../../../domain/users/tables.ts"

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

/** The events of sessions and challenges. */
export const events = [sessionEvents, challengeEvents]
