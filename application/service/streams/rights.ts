import { DateTime, Effect, Result } from "effect"
import { type AuthError, Unauthorized } from "../../../domain/errors.ts"
import type { Machine } from "../../../domain/policies.ts"
import { findEach } from "../../../domain/ports/store.ts"
import { isLive } from "../../../domain/sessions/session.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Settings } from "../../../domain/settings.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { Viewer } from "../graph-field.ts"
import { isViewer } from "./event-stream.ts"
import type { Authorize } from "./reader.ts"
import type { Subscriber } from "./row-watch.ts"

/**
 * The streams whose callers have lost their rights, with the reasons. Two reads check the sessions and users of all streams; the check of
 * a stream then runs once per session. The token or key of a program is read for each of its streams: two of one
 * client can have different tokens.
 */
export const refusals = Effect.fnUntraced(function* refusalsOf(subscribers: ReadonlyArray<Subscriber>, authorize: Authorize) {
  const current = yield* currentViewers(subscribers.map(({ follower }) => follower).filter(isViewer))
  const refused = new Map<Subscriber, AuthError>()
  const checked = new Map<string, Result.Result<void, AuthError>>()
  for (const subscriber of subscribers) {
    const { stream, follower } = subscriber
    if (!isViewer(follower)) {
      const result = yield* Effect.result(Effect.flatMap(currentMachine(follower), (machine) => authorize(stream, machine)))
      if (Result.isFailure(result)) refused.set(subscriber, result.failure)
      continue
    }
    const viewer = current(follower)
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

/** A program with the grants that it has now. Fails if its token or key is not valid any more. */
const currentMachine = (machine: Machine) => Effect.map(machine.reread, ({ grants }): Machine => ({ ...machine, grants }))

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
