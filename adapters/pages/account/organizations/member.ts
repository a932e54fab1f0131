import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { NotAMember } from "../../../../application/modules/organization/errors.ts"
import type { ListedMember } from "../../../../client/operations.ts"
import { mayChange, mayRemove } from "../../../../domain/organizations/access-control.ts"
import { leftToRight } from "../../components/direction.ts"
import { form } from "../../components/form.ts"
import { named, roleName } from "../../components/names.ts"
import { field, Visit } from "../../page.ts"
import type { Template } from "../../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, section } from "../frame.ts"
import { confirmation, pageSize } from "../parts.ts"
import { isPermitted, lists, type Membership, membership, organizationId, toOrganization } from "./membership.ts"
import { grantableRoles, roleField } from "./role.ts"

interface Props {
  readonly organization: Pick<Membership, "id" | "name">
  readonly member: Pick<ListedMember, "email" | "name" | "role">
  /** The roles to choose from; null if the caller may not change the role. */
  readonly roles: ReadonlyArray<string> | null
  readonly mayRemove: boolean
}

/** One member: the role, and the removal. */
export const template: Template<Props> = (view, { organization, member, roles, ...may }) => {
  const { t } = view.texts
  const removal = form(view, { action: "remove", submit: t("organization.member.remove.submit"), look: "small danger" })
  return framed(
    view,
    { title: t("organization.member"), parent: toOrganization(view, organization) },
    plainCard(
      html`<p class="label">${member.name ? html`${named(member.name)} · ` : null}${leftToRight(member.email)}</p>`,
      roles === null
        ? html`<p>${roleName(view, member.role)}</p>`
        : form(view, { action: "role", submit: t("account.save"), look: "small", body: roleField(view, { roles, value: member.role }) }),
    ),
    may.mayRemove
      ? section(
          t("organization.member.remove"),
          confirmation(t("organization.member.remove"), t("organization.member.remove.about"), removal),
        )
      : null,
  )
}

const userId = Effect.map(Visit, ({ query }) => query.get("user") ?? "")

/** The member in the URL, read from the page of the list that links here: the order of members does not change. */
const listedMember = Effect.fnUntraced(function* listedMember(organization_id: string) {
  const { query } = yield* Visit
  const cursor = query.get("cursor")
  const wanted = yield* userId
  const { rows } = yield* lists.members({ organization_id, limit: pageSize, ...(cursor === null ? {} : { cursor }) })
  return rows.find(({ user_id }) => user_id === wanted) ?? (yield* new NotAMember())
})

const changeRole = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const id = yield* organizationId
  yield* call("organizationUpdateRole", { organization_id: id, user_id: yield* userId, role: field(form, "role") })
  return yield* goTo("/account/organization", "organization.member.changed", { id })
})

const remove = Effect.gen(function* () {
  const { call } = yield* Visit
  const id = yield* organizationId
  yield* call("organizationRemoveMember", { organization_id: id, user_id: yield* userId })
  return yield* goTo("/account/organization", "organization.member.removed", { id })
})

export const member = accountPage({
  path: "/account/organization/member",
  needs: ["organizationList", "organizationListMembers", "organizationUpdateRole", "organizationRemoveMember"],
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const own = yield* membership
    const target = yield* listedMember(own.id)
    const access = site.accessControl
    const isChangeable = access !== null && mayChange(access, own.role, target.role) && (yield* isPermitted(own, "member", "update"))
    const isRemovable = access !== null && mayRemove(access, own.role, target.role) && (yield* isPermitted(own, "member", "delete"))
    const roles = isChangeable ? yield* grantableRoles(own.role) : null
    const main = template(view, { organization: own, member: target, roles, mayRemove: isRemovable })
    return yield* inSection("organizations", view.texts.t("organization.member"), main)
  }),
  actions: { role: changeRole, remove },
})
