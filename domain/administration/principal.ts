import { Context, type DateTime, Effect, Option } from "effect"
import { type AuthError, Forbidden, Unauthorized } from "../errors.ts"
import type { principalKinds } from "../initiator.ts"
import { managedBy } from "../organizations/managed.ts"
import { type Held, type Machine, Policies } from "../policies.ts"
import { check, orFail, Store, type Write } from "../ports/store.ts"
import { CurrentSession } from "../sessions/caller.ts"
import { requireStepUp } from "../sessions/sessions.ts"
import { noteOrdinary } from "../sessions/subject.ts"
import { Users } from "../users/tables.ts"
import { isUnproved, type StoredUser } from "../users/user.ts"
import { grantsOf, lacksRequiredFactor } from "./administrators.ts"
import { anywhere, coverEach, everywhere, type Grants, granting, lasting, organizationsWith } from "./grants.ts"
import { all, covers, needsProof, none, type Permission, type Permitted } from "./permissions.ts"

/** The permission that an endpoint needs. */
export interface Needed {
  /** Null: any. */
  readonly permission: Permission | null
  /** Whether a grant for one organization is enough. The handler then reads users and organizations by `reach.ts` only. */
  readonly within?: true
}

/** The caller of an endpoint with a permission. */
export class CurrentPrincipal extends Context.Service<
  CurrentPrincipal,
  {
    readonly kind: (typeof principalKinds)[number]
    readonly id: string
    readonly permission: Permission | null
    readonly grants: Grants
    /** The permissions for all users and organizations. */
    readonly permissions: Permitted
    /** Reads the grants again. */
    readonly reread: Effect.Effect<Held, AuthError<"forbidden" | "unauthorized">, Policies | Store>
  }
>()("sallyport/CurrentPrincipal") {}

/** A program that calls with a credential of its own. */
export class CurrentMachine extends Context.Service<CurrentMachine, Machine>()("sallyport/CurrentMachine") {}

/** The name under which the application in whose process the service runs calls by itself; null: it does not. No request can set it. */
export const CallingApplication = Context.Reference<string | null>("sallyport/CallingApplication", { defaultValue: () => null })

/** What the application may do: everything, as its operator can. */
export const heldByApplication: Held = { grants: granting(all), checks: [] }

/** The application as the caller of an operation. */
export const applicationNamed = (id: string): Machine => ({
  kind: "application",
  id,
  credential: { kind: "application", id },
  grants: heldByApplication.grants,
  reread: Effect.succeed(heldByApplication),
})

/** The principal of this call. Fails without the permission. */
export const principalWith = Effect.fnUntraced(function* principalWith(needed: Needed) {
  const { permission } = needed
  const machine = yield* Effect.serviceOption(CurrentMachine)
  if (Option.isSome(machine)) {
    const { grants } = machine.value
    if (!isAdmitted(grants, needed)) return yield* lacking(permission, grants)
    return CurrentPrincipal.of({ ...machine.value, permission, permissions: everywhere(grants) })
  }
  const { user } = yield* CurrentSession
  const grants = yield* (yield* Policies).granted(user)
  if (!isAdmitted(grants, needed)) {
    if (grants.length === 0) yield* noteOrdinary
    return yield* lacking(permission, grants)
  }
  if (yield* lacksRequiredFactor(user))
    return yield* new Forbidden({
      message: "Administrators need a second factor or a passkey here. Sign in again to add one.",
      reason: "second_factor",
    })
  yield* requireProofFor(permission)
  return CurrentPrincipal.of({ kind: "user", id: user.id, permission, grants, permissions: everywhere(grants), reread: heldBy(user) })
})

/**
 * Fails with `session_not_fresh` if the permission needs a recent proof that the session of the caller lacks. Machines and the operator have
 * no session, and prove who they are with each request.
 */
export const requireProofFor = Effect.fnUntraced(function* requireProofFor(permission: Permission | null) {
  if (!needsProof(permission) || !(yield* Policies).administratorsStepUp) return
  const here = yield* Effect.serviceOption(CurrentSession)
  if (Option.isSome(here)) yield* Effect.provideService(requireStepUp, CurrentSession, here.value)
})

/** Those of these permissions for which `requireProofFor` fails. */
export const unproven = Effect.fnUntraced(function* unprovenOf(held: Permitted) {
  const proven = [...held].filter(needsProof)
  return yield* requireProofFor(proven[0] ?? null).pipe(
    Effect.as<ReadonlyArray<Permission>>([]),
    Effect.catchTag("session_not_fresh", () => Effect.succeed(proven)),
  )
})

/** Administrators learn what they lack; other callers get the answer of the specification. */
const lacking = (permission: Permission | null, grants: Grants) =>
  new Forbidden(permission === null || grants.length === 0 ? {} : { message: `This needs the permission ${permission}.` })

/** Whether these grants are enough for an endpoint, or for a part of it. */
export const isAdmitted = (grants: Grants, { permission, within }: Needed) => {
  if (permission === null) return grants.length > 0
  return everywhere(grants).has(permission) || (within === true && organizationsWith(grants, permission).length > 0)
}

const heldBy = Effect.fnUntraced(function* grantsHeldBy({ id }: StoredUser) {
  const user = yield* orFail((yield* Store).read(Users, { id }), () => new Unauthorized())
  return { grants: yield* grantsOf(user.row), checks: [check(Users, user)] }
})

/**
 * Decides in the attempt of a commit whether the caller may change this user, or give these permissions until a moment (null: without an
 * end). Returns the writes that make the commit fail if the caller's own rights change in between.
 */
export type Authority<out R = never, out E extends string = "forbidden" | "unauthorized"> = (
  target: StoredUser | null,
  given?: Permitted,
  until?: DateTime.Utc | null,
) => Effect.Effect<ReadonlyArray<Write>, AuthError<E>, R>

/** The operator, who may do everything. */
export const operator: Authority = () => Effect.succeed([])

const upward = (own: Permitted) =>
  new Forbidden(own.size === 0 ? {} : { message: "This user has, or would get, permissions that you do not have." })

/**
 * A principal never acts upward: it changes only users whose permissions it has itself, and gives only permissions that it holds without
 * limits and for as long. Otherwise a caller who can ban users could ban administrators. Every change of a role writes the row of its user.
 * With a grant for one organization it changes only users whom the organization manages.
 */
export const ofPrincipal = Effect.fnUntraced(function* authorityOfPrincipal(
  target: StoredUser | null,
  given: Permitted = none,
  until: DateTime.Utc | null = null,
) {
  const { kind, id, permission, reread } = yield* CurrentPrincipal
  const { grants, checks } = yield* reread
  const own = everywhere(grants)
  const isOneself = kind === "user" && target?.id === id
  const held = target === null || isOneself ? [] : yield* (yield* Policies).granted(target)
  if (target !== null && isUnproved(target) && given.size > 0)
    return yield* new Forbidden({ message: "Guests and test users cannot have permissions." })
  if (!covers(lasting(grants, until), given)) return yield* upward(own)
  const unchanged = isOneself ? [] : checks
  if (permission === null || own.has(permission)) return covers(own, anywhere(held)) ? unchanged : yield* upward(own)
  const within = organizationsWith(grants, permission)
  if (within.length === 0) return yield* lacking(permission, grants)
  const managed = yield* orFail(
    target === null ? Effect.succeedNone : managedBy(target, within),
    () => new Forbidden({ message: "The organization does not manage this user." }),
  )
  return coverEach(grants, held) ? [...unchanged, ...managed] : yield* upward(own)
})
