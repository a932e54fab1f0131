/** What administrators can be permitted to do, as `resource:action`. */
export const permissions = [
  "users:read",
  "users:create",
  "users:update",
  "users:credentials",
  "users:suspend",
  "users:delete",
  "users:export",
  "users:merge",
  "users:roles",
  "users:private",
  "users:impersonate",
  "sessions:read",
  "sessions:revoke",
  "organizations:read",
  "organizations:create",
  "organizations:update",
  "organizations:delete",
  "members:read",
  "members:update",
  "invitations:read",
  "invitations:create",
  "invitations:cancel",
  "clients:read",
  "clients:write",
  "clients:secrets",
  "keys:rotate",
  "webhooks:read",
  "webhooks:write",
  "audit:read",
  "audit:export",
  "outbox:read",
  "outbox:retry",
  "figures:read",
  "health:read",
  "settings:read",
  "jobs:read",
  "jobs:run",
  "service_accounts:read",
  "service_accounts:write",
  "api_keys:read",
  "api_keys:write",
  "api_keys:revoke",
  "api_keys:verify",
] as const
export type Permission = (typeof permissions)[number]

/**
 * The permissions that need a recent proof of identity where `step_up` is set: they give lasting rights, lock a user out, show what few
 * may see, or what they do cannot be undone.
 */
const provenPermissions: ReadonlySet<Permission> = new Set([
  "users:credentials",
  "users:suspend",
  "users:roles",
  "users:delete",
  "users:export",
  "users:merge",
  "users:private",
  "organizations:delete",
  "clients:secrets",
  "keys:rotate",
  "audit:export",
  "service_accounts:write",
  "api_keys:write",
])
export const needsProof = (permission: Permission | null): permission is Permission =>
  permission !== null && provenPermissions.has(permission)

/** A set of permissions in which every action that changes a resource includes its `read`, so that nothing can be changed unseen. */
export type Permitted = ReadonlySet<Permission>

export const none: Permitted = new Set()
export const all: Permitted = new Set(permissions)

/** Services that only verify the keys of their callers list no keys. */
const includesRead = (permission: Permission) => permission !== "api_keys:verify"

/** These permissions, and the `read` of their resources. */
export const permitted = (granted: ReadonlyArray<Permission>): Permitted => {
  const reads = new Set(granted.filter(includesRead).map((permission) => `${permission.split(":")[0]}:read`))
  return new Set(permissions.filter((permission) => granted.includes(permission) || reads.has(permission)))
}

/** Whether one set has every permission of the other: callers grant and change only what they hold themselves. */
export const covers = (own: Permitted, other: Permitted): boolean => [...other].every((permission) => own.has(permission))

const support = ["users:read", "sessions:read", "organizations:read", "members:read", "invitations:read", "figures:read"] as const
/** The roles that every service with roles has, in addition to `admin`, which has every permission. */
export const builtInRoles = {
  support,
  user_manager: [
    ...support,
    "users:create",
    "users:update",
    "users:credentials",
    "users:suspend",
    "sessions:revoke",
    "members:update",
    "invitations:create",
    "invitations:cancel",
  ],
  security: [
    ...support,
    "users:suspend",
    "users:credentials",
    "users:private",
    "sessions:revoke",
    "clients:read",
    "keys:rotate",
    "webhooks:read",
    "audit:read",
    "audit:export",
    "health:read",
    "settings:read",
    "api_keys:read",
    "api_keys:revoke",
  ],
} as const satisfies Readonly<Record<string, ReadonlyArray<Permission>>>
