import { DateTime, Effect, Schema } from "effect"
import { type Grant, limited } from "../../../domain/administration/grants.ts"
import { none, type Permitted } from "../../../domain/administration/permissions.ts"
import { Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { hasEnded } from "../../../domain/storage/live.ts"
import { Users } from "../../../domain/users/tables.ts"

const AdminGrant = Schema.Struct({
  id: Schema.String,
  user_id: Schema.String,
  role: Schema.String,
  /** The empty text: everywhere. No reference: the module `organization`, which has the table, may be off, and ids are never used again. */
  organization_id: Schema.String,
  /** From then on the role permits nothing. Null: it has no end. */
  expires_at: Schema.NullOr(Schema.DateTimeUtc),
  created_at: Schema.DateTimeUtc,
})
export type AdminGrant = typeof AdminGrant.Type

/** The roles of users, in addition to the one in `admin_metadata`. */
export const AdminGrants = Table.make("admin_grant", AdminGrant, {
  key: "id",
  unique: [["user_id", "role", "organization_id"]],
  shardKey: ["user_id"],
  indexed: [
    ["role", "organization_id", "id"],
    ["role", "user_id", "id"],
  ],
  references: { user_id: Users },
  data: { personal: ["role", "organization_id", "expires_at", "created_at"], other: ["id", "user_id"] },
})

/** Limit on the roles that are assigned to one user. */
export const maxGrants = 50

/** The roles that are assigned to a user, also ended ones. */
export const assignedTo = Effect.fnUntraced(function* assignedTo(user_id: string) {
  return yield* (yield* Store).list(AdminGrants, { user_id }, { limit: maxGrants })
})

/** Whether one of these assigned roles is this one, and has not ended. */
export const holdsRole = (grants: ReadonlyArray<AdminGrant>, name: string, now: DateTime.Utc) =>
  grants.some(({ role, expires_at }) => role === name && !hasEnded(expires_at, now))

/** What the assigned roles permit now. */
export const liveGrants = Effect.fnUntraced(function* liveGrants(user_id: string, roles: ReadonlyMap<string, Permitted>) {
  const now = yield* DateTime.now
  const live = (yield* assignedTo(user_id)).filter(({ expires_at }) => !hasEnded(expires_at, now))
  return live
    .map(({ role, organization_id, expires_at }): Grant => {
      const permitted = roles.get(role) ?? none
      if (organization_id === "") return { permissions: permitted, organization_id: null, until: expires_at }
      return { permissions: limited(permitted), organization_id, until: expires_at }
    })
    .filter(({ permissions }) => [...permissions].length > 0)
})

/** The form of an assigned role for administrators. */
export const AssignedRole = Schema.Struct({
  role: Schema.String,
  organization_id: Schema.NullOr(Schema.String),
  expires_at: Schema.NullOr(Schema.DateTimeUtc),
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "AssignedRole" })

export const shownGrant = ({ role, organization_id, expires_at, created_at }: AdminGrant): typeof AssignedRole.Type => ({
  role,
  organization_id: organization_id === "" ? null : organization_id,
  expires_at,
  created_at,
})
