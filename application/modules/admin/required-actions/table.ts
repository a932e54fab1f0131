import { DateTime, Effect, Schema } from "effect"
import { Policies } from "../../../../domain/policies.ts"
import { Store } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { Settings } from "../../../../domain/settings.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { User } from "../../../../domain/users/user.ts"
import { isSynthetic } from "../../../../domain/values/text.ts"

/** What a user can be required to do before the next session, in the order in which sign-ins ask for it. */
export const actions = ["change_password", "verify_email", "enrol_factor"] as const
export const RequiredActionName = Schema.Literals(actions).annotate({ identifier: "RequiredActionName" })
export type RequiredActionName = typeof RequiredActionName.Type

const RequiredAction = Schema.Struct({
  /** The user's id and the action. */
  id: Schema.String,
  user_id: Schema.String,
  action: Schema.String,
  created_at: Schema.DateTimeUtc,
})

/** What users have to do. An operation that adds a row must also write the user: see `Challenges.make`. */
export const RequiredActions = Table.make("required_action", RequiredAction, {
  key: "id",
  references: { user_id: Users },
  data: { personal: ["action", "created_at"], other: ["id", "user_id"] },
})

export const keyOf = (user_id: string, action: RequiredActionName): string => `${user_id}:${action}`

export const requiredRow = (user_id: string, action: RequiredActionName) =>
  Effect.map(DateTime.now, (created_at) => ({ id: keyOf(user_id, action), user_id, action, created_at }))

/** The actions with rows for this user, in their order. A later version may have written one that this version does not know. */
export const requiredOf = Effect.fnUntraced(function* requiredOf(user_id: string) {
  const rows = yield* (yield* Store).list(RequiredActions, { user_id }, { limit: actions.length })
  return actions.filter((action) => rows.some((row) => row.action === action))
})

/** Whether this service can ask for the action: otherwise the user could never sign in again. */
export const canAsk = Effect.fnUntraced(function* canAsk(action: RequiredActionName) {
  if (action === "change_password") return (yield* Settings).email_password.enabled
  return action === "verify_email" || (yield* Policies).factorEnrolment !== undefined
})

/** Whether the user still has to do the action. One who verified the address or added a factor elsewhere has done it. */
export const isOpen = Effect.fnUntraced(function* isOpen(user: User, action: RequiredActionName) {
  if (!(yield* canAsk(action))) return false
  if (action === "verify_email") return !user.email_verified && !isSynthetic(user.email)
  return action === "change_password" || !(yield* (yield* Policies).factorsHeldBy(user.id)).any
})
