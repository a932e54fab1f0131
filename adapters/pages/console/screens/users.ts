import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { named, roleName } from "../../components/names.ts"
import { type Input, type Output, Visit } from "../../page.ts"
import { body } from "../parts/body.ts"
import { choiceFilter, filters, filtersIn, results, searchFilter } from "../parts/filters.ts"
import { paging, table } from "../parts/table.ts"
import { badge, roleOptions, time, totalOf, twoLines, userLink } from "../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"
import { type JobOperation, operationField, operationsOf } from "./users/operations.ts"

type Query = Readonly<Record<string, string>>
type AdministeredUser = Output<"adminUsersList">["users"][number]

interface Props {
  readonly users: ReadonlyArray<AdministeredUser>
  readonly roles: ReadonlyArray<string>
  readonly query: Query
  readonly next: string | null
  /** Of all users, if no filter is set. */
  readonly total?: Output<"adminUsersList">["total"]
  /** Whether the visitor may add users. */
  readonly mayAdd: boolean
  /** What the visitor may do to several users at once. */
  readonly operations: ReadonlyArray<JobOperation>
}

/** The users, the newest first, or those whom a text finds. */
export const template: Template<Props> = (view, { users, roles, query, next, total, mayAdd, operations }) => {
  const { t } = view.texts
  const add = html`<a class="button small" href="${view.at("/users/new")}">${t("console.users.new")}</a>`
  const isChoice = operations.length > 0 && users.length > 0
  const found = table({
    caption: t("console.users"),
    columns: [
      { label: t("console.users.user"), cell: (user) => nameOf(view, user) },
      { label: t("console.users.state"), cell: (user) => stateOf(view, user) },
      { label: t("organization.role"), cell: ({ role }) => roleName(view, role) },
      { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
    ],
    rows: users,
    empty: next === null ? t("console.users.none") : t("console.filter.incomplete"),
    ...(isChoice && { choice: choiceOf(view) }),
  })
  return body(
    view,
    { title: t("console.users"), action: mayAdd ? add : null, note: total === undefined ? null : totalOf(view, total) },
    filters(
      view,
      "/users",
      searchFilter({ name: "q", label: t("console.users.find"), hint: t("console.users.find.hint"), value: query["q"] ?? "" }),
      choiceFilter(view, { name: "state", label: t("console.users.state"), options: states(view) }, query["state"] ?? ""),
      choiceFilter(view, { name: "role", label: t("organization.role"), options: roleOptions(view, roles) }, query["role"] ?? ""),
    ),
    results(
      isChoice ? html`<form method="get" action="${view.at("/users/several")}">${found}${operationField(view, operations)}</form>` : found,
      paging(view, "/users", query, next),
    ),
  )
}

const choiceOf = ({ texts }: ConsoleView) => ({
  name: "id",
  label: texts.t("console.users.choose"),
  of: ({ id, name, email }: AdministeredUser) => ({ value: id, label: texts.t("console.users.choose.one", { name: name ?? email }) }),
})

const states = ({ texts }: ConsoleView) =>
  [
    ["suspended", texts.t("console.state.suspended")],
    ["unverified", texts.t("console.state.unverified")],
  ] as const

/** The name of a user with the address. */
const nameOf = (view: ConsoleView, { id, name, email }: AdministeredUser) =>
  twoLines(userLink(view, id, named(name ?? email)), name === null ? null : leftToRight(email), "line muted")

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
    const { call, query, has } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, ["q", "state", "role"])
    const { q = "", state = "", role, cursor } = chosen
    const list = call("adminUsersList", {
      // The ids of all chosen users fit in an address.
      limit: 50,
      ...searchOf(q),
      ...(Object.hasOwn(byState, state) ? byState[state] : {}),
      ...(role && { role }),
      ...(cursor && { cursor }),
      ...(q === "" && state === "" && !role && { total: true }),
    })
    const [found, { roles }] = yield* Effect.all([list, call("adminRolesList")], { concurrency: 2 })
    const props = {
      users: found.users,
      roles: roles.map(({ name }) => name),
      query: chosen,
      next: found.next_cursor,
      total: found.total,
      mayAdd: view.may("users:create") && has("adminUsersCreate"),
      operations: operationsOf(view, has),
    }
    return { title: view.texts.t("console.users"), main: template(view, props) }
  }),
}
