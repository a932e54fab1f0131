import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Attributes } from "../../../../domain/attributes/attributes.ts"
import { leftToRight } from "../../components/direction.ts"
import { inputField } from "../../components/fields.ts"
import { form } from "../../components/form.ts"
import { named } from "../../components/names.ts"
import { type Output, Visit } from "../../page.ts"
import { actionLink, actions as buttons, editInPlace } from "../parts/actions.ts"
import { attributesFor, attributesInPlace, shownAttributes } from "../parts/attributes.ts"
import { body, card } from "../parts/body.ts"
import { plainField } from "../parts/field.ts"
import { filtersIn } from "../parts/filters.ts"
import { part } from "../parts/part.ts"
import { details, id, time } from "../parts/values.ts"
import { askedId, type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"
import { actions } from "./organization-actions.ts"
import { membersLimit } from "./organization-member.ts"
import { invitationsCard, membersCard, type Roles } from "./organization-parts.ts"

type Shown = Output<"adminOrganizationsShow">

interface Props {
  readonly shown: Shown
  /** The attributes that the visitor may change. */
  readonly attributes: Attributes
  /** The parts of the page, each of which can fail alone. */
  readonly parts: Array<SafeHtml>
}

/** One organization, with its members and open invitations. */
export const template: Template<Props> = (view, { shown, attributes, parts }) => {
  const { t } = view.texts
  const { organization, version } = shown
  const remove = actionLink(view, { id: organization.id }, removal)
  return body(
    view,
    { title: organization.name, parent: { href: view.at("/organizations"), label: t("account.organizations") } },
    card(
      t("console.organization"),
      {},
      details([
        [t("console.name"), named(organization.name)],
        [t("organization.slug"), leftToRight(organization.slug)],
        [t("console.users.created"), time(view, organization.created_at)],
        [t("console.id"), id(organization.id)],
        ...shownAttributes(view, organization),
      ]),
      view.may("organizations:update")
        ? buttons(edit(view, shown), attributesInPlace(view, { attributes, shown: organization, version }))
        : null,
    ),
    ...parts,
    remove === null ? null : html`<div class="card danger-zone">${remove}</div>`,
  )
}

const edit = (view: ConsoleView, { organization: { name, slug }, version }: Shown) => {
  const { t } = view.texts
  const fields = html`${inputField(view, { name: "name", label: t("console.name"), value: name, attributes: { autocomplete: "off", maxlength: "200" } })}
${plainField(view, { name: "slug", label: t("organization.slug"), hint: t("organization.slug.hint"), value: slug, maxlength: 64 })}`
  const content = form(view, { action: "edit", submit: t("account.save"), look: "small", hidden: { version }, body: fields })
  return editInPlace(view, ["name", "slug"], content)
}

const removal = {
  path: "/organization/delete",
  label: "organization.delete",
  permission: "organizations:delete",
  isDanger: true,
} as const

/** Rows of the list of invitations. */
const limit = 50

const rolesOf = Effect.map(Visit, ({ site: { accessControl } }): Roles => {
  if (accessControl === null) return { all: [], usual: "", owner: "" }
  const { roles, hierarchy, invite_default, creator_role } = accessControl
  return { all: [...new Set([...hierarchy, ...Object.keys(roles)])], usual: invite_default, owner: creator_role }
})

const members = Effect.fnUntraced(function* shownMembers(organization_id: string) {
  const { call, query } = yield* Visit
  const { view } = yield* Operator
  const { cursor } = filtersIn(query, [])
  const found = yield* call("adminOrganizationsMembers", { organization_id, limit: membersLimit, ...(cursor && { cursor }) })
  return membersCard(view, { ...found, ...(yield* listed), organization_id })
})

const invitations = Effect.fnUntraced(function* shownInvitations(organization_id: string) {
  const { call, query } = yield* Visit
  const { view } = yield* Operator
  const cursor = query.get("invitations")
  const found = yield* call("adminOrganizationsInvitations", { organization_id, limit, ...(cursor && { cursor }) })
  return invitationsCard(view, { ...found, ...(yield* listed) })
})

/** What both lists need. */
const listed = Effect.gen(function* () {
  const { query, site } = yield* Visit
  return { hasAttributes: site.attributes.member.length > 0, roles: yield* rolesOf, query: filtersIn(query, ["id", "invitations"]) }
})

export const organization: Screen = {
  path: "/organization",
  permission: "organizations:read",
  needs: ["adminOrganizationsShow"],
  problems: { sole_owner: "console.member.sole_owner" },
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
    const { call, site } = yield* Visit
    const { view } = yield* Operator
    const { t } = view.texts
    const shown = yield* call("adminOrganizationsShow", { organization_id: yield* askedId })
    const { id: own, name } = shown.organization
    const permitted = [
      ...(view.may("members:read") ? [part(view, t("organization.members"), members(own))] : []),
      ...(view.may("invitations:read") ? [part(view, t("console.invitations"), invitations(own))] : []),
    ]
    const parts = yield* Effect.all(permitted, { concurrency: "unbounded" })
    return { title: name, main: template(view, { shown, attributes: attributesFor(view, site.attributes.organization), parts }) }
  }),
  actions,
}
