import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../components/form.ts"
import { field, Visit } from "../../page.ts"
import type { Template } from "../../view.ts"
import { accountPage, framed, goTo, inSection, plainCard } from "../frame.ts"
import { othersEmailField } from "../parts.ts"
import { type Membership, membership, organizationId, requirePermission, toOrganization } from "./membership.ts"
import { grantableRoles, roleField } from "./role.ts"

interface Props {
  readonly organization: Pick<Membership, "id" | "name">
  /** The roles that the caller may grant. */
  readonly roles: ReadonlyArray<string>
  /** The role that is selected at first. */
  readonly role: string
}

/** The form for an invitation. */
export const template: Template<Props> = (view, { organization, roles, role }) => {
  const { t } = view.texts
  const email = othersEmailField(view)
  return framed(
    view,
    { title: t("organization.invite"), parent: toOrganization(view, organization) },
    plainCard(
      html`<p>${t("organization.invite.about")}</p>`,
      form(view, {
        action: "invite",
        submit: t("organization.invite.submit"),
        body: html`${email}${roleField(view, { roles, value: role })}`,
      }),
    ),
  )
}

export const organizationInvite = accountPage({
  path: "/account/organization/invite",
  needs: ["organizationList", "organizationInvite"],
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const own = yield* membership
    yield* requirePermission(own, "invitation", "create")
    const props = { organization: own, roles: yield* grantableRoles(own.role), role: site.accessControl?.invite_default ?? "" }
    return yield* inSection("organizations", view.texts.t("organization.invite"), template(view, props))
  }),
  actions: {
    invite: Effect.gen(function* () {
      const { call, form } = yield* Visit
      const id = yield* organizationId
      yield* call("organizationInvite", { organization_id: id, email: field(form, "email").trim(), role: field(form, "role") })
      return yield* goTo("/account/organization", "organization.invited", { id })
    }),
  },
})
