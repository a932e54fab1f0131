import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { PendingSignIns } from "../../../domain/sign-in/challenges.ts"

const sessionEvents = rowEvents(Sessions, ({ before, after }, { operation }): ReadonlyArray<Happening> => {
  const { id: session_id, user_id } = after ?? before
  const about = { subject: user(user_id), session_id }
  if (after === null) return [{ type: "session.revoked", ...about }]
  if (before !== null)
    return before.proved_at.epochMilliseconds === after.proved_at.epochMilliseconds ? [] : [{ type: "session.stepped_up", ...about }]
  const isSignIn = operation.signsIn !== undefined && operation.signsIn !== "session"
  return isSignIn
    ? [
        { type: "sign_in.succeeded", ...about },
        { type: "session.opened", ...about },
      ]
    : [{ type: "session.opened", ...about }]
})

const challengeEvents = rowEvents(PendingSignIns, ({ before, after }): ReadonlyArray<Happening> => {
  if (before !== null || after === null) return []
  return [{ type: "sign_in.challenged", subject: user(after.user_id), data: { challenge: after.asked_by } }]
})

/** The events of sessions and challenges. */
export const events = [sessionEvents, challengeEvents]
