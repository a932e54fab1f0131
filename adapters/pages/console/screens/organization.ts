import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { inputField } from "../../components/fields.ts"
import { form } from "../../components/form.ts"
import { type Output, Visit } from "../../page.ts"
import { body, card } from "../parts/body.ts"
import { details, id } from "../parts/details.ts"
import { disclosure } from "../parts/disclosure.ts"
import { filtersIn } from "../parts/filters.ts"
import { part } from "../parts/part.ts"
import { time } from "../parts/time.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"
import { actions } from "./organization-actions.ts"
import { invitationsCard, membersCard, type Roles } from "./organization-parts.ts"

type Shown = Output<"adminOrganizationsShow">

interface Props {
  readonly shown: Shown
  /** The parts of the page, each of which can fail alone. */
  readonly parts: Array<SafeHtml>
}

/** One organization, with its members and open invitations. */
export const template: Template<Props> = (view, { shown, parts }) => {
  const { t } = view.texts
  const { organization } = shown
  return body(
    view,
    { title: organization.name, parent: { href: view.at("/organizations"), label: t("console.organizations") } },
    card(
      t("console.organization"),
      {},
      details([
        [t("console.name"), html`<bdi>${organization.name}</bdi>`],
        [t("console.organization.slug"), leftToRight(organization.slug)],
        [t("console.users.created"), time(view, organization.created_at)],
        [t("console.id"), id(organization.id)],
      ]),
      view.may("organizations:update") ? edit(view, shown) : null,
    ),
    ...parts,
    view.may("organizations:delete") ? removal(view, organization.id) : null,
  )
}

const edit = (view: ConsoleView, { organization: { name, slug }, version }: Shown) => {
  const { t } = view.texts
  const fields = html`${inputField(view, { name: "name", label: t("console.name"), value: name, attributes: { autocomplete: "off", maxlength: "200" } })}
${inputField(view, { name: "slug", label: t("console.organization.slug"), hint: t("organization.slug.hint"), value: slug, attributes: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "64", dir: "ltr" } })}`
  const content = form(view, { action: "edit", submit: t("console.save"), look: "small", hidden: { version }, body: fields })
  return disclosure(t("console.edit"), { isOpen: view.entered("name") !== "" || view.entered("slug") !== "" }, content)
}

const removal = (view: ConsoleView, id: string) =>
  html`<div class="card danger-zone"><a class="button small danger" href="${view.at("/organization/delete", { id })}">${view.texts.t("console.organization.delete")}</a></div>`

/** Rows of a list on this page. */
const limit = 50

const rolesOf = Effect.map(Visit, ({ site: { accessControl } }): Roles => {
  if (accessControl === null) return { all: [], usual: "" }
  const { roles, hierarchy, invite_default } = accessControl
  return { all: [...new Set([...hierarchy, ...Object.keys(roles)])], usual: invite_default }
})

const members = Effect.fnUntraced(function* shownMembers(organization_id: string) {
  const { call, query } = yield* Visit
  const { view } = yield* Operator
  const chosen = filtersIn(query, ["id", "invitations"])
  const { cursor } = chosen
  const found = yield* call("adminOrganizationsMembers", { organization_id, limit, ...(cursor && { cursor }) })
  const { members, next_cursor = null } = found
  return membersCard(view, { organization_id, members, roles: yield* rolesOf, query: chosen, next: next_cursor })
})

const invitations = Effect.fnUntraced(function* shownInvitations(organization_id: string) {
  const { call, query } = yield* Visit
  const { view } = yield* Operator
  const chosen = filtersIn(query, ["id", "invitations"])
  const cursor = chosen["invitations"]
  const found = yield* call("adminOrganizationsInvitations", { organization_id, limit, ...(cursor && { cursor }) })
  const { invitations, next_cursor = null } = found
  return invitationsCard(view, { invitations, roles: yield* rolesOf, query: chosen, next: next_cursor })
})

export const organization: Screen = {
  path: "/organization",
  permission: "organizations:read",
  needs: ["adminOrganizationsShow"],
  uses: [
    "adminOrganizationsMembers",
    "adminOrganizationsInvitations",
    "adminOrganizationsUpdate",
    "adminOrganizationsSetMemberRole",
    "adminOrganizationsAddMember",
    "adminOrganizationsInvite",
    "adminOrganizationsResendInvitation",
    "adminOrganizationsCancelInvitation",
    "adminUsersList",
  ],
  section: "/organizations",
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const { t } = view.texts
    const shown = yield* call("adminOrganizationsShow", { organization_id: query.get("id") ?? "" })
    const { id: own, name } = shown.organization
    const parts = yield* Effect.all([
      ...(view.may("members:read") ? [part(view, t("console.members"), members(own))] : []),
      ...(view.may("invitations:read") ? [part(view, t("console.invitations"), invitations(own))] : []),
    ])
    return { title: name, main: template(view, { shown, parts }) }
  }),
  actions,
}
