import { Effect, Schema } from "effect"
import { all, builtInRoles, none, type Permitted, permissions, permitted } from "../../../domain/administration/permissions.ts"
import { invalidMember } from "../../../domain/errors.ts"
import { administrator, longestRole } from "../../../domain/users/admin-metadata.ts"
import type { Fault } from "../../service/module.ts"

const pattern = new RegExp(`^[a-z][a-z0-9_]{0,${longestRole - 1}}$`)

/** The roles of the configuration, in addition to the built-in ones. */
export const Roles = Schema.Record(Schema.String, Schema.Array(Schema.Literals(permissions)))
export type Roles = typeof Roles.Type

/** The role of users without one, which permits nothing. */
const everyone = "user"
const reserved = [administrator, everyone, ...Object.keys(builtInRoles)]

/** The roles that the configuration cannot define. */
export const faults = (roles: Roles = {}): ReadonlyArray<Fault> =>
  Object.keys(roles).flatMap((role): ReadonlyArray<Fault> => {
    if (reserved.includes(role)) return [{ path: ["roles", role], wanted: `another name than ${reserved.join(", ")}` }]
    if (!pattern.test(role)) return [{ path: ["roles", role], wanted: "a name of small letters, digits and underscores" }]
    return []
  })

/** All roles by name, with what they permit. Undefined `roles`: only `admin` permits something, and every name may be used. */
export const rolesOf = (roles: Roles | undefined): ReadonlyMap<string, Permitted> => {
  if (roles === undefined) return new Map([[administrator, all]])
  const named = Object.entries<Roles[string]>({ ...builtInRoles, ...roles })
  return new Map([[everyone, none], ...named.map(([name, granted]) => [name, permitted(granted)] as const), [administrator, all]])
}

/** A role by its name, and what it permits. */
export interface Role {
  readonly name: string
  readonly permitted: Permitted
}
export const administratorRole: Role = { name: administrator, permitted: all }

/** A role by its name. Where the configuration has roles, it must be one of them. Otherwise applications may use any text for their own purposes. */
export const knownRole = Effect.fnUntraced(function* knownRole({ roles }: { readonly roles?: Roles }, name: string) {
  const known = rolesOf(roles)
  if (roles !== undefined && !known.has(name)) return yield* invalidMember("role", `Expected one of ${[...known.keys()].join(", ")}`)
  const role: Role = { name, permitted: known.get(name) ?? none }
  return role
})
