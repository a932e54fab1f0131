import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { ListedOrganization } from "../../../../client/operations.ts"
import { inputField } from "../../components/fields.ts"
import { form } from "../../components/form.ts"
import { labelFor, named, roleName } from "../../components/names.ts"
import { field, Visit } from "../../page.ts"
import type { Template, View } from "../../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, section } from "../frame.ts"
import { linkButton, list, pageSize, paging, row, tag } from "../parts.ts"
import { withSlugOf } from "./slug.ts"

interface Props {
  readonly organizations: ReadonlyArray<Pick<ListedOrganization, "id" | "name" | "slug" | "role">>
  /** The id of the active one. */
  readonly active: string | null
  readonly first: string | null
  readonly next: string | null
}

/** The organizations of the user, and the form for a new one. */
export const template: Template<Props> = (view, { organizations, active, ...links }) => {
  const { t } = view.texts
  const rows = organizations.map((each) => organizationRow(view, each, each.id === active))
  return framed(
    view,
    { title: t("account.organizations") },
    plainCard(list(rows, t("organizations.none")), paging(view, links)),
    section(
      t("organizations.create"),
      form(view, {
        action: "create",
        submit: t("organizations.create.submit"),
        look: "small",
        body: html`${nameField(view, t("organization.name"))}${newSlugField(view)}`,
      }),
    ),
  )
}

const organizationRow = (view: View, { id, name, role }: Props["organizations"][number], isActive: boolean) => {
  const { t } = view.texts
  const activate = form(view, {
    action: "activate",
    submit: labelFor(t("organizations.activate"), named(name)),
    look: "small secondary",
    hidden: { organization_id: id },
  })
  return row(
    html`${named(name)} ${isActive ? tag(t("organizations.active")) : null}`,
    roleName(view, role),
    isActive ? null : activate,
    linkButton(view.href("/account/organization", { id }), labelFor(t("organizations.open"), named(name))),
  )
}

/** The name of an organization or a team. */
export const nameField = (view: View, label: string, value = "") =>
  inputField(view, { name: "name", label, value, attributes: { autocomplete: "off", maxlength: "200", enterkeyhint: "next" } })

/** The name of an organization in addresses. */
export const slugField = (view: View, value: string, changes: { readonly hint?: string; readonly required?: boolean } = {}) =>
  inputField(view, {
    name: "slug",
    label: view.texts.t("organization.slug"),
    hint: view.texts.t("organization.slug.hint"),
    value,
    ...changes,
    attributes: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "64", enterkeyhint: "done", dir: "ltr" },
  })

/** The same for a new organization: without one, it is made from the name. */
const newSlugField = (view: View) => slugField(view, "", { hint: view.texts.t("organization.slug.new"), required: false })

const create = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const [name, slug] = [field(form, "name").trim(), field(form, "slug").trim()]
  const created = (slug: string) => call("organizationCreate", { name, slug })
  const { organization } = yield* slug === "" ? withSlugOf(name, created) : created(slug)
  return yield* goTo("/account/organization", "organizations.created", { id: organization.id })
})

const activate = Effect.gen(function* () {
  const { call, form } = yield* Visit
  yield* call("organizationSetActive", { organization_id: field(form, "organization_id") })
  return yield* goTo("/account/organizations", "organizations.activated")
})

export const organizations = accountPage({
  path: "/account/organizations",
  needs: ["organizationList", "organizationGetActive", "organizationSetActive", "organizationCreate"],
  show: Effect.gen(function* () {
    const { view, call, query } = yield* Visit
    const cursor = query.get("cursor")
    const listed = yield* call("organizationList", { limit: pageSize, ...(cursor === null ? {} : { cursor }) })
    const { active_organization_id } = yield* call("organizationGetActive")
    const { next_cursor = null } = listed
    const main = template(view, {
      organizations: listed.organizations,
      active: active_organization_id,
      first: cursor === null ? null : view.href("/account/organizations"),
      next: next_cursor === null ? null : view.href("/account/organizations", { cursor: next_cursor }),
    })
    return yield* inSection("organizations", view.texts.t("account.organizations"), main)
  }),
  actions: { create, activate },
})
