import { Effect } from "effect"
import { Policies } from "../policies.ts"
import type { User } from "./user.ts"

/** Whether the user lacks the factor that administrators must hold. */
export const lacksRequiredFactor = Effect.fnUntraced(function* lacksRequiredFactor({ id }: Pick<User, "id">) {
  const { administratorsNeedFactor, factorsHeldBy } = yield* Policies
  return administratorsNeedFactor && !(yield* factorsHeldBy(id)).any
})

/** Whether the user has the rights of an administrator: a user who became one during a session was never challenged to add a factor. */
export const hasAdministratorRights = Effect.fnUntraced(function* hasAdministratorRights(user: User) {
  return (yield* (yield* Policies).isAdministrator(user)) && !(yield* lacksRequiredFactor(user))
})
