import { Effect } from "effect"
import { form } from "../../components/form.ts"
import { field, Visit } from "../../page.ts"
import type { Template } from "../../view.ts"
import { accountPage, framed, goTo, plainCard } from "../frame.ts"
import { type Membership, organizationId, showPermitted, toOrganization } from "./membership.ts"
import { nameField } from "./organizations.ts"

/** The form for a new team. */
export const template: Template<Pick<Membership, "id" | "name">> = (view, organization) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("organization.team.create"), parent: toOrganization(view, organization) },
    plainCard(form(view, { action: "create", submit: t("organization.team.create"), body: nameField(view, t("organization.team.name")) })),
  )
}

export const teamNew = accountPage({
  path: "/account/organization/team/new",
  needs: ["organizationList", "organizationCreateTeam"],
  show: showPermitted("team", "create", "organization.team.create", template),
  actions: {
    create: Effect.gen(function* () {
      const { call, form } = yield* Visit
      const id = yield* organizationId
      const input = { organization_id: id, name: field(form, "name").trim() }
      const { team } = yield* call("organizationCreateTeam", input)
      return yield* goTo("/account/organization/team", "organization.team.created", { id, team: team.id })
    }),
  },
})
