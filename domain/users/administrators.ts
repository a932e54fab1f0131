import { Effect } from "effect"
import { Policies } from "../policies.ts"
import type { User } from "./user.ts"

/** Whether the user lacks the factor that administrators must have. */
export const lacksRequiredFactor = Effect.fnUntraced(function* lacksRequiredFactor({ id }: Pick<User, "id">) {
  const { administratorsNeedFactor, factorsHeldBy } = yield* Policies
  return administratorsNeedFactor && !(yield* factorsHeldBy(id)).any
})

/**
 * Whether the user is an administrator and has the required factor. The factor is checked here too, since a user who became an
 * administrator during a session was never challenged to add one.
 */
export const hasAdministratorRights = Effect.fnUntraced(function* hasAdministratorRights(user: User) {
  return (yield* (yield* Policies).isAdministrator(user)) && !(yield* lacksRequiredFactor(user))
})
