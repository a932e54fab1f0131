import { Context, Effect } from "effect"
import { Policies } from "../policies.ts"
import { removeEach, Store } from "../ports/store.ts"
import { Settings } from "../settings.ts"
import { isProved } from "./session.ts"
import { Sessions } from "./tables.ts"

/** The number of sessions that each user has started in this process since the last count in the store; least recently changed first. */
const Begun = Context.Reference("sallyport/SessionLimit/Begun", { defaultValue: () => new Map<string, number>() })

/** The maximum number of users in this map; above it, the user who signed in least recently is removed. */
const mostUsers = 10_000

/**
 * Ends a user's oldest sessions beyond `session.max_per_user`; call it after each new one. The store is queried only after every
 * `max_per_user` / 10 sign-ins, so that most sign-ins need no additional statement. A user can therefore exceed the limit by a tenth for
 * each process.
 */
export const limitSessions = Effect.fnUntraced(function* limitSessions(user_id: string) {
  const { max_per_user } = (yield* Settings).session
  const begun = yield* Begun
  const count = (begun.get(user_id) ?? 0) + 1
  begun.delete(user_id)
  if (count >= max_per_user / 10) return yield* endOldest(user_id, max_per_user)
  begun.set(user_id, count)
  const [first] = begun.keys()
  if (begun.size > mostUsers && first !== undefined) begun.delete(first)
})

const page = 100

/** The new session is already committed: a failure here must not fail the sign-in. */
const endOldest = Effect.fnUntraced(
  function* endOldest(user_id: string, maxSessions: number) {
    const { commit, list } = yield* Store
    const { sessionEnded } = yield* Policies
    const limit = maxSessions + page
    let rowCount = limit
    while (rowCount === limit) {
      const newest = yield* list(Sessions, { user_id }, { limit, order: "created_at", descending: true })
      const ids = newest
        .filter(isProved)
        .slice(maxSessions)
        .map(({ id }) => id)
      if (ids.length > 0) yield* commit([removeEach(Sessions, ids), ...(yield* sessionEnded(user_id))])
      rowCount = newest.length
    }
  },
  Effect.catchCause((cause) => Effect.logWarning("The oldest sessions of a user could not be ended.", cause)),
)
