import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { roleName } from "../../components/names.ts"
import { type Input, type Output, Visit } from "../../page.ts"
import { badge } from "../parts/badge.ts"
import { body } from "../parts/body.ts"
import { choiceFilter, filters, filtersIn, results, searchFilter } from "../parts/filters.ts"
import { paging, table } from "../parts/table.ts"
import { time } from "../parts/time.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"

type Query = Readonly<Record<string, string>>
type AdministeredUser = Output<"adminUsersList">["users"][number]

interface Props {
  readonly users: ReadonlyArray<AdministeredUser>
  readonly roles: ReadonlyArray<string>
  readonly query: Query
  readonly next: string | null
}

/** The users, the newest first, or those whom a text finds. */
export const template: Template<Props> = (view, { users, roles, query, next }) => {
  const { t } = view.texts
  return body(
    view,
    { title: t("console.users") },
    filters(
      view,
      "/users",
      searchFilter({ name: "q", label: t("console.users.find"), hint: t("console.users.find.hint"), value: query["q"] ?? "" }),
      choiceFilter(view, { name: "state", label: t("console.users.state"), options: states(view) }, query["state"] ?? ""),
      choiceFilter(
        view,
        { name: "role", label: t("console.users.role"), options: roles.map((role) => [role, String(roleName(view, role))]) },
        query["role"] ?? "",
      ),
    ),
    results(
      table({
        caption: t("console.users"),
        columns: [
          { label: t("console.users.user"), cell: (user) => userLink(view, user) },
          { label: t("console.users.state"), cell: (user) => stateOf(view, user) },
          { label: t("console.users.role"), cell: ({ role }) => roleName(view, role) },
          { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
        ],
        rows: users,
        empty: next === null ? t("console.users.none") : t("console.filter.incomplete"),
      }),
      paging(view, "/users", query, next),
    ),
  )
}

const states = ({ texts }: ConsoleView) =>
  [
    ["suspended", texts.t("console.state.suspended")],
    ["unverified", texts.t("console.state.unverified")],
  ] as const

/** The name of a user with the address, as a link to their page. */
export const userLink = (view: ConsoleView, { id, name, email }: Pick<AdministeredUser, "id" | "name" | "email">) =>
  html`<a href="${view.at("/user", { id })}"><bdi>${name ?? email}</bdi></a>${name === null ? null : html`<span class="line muted">${leftToRight(email)}</span>`}`

/** Whether a user can sign in. */
export const stateOf = ({ texts }: ConsoleView, { banned, email_verified, is_guest }: AdministeredUser) => {
  if (banned) return badge("stopped", texts.t("console.state.suspended"))
  if (is_guest === true) return badge("open", texts.t("console.state.guest"))
  return email_verified ? badge("good", texts.t("console.state.active")) : badge("open", texts.t("console.state.unverified"))
}

/** The filter of a typed text: an id, a phone number, the beginning of an address, or that of a name. */
export const searchOf = (text: string): Input<"adminUsersList"> => {
  const typed = text.trim()
  if (typed === "") return {}
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed)) return { user_id: typed.toLowerCase() }
  if (/^\+[\d ]+$/.test(typed)) return { provider_id: "phone", account_id: typed.replaceAll(" ", "") }
  return typed.includes("@") ? { email_prefix: typed } : { name_prefix: typed }
}

const byState: Readonly<Record<string, Input<"adminUsersList">>> = { suspended: { banned: true }, unverified: { email_verified: false } }

export const users: Screen = {
  path: "/users",
  permission: "users:read",
  needs: ["adminUsersList"],
  section: { label: "console.users", group: "people" },
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, ["q", "state", "role"])
    const { q = "", state = "", role, cursor } = chosen
    const found = yield* call("adminUsersList", {
      ...searchOf(q),
      ...(Object.hasOwn(byState, state) ? byState[state] : {}),
      ...(role && { role }),
      ...(cursor && { cursor }),
    })
    const { roles } = yield* call("adminRolesList")
    const props = { users: found.users, roles: roles.map(({ name }) => name), query: chosen, next: found.next_cursor }
    return { title: view.texts.t("console.users"), main: template(view, props) }
  }),
}
