import { Effect } from "effect"
import { type AccessControl, mayGrant } from "../../../../domain/organizations/access-control.ts"
import { selectField } from "../../components/fields.ts"
import { Visit } from "../../page.ts"
import type { View } from "../../view.ts"

/** The roles that a member with this role may grant, the lowest first. */
const grantedBy = (access: AccessControl | null, own: string): ReadonlyArray<string> => {
  if (access === null) return []
  const unranked = Object.keys(access.roles).filter((role) => !access.hierarchy.includes(role))
  return [...unranked, ...access.hierarchy].filter((role) => mayGrant(access, own, role))
}

/** The roles that a member with this role may grant here. */
export const grantableRoles = (own: string) => Effect.map(Visit, ({ site }) => grantedBy(site.accessControl, own))

/** A choice of roles. */
export const roleField = (view: View, { roles, value }: { readonly roles: ReadonlyArray<string>; readonly value: string }) => {
  const { t, find } = view.texts
  const options = roles.map((role) => [role, find(`role.${role}`) ?? role] as const)
  return selectField(view, { name: "role", label: t("organization.role"), options, value })
}
