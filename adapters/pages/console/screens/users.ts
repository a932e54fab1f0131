import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { isReadBy } from "../../../../domain/attributes/attributes.ts"
import { administrator } from "../../../../domain/users/admin-metadata.ts"
import { type Output, Visit } from "../../page.ts"
import { body } from "../parts/body.ts"
import { filtersIn, nothingFound, results } from "../parts/filters.ts"
import { pagingOfPart, table } from "../parts/table.ts"
import { totalOf } from "../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"
import { type AdministeredUser, columnsOf } from "./users/columns.ts"
import { type Choices, names, type Query, setFilters, usersFilters, wantedBy } from "./users/filters.ts"
import { type JobOperation, operationField, operationsOf } from "./users/operations.ts"

/** The ids of all chosen users fit in an address. */
const pageSize = 50

interface Props {
  readonly found: Pick<Output<"adminUsersList">, "users" | "roles" | "details">
  readonly choices: Choices
  readonly query: Query
  readonly next: string | null
  /** Of all users, if no filter is set. */
  readonly total?: Output<"adminUsersList">["total"]
  /** Whether the visitor may add users. */
  readonly mayAdd: boolean
  /** What the visitor may do to several users at once. */
  readonly operations: ReadonlyArray<JobOperation>
}

/** The users, the newest first, or those whom the filters find. */
export const template: Template<Props> = (view, { found, choices, query, next, total, mayAdd, operations }) => {
  const { t } = view.texts
  const { users } = found
  const add = html`<a class="button small" href="${view.at("/users/new")}">${t("console.users.new")}</a>`
  const isChoice = operations.length > 0 && users.length > 0
  const [first, ...others] = columnsOf(view, found)
  const isPart = next !== null && users.length < pageSize
  const shown =
    isPart && users.length === 0
      ? null
      : table({
          caption: t("console.users"),
          columns: [first, ...others],
          rows: users,
          empty: nothingFound(view, "/users", query, { text: t("console.users.none"), set: setFilters(view, query) }),
          ...(isChoice && { choice: choiceOf(view) }),
        })
  return body(
    view,
    { title: t("console.users"), action: mayAdd ? add : null, note: totalOf(view, total) },
    usersFilters(view, query, choices),
    results(
      query["role"] === administrator ? ofConfiguration(view) : null,
      isChoice ? html`<form method="get" action="${view.at("/users/several")}">${shown}${operationField(view, operations)}</form>` : shown,
      pagingOfPart(view, "/users", query, { next, isPart }),
    ),
  )
}

/** The configuration makes users administrators without a row that the filter could find. */
const ofConfiguration = (view: ConsoleView) => {
  const { t, rich } = view.texts
  const page = html`<a href="${view.at("/administrators")}">${t("console.administrators")}</a>`
  return html`<p class="muted">${rich("console.users.administrators", { page })}</p>`
}

const choiceOf = ({ texts }: ConsoleView) => ({
  name: "id",
  label: texts.t("console.users.choose"),
  of: ({ id, name, email }: AdministeredUser) => ({ value: id, label: texts.t("console.users.choose.one", { name: name ?? email }) }),
})

const none: Output<"adminUsersList"> = { users: [], roles: [], next_cursor: null }

export const users: Screen = {
  path: "/users",
  permission: "users:read",
  needs: ["adminUsersList"],
  section: { label: "console.users", group: "people", key: "u" },
  show: Effect.gen(function* () {
    const { call, query, has, site } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, names)
    const { cursor } = chosen
    const wanted = wantedBy(chosen)
    const isFiltered = Object.keys(wanted).length > 0
    // A filter that cannot match, such as a value that its attribute never has, finds nothing.
    const list = call("adminUsersList", {
      ...{ limit: pageSize, details: true, ...wanted },
      ...(!isFiltered && { total: true }),
      ...(cursor && { cursor }),
    }).pipe(Effect.catchTag("invalid_request", () => Effect.succeed(none)))
    const [{ next_cursor, total, ...found }, { roles }] = yield* Effect.all([list, call("adminRolesList")], { concurrency: 2 })
    const reader = view.may("users:private") ? "private" : "admin"
    const props = {
      found,
      choices: {
        roles: roles.map(({ name }) => name),
        hasOrganizations: has("adminOrganizationsList"),
        attributes: site.attributes.user.filter((one) => one.isIndexed && isReadBy(one, reader)).map(({ name }) => name),
      },
      query: chosen,
      next: next_cursor,
      total,
      mayAdd: view.may("users:create") && has("adminUsersCreate"),
      operations: operationsOf(view, has),
    }
    return { title: view.texts.t("console.users"), main: template(view, props) }
  }),
}
