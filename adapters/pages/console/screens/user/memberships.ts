import { html } from "@remix-run/html-template"
import { named, roleName } from "../../../components/names.ts"
import type { Output } from "../../../page.ts"
import { paging, tableCard } from "../../parts/table.ts"
import { time } from "../../parts/values.ts"
import type { ConsoleView, Template } from "../../screen.ts"

/** The name as a link for visitors who may open the organization. */
const organizationLink = (view: ConsoleView, id: string, name: string) =>
  view.may("organizations:read") ? html`<a href="${view.at("/organization", { id })}">${named(name)}</a>` : named(name)

interface Props extends Output<"adminUsersMemberships"> {
  /** The query of the page. */
  readonly query: Readonly<Record<string, string>>
}

/** The organizations of the user. */
export const membershipsCard: Template<Props> = (view, { memberships, next_cursor = null, query }) => {
  const { t } = view.texts
  return tableCard(
    t("account.organizations"),
    {
      columns: [
        { label: t("console.organization"), cell: ({ organization_id, name }) => organizationLink(view, organization_id, name) },
        { label: t("organization.role"), cell: ({ role }) => roleName(view, role) },
        { label: t("console.user.since"), cell: ({ created_at }) => time(view, created_at) },
      ],
      rows: memberships,
      empty: t("console.user.memberships.none"),
    },
    paging(view, "/user", query, next_cursor),
  )
}
