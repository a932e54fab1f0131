import { Context, Effect } from "effect"
import { removeEach, Store } from "../ports/store.ts"
import { Settings } from "../settings.ts"
import { Sessions } from "../storage/tables.ts"

/** Sessions that each user has begun in this process since theirs were last counted in the store; the longest unchanged first. */
const Begun = Context.Reference("sallyport/SessionLimit/Begun", { defaultValue: () => new Map<string, number>() })

/** The most users whose sessions are counted; beyond it the one who has signed in least recently is forgotten. */
const mostUsers = 10_000

/**
 * Ends a user's oldest sessions beyond `session.max_per_user`; call it after a new one. The store is asked once in a tenth of
 * that number, so that signing in costs no further statement: a user may have a tenth more for each process.
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

/** The new session exists already: a fault here must not refuse the sign-in. */
const endOldest = Effect.fnUntraced(
  function* endOldest(user_id: string, most: number) {
    const { commit, list } = yield* Store
    const limit = most + page
    let found = limit
    while (found === limit) {
      const newest = yield* list(Sessions, { user_id }, { limit, order: "created_at", descending: true })
      const ids = newest.slice(most).map(({ id }) => id)
      if (ids.length > 0) yield* commit([removeEach(Sessions, ids)])
      found = newest.length
    }
  },
  Effect.catchCause((cause) => Effect.logWarning("The oldest sessions of a user could not be ended.", cause)),
)
