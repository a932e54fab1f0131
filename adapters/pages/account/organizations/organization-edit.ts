import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../components/form.ts"
import { named } from "../../components/names.ts"
import { field, Visit } from "../../page.ts"
import type { Template } from "../../view.ts"
import { accountPage, framed, goTo, plainCard } from "../frame.ts"
import { type Membership, organizationId, showPermitted, toOrganization } from "./membership.ts"
import { nameField, slugField } from "./organizations.ts"

type Props = Pick<Membership, "id" | "name" | "slug">

/** The form to rename an organization. */
export const template: Template<Props> = (view, organization) => {
  const { t } = view.texts
  const body = html`${nameField(view, t("organization.name"), organization.name)}${slugField(view, organization.slug)}`
  return framed(
    view,
    { title: t("organization.edit"), parent: toOrganization(view, organization) },
    plainCard(form(view, { action: "save", submit: t("account.save"), body })),
  )
}

export const organizationEdit = accountPage({
  path: "/account/organization/edit",
  needs: ["organizationList", "organizationUpdate"],
  show: showPermitted("organization", "update", "organization.edit", template),
  actions: {
    save: Effect.gen(function* () {
      const { call, form } = yield* Visit
      const id = yield* organizationId
      const changes = { name: field(form, "name").trim(), slug: field(form, "slug").trim() }
      yield* call("organizationUpdate", { organization_id: id, ...changes })
      return yield* goTo("/account/organization", "account.saved", { id })
    }),
  },
})

/** The confirmation before an organization is deleted. */
export const deleteTemplate: Template<Pick<Membership, "id" | "name">> = (view, organization) => {
  const { t, rich } = view.texts
  return framed(
    view,
    { title: t("organization.delete"), parent: toOrganization(view, organization) },
    plainCard(
      html`<p>${rich("organization.delete.about", { name: named(organization.name) })}</p>`,
      form(view, { action: "delete", submit: t("organization.delete.submit"), look: "danger" }),
      html`<p class="after"><a href="${toOrganization(view, organization).href}">${t("account.cancel")}</a></p>`,
    ),
  )
}

export const organizationDelete = accountPage({
  path: "/account/organization/delete",
  needs: ["organizationList", "organizationDelete"],
  show: showPermitted("organization", "delete", "organization.delete", deleteTemplate),
  actions: {
    delete: Effect.gen(function* () {
      const { call } = yield* Visit
      yield* call("organizationDelete", { organization_id: yield* organizationId })
      return yield* goTo("/account/organizations", "organization.deleted")
    }),
  },
})
