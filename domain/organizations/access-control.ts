import { Schema } from "effect"

/** The permitted actions on each kind of resource, by the resource's name. */
export const Permissions = Schema.Record(Schema.String, Schema.Array(Schema.String))
export type Permissions = typeof Permissions.Type

/** The roles of an organization and their permissions. */
export interface AccessControl {
  readonly roles: Readonly<Record<string, Permissions>>
  /** Roles from low to high. Roles that are not listed rank below all others. */
  readonly hierarchy: ReadonlyArray<string>
  /** The role of the user who creates an organization. At least one member always has it. */
  readonly creator_role: string
  /** The role of an invitation that specifies no role. */
  readonly invite_default: string
}

const teamwork: Permissions = {
  member: ["create", "update", "delete"],
  invitation: ["create", "cancel"],
  team: ["create", "update", "delete"],
}

/** The default configuration. */
export const standard: AccessControl = {
  roles: { owner: { organization: ["update", "delete"], ...teamwork }, admin: teamwork, member: {} },
  hierarchy: ["member", "admin", "owner"],
  creator_role: "owner",
  invite_default: "member",
}

/** Stored roles can be older than the configuration: a role that it does not define ranks lowest and permits nothing. */
export const isDefined = ({ roles }: AccessControl, role: string): boolean => Object.hasOwn(roles, role)

const rank = ({ hierarchy }: AccessControl, role: string): number => hierarchy.indexOf(role)

/** Whether a role grants all of these permissions. */
export const permits = (access: AccessControl, role: string, required: Permissions): boolean => {
  const granted = isDefined(access, role) ? access.roles[role]! : {}
  return Object.entries(required).every(([resource, actions]) => {
    const allowed = Object.hasOwn(granted, resource) ? granted[resource]! : []
    return actions.every((action) => allowed.includes(action))
  })
}

/** Whether a member may grant a role: only roles up to their own rank. */
export const mayGrant = (access: AccessControl, own: string, role: string): boolean => rank(access, role) <= rank(access, own)

/** Whether a member may change the role of another member: only if that member does not rank higher. */
export const mayChange = (access: AccessControl, own: string, target: string): boolean => rank(access, target) <= rank(access, own)

/** Whether a member may remove another member: only if that member ranks lower. */
export const mayRemove = (access: AccessControl, own: string, target: string): boolean => rank(access, target) < rank(access, own)

/** The errors in configured roles: the path, and what is expected there. */
export const faults = (
  access: AccessControl,
): ReadonlyArray<{ readonly path: ReadonlyArray<string | number>; readonly wanted: string }> => {
  const { roles, hierarchy, creator_role, invite_default } = access
  const defined = (role: string) => `a role that is defined under roles (${Object.keys(roles).join(", ")}), not ${role}`
  const ranked = `a role of the hierarchy (${hierarchy.join(", ")}), not ${creator_role}`
  const places = hierarchy.flatMap((role, index) => {
    if (!isDefined(access, role)) return [{ path: ["hierarchy", index], wanted: defined(role) }]
    return hierarchy.indexOf(role) === index ? [] : [{ path: ["hierarchy", index], wanted: "each role once" }]
  })
  return [
    ...places,
    ...(hierarchy.includes(creator_role) ? [] : [{ path: ["creator_role"], wanted: ranked }]),
    ...(isDefined(access, invite_default) ? [] : [{ path: ["invite_default"], wanted: defined(invite_default) }]),
  ]
}
