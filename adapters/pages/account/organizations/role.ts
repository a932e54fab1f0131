import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { type AccessControl, mayGrant } from "../../../../domain/organizations/access-control.ts"
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
  const chosen = view.entered("role") || value
  const fault = view.problem?.field === "role" ? view.problem.message : undefined
  const options = roles.map((role) => {
    const mark = role === chosen ? html.raw` selected` : null
    return html`<option value="${role}"${mark}>${find(`role.${role}`) ?? role}</option>`
  })
  return html`<div class="field"><label for="role">${t("organization.role")}</label>
${fault === undefined ? null : html`<p class="fault" id="role-fault">${fault}</p>`}
<select id="role" name="role"${fault === undefined ? null : html.raw` aria-invalid="true" aria-describedby="role-fault"`}>${options}</select></div>`
}
