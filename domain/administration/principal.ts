import { Context, Effect, Option } from "effect"
import { type AuthError, Forbidden } from "../errors.ts"
import { Policies } from "../policies.ts"
import { check, Store, type Write } from "../ports/store.ts"
import { CurrentSession } from "../sessions/caller.ts"
import { Users } from "../users/tables.ts"
import type { User } from "../users/user.ts"
import { lacksRequiredFactor, permissionsOf } from "./administrators.ts"
import { covers, none, type Permission, type Permitted } from "./permissions.ts"

/** The caller of an endpoint with a permission. */
export class CurrentPrincipal extends Context.Service<
  CurrentPrincipal,
  {
    readonly user_id: string
    /** The permission that the endpoint needs. Null: any. */
    readonly permission: Permission | null
    readonly permissions: Permitted
  }
>()("sallyport/CurrentPrincipal") {}

/** The principal of the current session. Fails without the permission, or, if it is null, without any. */
export const principalWith = Effect.fnUntraced(function* principalWith(permission: Permission | null) {
  const { user } = yield* CurrentSession
  const permissions = yield* (yield* Policies).granted(user)
  if (!isPermitted(permissions, permission)) return yield* new Forbidden()
  if (yield* lacksRequiredFactor(user))
    return yield* new Forbidden({ message: "Administrators need a second factor or a passkey here. Sign in again to add one." })
  return { user_id: user.id, permission, permissions }
})

const isPermitted = (own: Permitted, permission: Permission | null) => (permission === null ? own.size > 0 : own.has(permission))

/**
 * Decides in the attempt of a commit whether the caller may change this user, or give a role with these permissions. Returns the writes
 * that make the commit fail if the caller's own rights change in between.
 */
export type Authority<out R = never> = (
  target: User | null,
  role?: Permitted,
) => Effect.Effect<ReadonlyArray<Write>, AuthError<"forbidden">, R>

/** The operator, who may do everything. */
export const operator: Authority = () => Effect.succeed([])

/**
 * A principal never acts upward: it changes only users whose permissions it has itself, and gives only such roles. Otherwise who may
 * ban users could ban administrators. Whoever changes a role writes the row of its user.
 */
export const ofPrincipal = Effect.fnUntraced(function* authorityOfPrincipal(target: User | null, role: Permitted = none) {
  const { user_id, permission } = yield* CurrentPrincipal
  const actor = yield* (yield* Store).read(Users, { id: user_id })
  if (Option.isNone(actor)) return yield* new Forbidden()
  const own = yield* permissionsOf(actor.value.row)
  const isOneself = target?.id === user_id
  const theirs = target === null || isOneself ? none : yield* (yield* Policies).granted(target)
  if (!isPermitted(own, permission) || !covers(own, theirs) || !covers(own, role)) return yield* new Forbidden()
  return isOneself ? [] : [check(Users, actor.value)]
})
