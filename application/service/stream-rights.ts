import { DateTime, Effect, Result } from "effect"
import { type AuthError, Unauthorized } from "../../domain/errors.ts"
import { findEach } from "../../domain/ports/store.ts"
import { isLive } from "../../domain/sessions/session.ts"
import { Sessions } from "../../domain/sessions/tables.ts"
import { Settings } from "../../domain/settings.ts"
import { Users } from "../../domain/users/tables.ts"
import type { Viewer } from "./graph-field.ts"
import type { Subscriber } from "./row-watch.ts"
import type { Authorize } from "./stream-reader.ts"

/**
 * The streams whose callers have lost their rights, with the reasons. Two reads check the sessions and users of all streams; the check of
 * a stream then runs once per session.
 */
export const refusals = Effect.fnUntraced(function* refusalsOf(subscribers: ReadonlyArray<Subscriber>, authorize: Authorize) {
  const current = yield* currentViewers(subscribers.map(({ viewer }) => viewer))
  const refused = new Map<Subscriber, AuthError>()
  const checked = new Map<string, Result.Result<void, AuthError>>()
  for (const subscriber of subscribers) {
    const { stream } = subscriber
    const viewer = current(subscriber.viewer)
    if (viewer === undefined) {
      refused.set(subscriber, new Unauthorized())
      continue
    }
    const key = `${stream.name} ${viewer.session.id}`
    const result = checked.get(key) ?? (yield* Effect.result(authorize(stream, viewer)))
    checked.set(key, result)
    if (Result.isFailure(result)) refused.set(subscriber, result.failure)
  }
  return refused
})

/** Looks viewers up as they are now: undefined if the session has ended, or has a new token since a step-up. */
const currentViewers = Effect.fnUntraced(function* currentViewers(viewers: ReadonlyArray<Viewer>) {
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const [sessionIds, userIds] = [viewers.map(({ session }) => session.id), viewers.map(({ user }) => user.id)]
  const sessions = yield* findEach(Sessions, sessionIds)
  const users = yield* findEach(Users, userIds)
  return ({ session: { id, token_hash }, user, credential }: Viewer): Viewer | undefined => {
    const session = sessions.get(id)
    const present = users.get(user.id)
    const isValid = session !== undefined && session.token_hash === token_hash && isLive(session, now, lifetimes)
    return isValid && present !== undefined ? { session, user: present, credential } : undefined
  }
})
