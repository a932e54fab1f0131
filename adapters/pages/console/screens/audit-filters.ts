import { Effect } from "effect"
import { Visit } from "../../page.ts"
import { dayEnd, dayStart } from "../parts/days.ts"
import { choiceFilter, dayFilter, filters, filtersIn, moreFilters, searchFilter } from "../parts/filters.ts"
import type { ConsoleView } from "../screen.ts"

/** The filters of the audit log that are set, by their names in the address of the page. */
export type Query = Readonly<Record<string, string>>

const parties = ["subject_id", "actor_id"] as const
/** The labels of the filters by text. */
export const labels = { subject_id: "console.audit.subject", actor_id: "console.audit.actor", type: "console.audit.type" } as const
const days = ["since", "until"] as const
const names = [...parties, "type", "outcome", ...days]

/** The form with the filters. */
export const auditFilters = (view: ConsoleView, query: Query, types: ReadonlyArray<string>) => {
  const { t } = view.texts
  const value = (name: string) => query[name] ?? ""
  return filters(
    view,
    "/audit",
    ...parties.map((name) => searchFilter({ name, label: t(labels[name]), hint: t("console.audit.id.hint"), value: value(name) })),
    searchFilter({
      name: "type",
      label: t("console.audit.type"),
      hint: t("console.audit.type.hint"),
      value: value("type"),
      options: types,
    }),
    choiceFilter(
      view,
      {
        name: "outcome",
        label: t("console.audit.outcome"),
        options: ["success", "failure"].map((each) => [each, t(`console.outcome.${each}`)] as const),
      },
      value("outcome"),
    ),
    moreFilters(
      view,
      days.some((name) => value(name) !== ""),
      ...days.map((name) => dayFilter({ name, label: t(`console.audit.export.${name}`), value: value(name) })),
    ),
  )
}

/** The filters of the page, and those by text as the endpoints take them: with ids in place of email addresses. */
export const chosenFilters = Effect.gen(function* () {
  const typed: Query = filtersIn((yield* Visit).query, names)
  const byText: Record<string, string> = {}
  for (const name of Object.keys(labels)) if (typed[name] !== undefined) byText[name] = yield* idOf(typed[name])
  return { typed, byText }
})

/** The id of the user with this address. Any other text stays as it is, and an address without such a user or the right to read users. */
const idOf = Effect.fnUntraced(function* idOfParty(typed: string) {
  if (!typed.includes("@")) return typed
  const { call } = yield* Visit
  const found = call("adminUsersList", { email: typed.trim() })
  return yield* Effect.match(found, { onSuccess: ({ users }) => users[0]?.id ?? typed, onFailure: () => typed })
})

/** The chosen days, which both belong to the range. */
export const rangeOf = ({ since, until }: Query) => ({ ...(since && { since: dayStart(since) }), ...(until && { until: dayEnd(until) }) })
