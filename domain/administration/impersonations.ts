import { DateTime, Effect, Option } from "effect"
import { Policies } from "../policies.ts"
import { check, Store, type Write } from "../ports/store.ts"
import { type Impersonation, Impersonations } from "../sessions/impersonation.ts"
import { isLive } from "../sessions/session.ts"
import { verifiedTokenHash } from "../sessions/session-token.ts"
import { Sessions } from "../sessions/tables.ts"
import { Settings } from "../settings.ts"
import { Users } from "../users/tables.ts"
import { grantsOf } from "./administrators.ts"
import { everywhere } from "./grants.ts"

/**
 * The writes that make a commit fail once an impersonation has ended; none if it has: after its end, the end of either session, or when its
 * administrator lost the right or its user became an administrator.
 */
export const standing = Effect.fnUntraced(function* standingOf({ state, ...row }: Impersonation) {
  const { readWithReferenced } = yield* Store
  const { session: lifetimes } = yield* Settings
  const now = yield* DateTime.now
  const own = yield* readWithReferenced(Sessions, { id: row.session_id }, "user_id")
  const theirs = yield* readWithReferenced(Sessions, { id: row.impersonator_session_id }, "user_id")
  if (state === "ended" || Option.isNone(own) || Option.isNone(theirs)) return Option.none<ReadonlyArray<Write>>()
  const [[session, user], [actingSession, impersonator]] = [own.value, theirs.value]
  if (![session, actingSession].every((each) => isLive(each.row, now, lifetimes))) return Option.none()
  const isPermitted = everywhere(yield* grantsOf(impersonator.row)).has("users:impersonate")
  if (!isPermitted || (yield* (yield* Policies).granted(user.row)).length > 0) return Option.none()
  return Option.some([check(Sessions, session), check(Users, user), check(Sessions, actingSession), check(Users, impersonator)])
})

/** The impersonation with this session, unless it has ended, and the writes that make a commit fail once it has. */
export const impersonationOf = Effect.fnUntraced(function* impersonationOf(session_id: string) {
  if (!(yield* Policies).tables.includes(Impersonations)) return Option.none()
  const found = yield* (yield* Store).read(Impersonations, { session_id })
  if (Option.isNone(found)) return Option.none()
  const impersonation = found.value.row
  return Option.map(yield* standing(impersonation), (checks) => ({ impersonation, checks }))
})

/** The same for the credential of its session. */
export const impersonationWith = Effect.fnUntraced(function* impersonationWith(credential: string) {
  const token_hash = yield* verifiedTokenHash(credential)
  if (token_hash === null) return Option.none()
  const session = yield* (yield* Store).read(Sessions, { token_hash })
  return Option.isNone(session) ? Option.none() : yield* impersonationOf(session.value.row.id)
})
