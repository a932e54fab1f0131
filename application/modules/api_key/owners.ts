import { Effect, Option } from "effect"
import { grantsOf } from "../../../domain/administration/administrators.ts"
import { type Grant, type Grants, grantingIn } from "../../../domain/administration/grants.ts"
import { permissions, permitted } from "../../../domain/administration/permissions.ts"
import { permissionsIn, ServiceAccounts, serviceAccountOf } from "../../../domain/administration/service-accounts.ts"
import { hasOrganizations } from "../../../domain/organizations/membership.ts"
import { narrowed } from "../../../domain/organizations/statements.ts"
import { Organizations } from "../../../domain/organizations/tables.ts"
import { type Held, Policies } from "../../../domain/policies.ts"
import { check, Store } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { ApiKey } from "./tables.ts"

// What the owner of a key may do now. A key never does more, and nothing once its owner is removed, banned, or without the right.

/** The owner's grants, without reading them if the key has none of them; no result if the owner is gone or may not sign in. */
const heldByOwner = Effect.fnUntraced(function* heldByOwner(owned: Owned, isManaging: boolean) {
  const { owner_kind, owner_id } = owned
  if (owner_kind === "user") return yield* heldByUser(owner_id, isManaging)
  if (owner_kind === "organization") return yield* heldByOrganization(owned)
  const account = yield* serviceAccountOf(owner_id)
  return Option.map(account, (account): Held => {
    const { organization_id } = account.row
    return { grants: grantingIn(organization_id, permitted(permissionsIn(account.row))), checks: [check(ServiceAccounts, account)] }
  })
})
type Owned = Pick<ApiKey, "owner_kind" | "owner_id" | "statement" | "organization_role">

const heldByUser = Effect.fnUntraced(function* heldByUser(id: string, isManaging: boolean) {
  const user = yield* (yield* Store).read(Users, { id })
  if (Option.isNone(user)) return Option.none<Held>()
  const isAdmitted = yield* Effect.isSuccess((yield* Policies).passGates(user.value.row))
  if (!isAdmitted) return Option.none<Held>()
  const grants = isManaging ? yield* grantsOf(user.value.row) : []
  return Option.some<Held>({ grants, checks: [check(Users, user.value)] })
})

/** Keys of organizations have no permissions of the administration. */
const heldByOrganization = Effect.fnUntraced(function* heldByOrganization({ owner_id: id, statement, organization_role: role }: Owned) {
  if (!(yield* hasOrganizations)) return Option.none<Held>()
  const found = yield* (yield* Store).read(Organizations, { id })
  const { organizationPermits } = yield* Policies
  return Option.map(found, (organization): Held => {
    const checks = [check(Organizations, organization)]
    if (statement === null || role === null) return { grants: [], checks }
    const now = narrowed(statement, (resource, action) => organizationPermits(role, resource, action))
    return { grants: [], checks, organization: { organization, role, statement: now } }
  })
})

/** What a key permits in the administration now: its permissions that its owner has as well. None if the owner is not active. */
export const heldByKey = Effect.fnUntraced(function* heldByKey(key: ApiKey) {
  const own = managed(key.permissions)
  const held = yield* heldByOwner(key, own.size > 0)
  return Option.map(held, ({ grants, ...rest }): Held => ({ ...rest, grants: grants.flatMap((grant) => within(grant, own)) }))
})

/** The permissions of the administration among those of a key. */
export const managed = (given: ReadonlyArray<string>) => permitted(permissions.filter((permission) => given.includes(permission)))

const within = (grant: Grant, own: ReturnType<typeof managed>): Grants => {
  const held = [...permitted([...grant.permissions])].filter((permission) => own.has(permission))
  return held.length === 0 ? [] : [{ ...grant, permissions: held }]
}
