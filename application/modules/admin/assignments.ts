import { DateTime, Effect, Option, Schema } from "effect"
import { limited } from "../../../domain/administration/grants.ts"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { administeredUser } from "../../../domain/administration/reach.ts"
import { invalidMember, UserNotFound } from "../../../domain/errors.ts"
import { conflictIfTaken, insert, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { hasEnded } from "../../../domain/storage/live.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { administrator, isBanned, Role as RoleName } from "../../../domain/users/admin-metadata.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import type { AdminSettings } from "./administrators.ts"
import { LastAdministrator, TooMany } from "./errors.ts"
import { type AdminGrant, AdminGrants, AssignedRole, assignedTo, maxGrants, shownGrant } from "./grants-table.ts"
import { notOneself } from "./oneself.ts"
import { organizationCheck } from "./organization-check.ts"
import { keepingOwner } from "./owners.ts"
import { knownRole } from "./roles.ts"
import { metadataOf } from "./users.ts"

// Roles as rows: a user can have several, for a time, and for one organization.

const Place = { user_id: Schema.String, role: RoleName, organization_id: Schema.optionalKey(Schema.String) }

/** The permissions of the role there. Refuses a role without any, which would be a mistake of the caller. */
const permittedThere = Effect.fnUntraced(function* permittedThere(settings: AdminSettings, name: string, organization_id: string) {
  const { permitted } = yield* knownRole(settings, name)
  const there = organization_id === "" ? permitted : limited(permitted)
  return there.size > 0 ? there : yield* invalidMember("role", "Expected a role that permits something here")
})

const assign = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/roles/assign",
    summary: "Gives a user a further role, or changes its end. A role for an organization reads only what belongs to the organization.",
    access: { permission: "users:roles" },
    input: Schema.Struct({ ...Place, expires_at: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtcFromString)) }),
    output: Schema.Struct({ assigned: AssignedRole }),
    errors: [UserNotFound, TooMany, LastAdministrator],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminAssignRole({ user_id, role, organization_id = "", expires_at = null }) {
      yield* notOneself(user_id)
      const permitted = yield* permittedThere(settings, role, organization_id)
      const now = yield* DateTime.now
      if (hasEnded(expires_at, now)) return yield* invalidMember("expires_at", "Expected a time in the future")
      const row = { id: yield* newId, user_id, role, organization_id, expires_at, created_at: now }
      return Endpoint.reply({ assigned: shownGrant(yield* retryOnConflict(assigned(settings, row, permitted))) })
    }),
  })

const assigned = Effect.fnUntraced(function* assignedRole(settings: AdminSettings, row: AdminGrant, permitted: ReturnType<typeof limited>) {
  const { user_id, role, organization_id, expires_at } = row
  const user = yield* administeredUser(user_id)
  const existing = yield* (yield* Store).read(AdminGrants, { user_id, role, organization_id })
  const shortens = Option.exists(existing, ({ row }) => row.expires_at === null) && expires_at !== null
  const may = shortens ? keepingOwner(settings, "role") : ofPrincipal
  const unchanged = yield* may(user.row, permitted, expires_at)
  if (isBanned(yield* metadataOf(user_id), row.created_at)) return yield* invalidMember("user_id", "Expected a user who is not banned")
  if (Option.isNone(existing) && (yield* assignedTo(user_id)).length >= maxGrants) return yield* new TooMany()
  const next = Option.match(existing, { onNone: () => row, onSome: ({ row }) => ({ ...row, expires_at }) })
  const write = Option.match(existing, {
    onNone: () => insert(AdminGrants, row),
    onSome: (old) => update(AdminGrants, old, { expires_at }),
  })
  const checks = [...unchanged, ...(yield* organizationCheck(organization_id === "" ? undefined : organization_id))]
  yield* conflictIfTaken((yield* Store).commit([...checks, update(Users, user, {}), write]))
  return next
})

const withdraw = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/roles/withdraw",
    summary: "Takes an assigned role from a user. Succeeds as well if the user does not have it.",
    access: { permission: "users:roles" },
    input: Schema.Struct(Place),
    output: Success,
    errors: [UserNotFound, LastAdministrator],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminWithdrawRole({ user_id, role, organization_id = "" }) {
      yield* notOneself(user_id)
      const user = yield* administeredUser(user_id)
      const existing = yield* (yield* Store).read(AdminGrants, { user_id, role, organization_id })
      const takesAll = role === administrator && organization_id === ""
      const unchanged = yield* (takesAll ? keepingOwner(settings, "role") : ofPrincipal)(user.row)
      if (Option.isSome(existing))
        yield* (yield* Store).commit([...unchanged, update(Users, user, {}), removeVersioned(AdminGrants, existing.value)])
      return Endpoint.reply(succeeded)
    }, retryOnConflict),
  })

/** The endpoints that assign roles. */
export const assignments = (settings: AdminSettings) => [assign(settings), withdraw(settings)] as const
