import { Effect, Option } from "effect"
import { grantsOf } from "../../../domain/administration/administrators.ts"
import { type Grant, type Grants, grantingIn } from "../../../domain/administration/grants.ts"
import { permissions, permitted } from "../../../domain/administration/permissions.ts"
import { permissionsIn, ServiceAccounts, serviceAccountOf } from "../../../domain/administration/service-accounts.ts"
import { hasOrganizations } from "../../../domain/organizations/membership.ts"
import { Organizations } from "../../../domain/organizations/tables.ts"
import { type Held, Policies } from "../../../domain/policies.ts"
import { check, Store } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import type { ApiKey } from "./tables.ts"

// What the owner of a key may do now. A key never does more, and nothing once its owner is removed, banned, or without the right.

/** The owner's grants, without reading them if the key has none of them; no result if the owner is gone or may not sign in. */
const heldByOwner = Effect.fnUntraced(function* heldByOwner({ owner_kind, owner_id }: Owned, isManaging: boolean) {
  if (owner_kind === "user") return yield* heldByUser(owner_id, isManaging)
  if (owner_kind === "organization") return yield* heldByOrganization(owner_id)
  const account = yield* serviceAccountOf(owner_id)
  return Option.map(account, (account): Held => {
    const { organization_id } = account.row
    return { grants: grantingIn(organization_id, permitted(permissionsIn(account.row))), checks: [check(ServiceAccounts, account)] }
  })
})
type Owned = Pick<ApiKey, "owner_kind" | "owner_id">

const heldByUser = Effect.fnUntraced(function* heldByUser(id: string, isManaging: boolean) {
  const user = yield* (yield* Store).read(Users, { id })
  if (Option.isNone(user)) return Option.none<Held>()
  const isAdmitted = yield* Effect.isSuccess((yield* Policies).passGates(user.value.row))
  if (!isAdmitted) return Option.none<Held>()
  const grants = isManaging ? yield* grantsOf(user.value.row) : []
  return Option.some<Held>({ grants, checks: [check(Users, user.value)] })
})

/** Keys of organizations have permissions of the application only. */
const heldByOrganization = Effect.fnUntraced(function* heldByOrganization(id: string) {
  if (!(yield* hasOrganizations)) return Option.none<Held>()
  const organization = yield* (yield* Store).read(Organizations, { id })
  return Option.map(organization, (row): Held => ({ grants: [], checks: [check(Organizations, row)] }))
})

/** What a key permits in the administration now: its permissions that its owner has as well. None if the owner is not active. */
export const heldByKey = Effect.fnUntraced(function* heldByKey(key: ApiKey) {
  const own = managed(key.permissions)
  const held = yield* heldByOwner(key, own.size > 0)
  return Option.map(held, ({ grants, checks }): Held => ({ grants: grants.flatMap((grant) => within(grant, own)), checks }))
})

/** The permissions of the administration among those of a key. */
export const managed = (given: ReadonlyArray<string>) => permitted(permissions.filter((permission) => given.includes(permission)))

const within = (grant: Grant, own: ReturnType<typeof managed>): Grants => {
  const held = [...permitted([...grant.permissions])].filter((permission) => own.has(permission))
  return held.length === 0 ? [] : [{ ...grant, permissions: held }]
}
