import { Effect, Option } from "effect"
import { impersonationOf } from "../../../../domain/administration/impersonations.ts"
import type { Write } from "../../../../domain/ports/store.ts"
import { isProved, type StoredSession } from "../../../../domain/sessions/session.ts"
import type { Actor } from "./actor.ts"

/** Who acts for the user in a session, and the writes that make a commit fail once its tokens must not be valid any more. */
interface Holding {
  /** Null: the user alone. */
  readonly actors: ReadonlyArray<Actor> | null
  readonly checks: ReadonlyArray<Write>
}

/** The holding of a session, with the checks of one in its user's own hands; none if its impersonation has ended. */
export const holdingOf = Effect.fnUntraced(function* holdingOf(session: StoredSession, checks: ReadonlyArray<Write>) {
  if (isProved(session)) return Option.some<Holding>({ actors: null, checks })
  return Option.map(
    yield* impersonationOf(session.id),
    (found): Holding => ({ actors: [{ kind: "user", id: found.impersonation.impersonator_user_id }], checks: found.checks }),
  )
})
