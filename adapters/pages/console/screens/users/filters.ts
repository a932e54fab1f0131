import { html } from "@remix-run/html-template"
import type { Input } from "../../../page.ts"
import { attributeName } from "../../parts/attributes.ts"
import { dayEnd, dayName, dayStart } from "../../parts/days.ts"
import { choiceFilter, dayFilter, filters, moreFilters, type SetFilter, searchFilter, textFilter } from "../../parts/filters.ts"
import { roleOptions } from "../../parts/values.ts"
import type { ConsoleView } from "../../screen.ts"

/** The filters of the list, by their names in the address of the page. */
export type Query = Readonly<Record<string, string>>
type Wanted = Input<"adminUsersList">

const basic = ["q", "state", "role"] as const
const further = ["organization", "from", "to", "attribute", "value"] as const
export const names = [...basic, ...further]

/** What there is to choose from. */
export interface Choices {
  readonly roles: ReadonlyArray<string>
  readonly hasOrganizations: boolean
  /** The indexed attributes that the visitor may read. */
  readonly attributes: ReadonlyArray<string>
}

const byState: Readonly<Record<string, Wanted>> = { suspended: { banned: true }, unverified: { email_verified: false } }

const states = ({ texts }: ConsoleView) =>
  [
    ["suspended", texts.t("console.state.suspended")],
    ["unverified", texts.t("console.state.unverified")],
  ] as const

/** The form with the filters. */
export const usersFilters = (view: ConsoleView, query: Query, { roles, hasOrganizations, attributes }: Choices) => {
  const { t } = view.texts
  const value = (name: string) => query[name] ?? ""
  const attributeOptions = attributes.map((name) => [name, attributeName(view, name)] as const)
  const byAttribute = html`${choiceFilter(view, { name: "attribute", label: t("console.users.attribute"), options: attributeOptions, all: t("console.none") }, value("attribute"))}${textFilter({ name: "value", label: t("console.users.attribute.value"), value: value("value") })}`
  return filters(
    view,
    "/users",
    searchFilter({ name: "q", label: t("console.users.find"), hint: t("console.users.find.hint"), value: value("q") }),
    choiceFilter(view, { name: "state", label: t("console.users.state"), options: states(view) }, value("state")),
    choiceFilter(view, { name: "role", label: t("organization.role"), options: roleOptions(view, roles) }, value("role")),
    moreFilters(
      view,
      further.some((name) => value(name) !== ""),
      hasOrganizations ? textFilter({ name: "organization", label: t("console.users.organization"), value: value("organization") }) : null,
      dayFilter({ name: "from", label: t("console.users.created.from"), value: value("from") }),
      dayFilter({ name: "to", label: t("console.users.created.to"), value: value("to") }),
      attributes.length === 0 ? null : byAttribute,
    ),
  )
}

/** The filters that are set, in words. */
export const setFilters = (view: ConsoleView, query: Query): ReadonlyArray<SetFilter> => {
  const { t } = view.texts
  const state = states(view).find(([name]) => name === query["state"])
  const role = roleOptions(view, [query["role"] ?? ""])[0]?.[1]
  const all: ReadonlyArray<readonly [name: string, label: string, value?: string | undefined]> = [
    ["q", t("console.users.find"), query["q"]],
    ["state", t("console.users.state"), state?.[1]],
    ["role", t("organization.role"), query["role"] && role],
    ["organization", t("console.users.organization"), query["organization"]],
    ["from", t("console.users.created.from"), query["from"] && dayName(view, query["from"])],
    ["to", t("console.users.created.to"), query["to"] && dayName(view, query["to"])],
  ]
  const { attribute, value } = query
  const byAttribute =
    attribute === undefined || value === undefined ? [] : [{ names: ["attribute", "value"], label: attributeName(view, attribute), value }]
  return [
    ...all.flatMap(([name, label, value]) => (value === undefined || value === "" ? [] : [{ names: [name], label, value }])),
    ...byAttribute,
  ]
}

/** The filters of the endpoint. */
export const wantedBy = ({ q = "", state = "", role, organization, from, to, attribute, value }: Query): Wanted => ({
  ...(q.trim() !== "" && { search: q }),
  ...(Object.hasOwn(byState, state) ? byState[state] : {}),
  ...(role && { role }),
  ...(organization && { organization_id: organization.trim() }),
  ...(from && { created_from: dayStart(from) }),
  ...(to && { created_before: dayEnd(to) }),
  ...(attribute && value && { attribute, value }),
})
