import { Effect } from "effect"
import { Policies } from "../policies.ts"
import type { StoredUser } from "../users/user.ts"
import { everywhere, type Grants } from "./grants.ts"
import { all, covers } from "./permissions.ts"

/** Whether the user lacks the factor that administrators must have. */
export const lacksRequiredFactor = Effect.fnUntraced(function* lacksRequiredFactor({ id }: Pick<StoredUser, "id">) {
  const { administratorsNeedFactor, factorsHeldBy } = yield* Policies
  return administratorsNeedFactor && !(yield* factorsHeldBy(id)).any
})

/**
 * The grants of a user. None without the required factor: a user who got a role during a session was never challenged to add one.
 */
export const grantsOf = Effect.fnUntraced(function* grantsOfUser(user: StoredUser) {
  const granted = yield* (yield* Policies).granted(user)
  const none: Grants = []
  return granted.length === 0 || (yield* lacksRequiredFactor(user)) ? none : granted
})

/** Whether the user is an administrator, with every permission, and has the required factor. */
export const hasAdministratorRights = Effect.fnUntraced(function* hasAdministratorRights(user: StoredUser) {
  return covers(everywhere(yield* grantsOf(user)), all)
})
