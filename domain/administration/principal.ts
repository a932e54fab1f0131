import { Context, Effect, Option } from "effect"
import { type AuthError, Forbidden, Unauthorized } from "../errors.ts"
import { type Machine, Policies } from "../policies.ts"
import { check, orFail, Store, type Write } from "../ports/store.ts"
import { CurrentSession } from "../sessions/caller.ts"
import { Users } from "../users/tables.ts"
import type { User } from "../users/user.ts"
import { lacksRequiredFactor, permissionsOf } from "./administrators.ts"
import { covers, type Held, none, type Permission, type Permitted } from "./permissions.ts"

/** The caller of an endpoint with a permission. */
export class CurrentPrincipal extends Context.Service<
  CurrentPrincipal,
  {
    readonly kind: "user" | "client"
    readonly id: string
    /** The permission that the endpoint needs. Null: any. */
    readonly permission: Permission | null
    readonly permissions: Permitted
    /** What the caller is permitted at this moment. */
    readonly reread: Effect.Effect<Held, AuthError<"forbidden" | "unauthorized">, Policies | Store>
  }
>()("sallyport/CurrentPrincipal") {}

/** A client of the identity provider that calls with an access token of its own. */
export class CurrentMachine extends Context.Service<CurrentMachine, Machine>()("sallyport/CurrentMachine") {}

/** The principal of this call. Fails without the permission, or, if it is null, without any. */
export const principalWith = Effect.fnUntraced(function* principalWith(permission: Permission | null) {
  const machine = yield* Effect.serviceOption(CurrentMachine)
  if (Option.isSome(machine)) {
    const { client_id, permissions, reread } = machine.value
    if (!isPermitted(permissions, permission)) return yield* new Forbidden()
    return CurrentPrincipal.of({ kind: "client", id: client_id, permission, permissions, reread })
  }
  const { user } = yield* CurrentSession
  const permissions = yield* (yield* Policies).granted(user)
  if (!isPermitted(permissions, permission)) return yield* new Forbidden()
  if (yield* lacksRequiredFactor(user))
    return yield* new Forbidden({ message: "Administrators need a second factor or a passkey here. Sign in again to add one." })
  return CurrentPrincipal.of({ kind: "user", id: user.id, permission, permissions, reread: heldBy(user) })
})

const isPermitted = (own: Permitted, permission: Permission | null) => (permission === null ? own.size > 0 : own.has(permission))

const heldBy = Effect.fnUntraced(function* permissionsHeldBy({ id }: User) {
  const user = yield* orFail((yield* Store).read(Users, { id }), () => new Unauthorized())
  return { permissions: yield* permissionsOf(user.row), checks: [check(Users, user)] }
})

/**
 * Decides in the attempt of a commit whether the caller may change this user, or give a role with these permissions. Returns the writes
 * that make the commit fail if the caller's own rights change in between.
 */
export type Authority<out R = never> = (
  target: User | null,
  role?: Permitted,
) => Effect.Effect<ReadonlyArray<Write>, AuthError<"forbidden" | "unauthorized">, R>

/** The operator, who may do everything. */
export const operator: Authority = () => Effect.succeed([])

/**
 * A principal never acts upward: it changes only users whose permissions it has itself, and gives only such roles. Otherwise who may
 * ban users could ban administrators. Whoever changes a role writes the row of its user.
 */
export const ofPrincipal = Effect.fnUntraced(function* authorityOfPrincipal(target: User | null, role: Permitted = none) {
  const { kind, id, permission, reread } = yield* CurrentPrincipal
  const { permissions: own, checks } = yield* reread
  const isOneself = kind === "user" && target?.id === id
  const theirs = target === null || isOneself ? none : yield* (yield* Policies).granted(target)
  if (!isPermitted(own, permission) || !covers(own, theirs) || !covers(own, role)) return yield* new Forbidden()
  return isOneself ? [] : checks
})
