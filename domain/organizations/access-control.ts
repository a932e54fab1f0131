import { Schema } from "effect"

/** Resource → what may be done to it. */
export const Permissions = Schema.Record(Schema.String, Schema.Array(Schema.String))
export type Permissions = typeof Permissions.Type

/** Who may do what within an organization. */
export interface AccessControl {
  readonly roles: Readonly<Record<string, Permissions>>
  /** Low to high. A role that is not in it ranks below all that are. */
  readonly hierarchy: ReadonlyArray<string>
  /** What whoever creates an organization becomes; there is always somebody who has it. */
  readonly creator_role: string
  /** The role of invited people when the invitation names none. */
  readonly invite_default: string
}

const teamwork: Permissions = {
  member: ["create", "update", "delete"],
  invitation: ["create", "cancel"],
  team: ["create", "update", "delete"],
}

/** What holds where nothing else is configured. */
export const standard: AccessControl = {
  roles: { owner: { organization: ["update", "delete"], ...teamwork }, admin: teamwork, member: {} },
  hierarchy: ["member", "admin", "owner"],
  creator_role: "owner",
  invite_default: "member",
}

/** Roles of members may be older than the configuration: those that it does not define rank lowest and permit nothing. */
export const isDefined = ({ roles }: AccessControl, role: string): boolean => Object.hasOwn(roles, role)

const rank = ({ hierarchy }: AccessControl, role: string): number => hierarchy.indexOf(role)

/** Whether a role permits all of this. */
export const permits = (access: AccessControl, role: string, wanted: Permissions): boolean => {
  const given = isDefined(access, role) ? access.roles[role]! : {}
  return Object.entries(wanted).every(([resource, actions]) => {
    const allowed = Object.hasOwn(given, resource) ? given[resource]! : []
    return actions.every((action) => allowed.includes(action))
  })
}

/** Nobody makes others more than they are themselves. */
export const mayGrant = (access: AccessControl, own: string, role: string): boolean => rank(access, role) <= rank(access, own)

/** Nobody raises or lowers those who are more than themselves. */
export const mayChange = (access: AccessControl, own: string, held: string): boolean => rank(access, held) <= rank(access, own)

/** Nobody removes their equals. */
export const mayRemove = (access: AccessControl, own: string, held: string): boolean => rank(access, held) < rank(access, own)

/** What is wrong with roles that somebody made up: where, and what is wanted there. */
export const faults = (
  access: AccessControl,
): ReadonlyArray<{ readonly path: ReadonlyArray<string | number>; readonly wanted: string }> => {
  const { roles, hierarchy, creator_role, invite_default } = access
  const defined = (role: string) => `a role that is defined under roles (${Object.keys(roles).join(", ")}), which ${role} is not`
  const ranked = `a role of the hierarchy (${hierarchy.join(", ")}), which ${creator_role} is not`
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
