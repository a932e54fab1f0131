import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { named } from "../../components/names.ts"
import { type Output, Visit } from "../../page.ts"
import { body } from "../parts/body.ts"
import { filters, filtersIn, nothingFound, results, searchFilter } from "../parts/filters.ts"
import { pagingOfPart, table } from "../parts/table.ts"
import { time, totalOf } from "../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"

const pageSize = 50

interface Props {
  readonly organizations: Output<"adminOrganizationsList">["organizations"]
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
  /** Of all organizations, if no filter is set. */
  readonly total?: Output<"adminOrganizationsList">["total"]
}

/** The organizations, the newest first, or those whose name begins with a text. */
export const template: Template<Props> = (view, { organizations, query, next, total }) => {
  const { t } = view.texts
  const isPart = next !== null && organizations.length < pageSize
  return body(
    view,
    { title: t("account.organizations"), note: totalOf(view, total) },
    filters(
      view,
      "/organizations",
      searchFilter({ name: "q", label: t("console.users.find"), hint: t("console.organizations.find.hint"), value: query["q"] ?? "" }),
    ),
    results(
      isPart && organizations.length === 0
        ? null
        : table({
            caption: t("account.organizations"),
            columns: [
              {
                label: t("console.organization"),
                cell: ({ id, name }) => html`<a href="${view.at("/organization", { id })}">${named(name)}</a>`,
              },
              { label: t("organization.slug"), cell: ({ slug }) => leftToRight(slug) },
              { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
            ],
            rows: organizations,
            empty: nothingFound(view, "/organizations", query, { text: t("console.organizations.none"), set: setFilters(view, query) }),
          }),
      pagingOfPart(view, "/organizations", query, { next, isPart }),
    ),
  )
}

const setFilters = ({ texts }: ConsoleView, { q }: Props["query"]) =>
  q === undefined ? [] : [{ names: ["q"], label: texts.t("console.users.find"), value: q }]

export const organizations: Screen = {
  path: "/organizations",
  permission: "organizations:read",
  needs: ["adminOrganizationsList"],
  section: { label: "account.organizations", group: "people", key: "r" },
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, ["q"])
    const { q, cursor } = chosen
    const isSearched = q !== undefined && q.trim() !== ""
    const found = yield* call("adminOrganizationsList", {
      limit: pageSize,
      ...(isSearched ? { name_prefix: q } : { total: true }),
      ...(cursor && { cursor }),
    })
    const main = template(view, { organizations: found.organizations, query: chosen, next: found.next_cursor, total: found.total })
    return { title: view.texts.t("account.organizations"), main }
  }),
}
