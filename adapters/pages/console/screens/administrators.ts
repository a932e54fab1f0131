import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { form } from "../../components/form.ts"
import { named } from "../../components/names.ts"
import { field, type Output, Visit } from "../../page.ts"
import { body, card } from "../parts/body.ts"
import { filtersIn } from "../parts/filters.ts"
import { paging, table, tableCard } from "../parts/table.ts"
import { badge, id, time, userLink, words } from "../parts/values.ts"
import { type ConsoleView, goTo, Operator, type Screen, type Template } from "../screen.ts"

interface Impersonations extends Output<"adminImpersonationsList"> {
  /** The query of the page. */
  readonly query: Readonly<Record<string, string>>
}

interface Props extends Output<"adminRolesList"> {
  /** Null where administrators cannot act in the name of users, or the visitor may not see it. */
  readonly impersonations: Impersonations | null
}

/** The roles of administrators, and the sessions in which they act in the name of users. */
export const template: Template<Props> = (view, { roles, configured, impersonations }) => {
  const { t } = view.texts
  return body(
    view,
    { title: t("console.administrators") },
    card(
      t("console.roles"),
      {},
      html`<p>${t("console.roles.about")}</p>`,
      table({
        caption: t("console.roles"),
        columns: [
          {
            label: t("organization.role"),
            cell: ({ name }) => html`<a href="${view.at("/users", { role: name })}">${named(name)}</a>`,
          },
          {
            label: t("console.roles.permissions"),
            cell: ({ permissions }) => words(permissions),
          },
        ],
        rows: roles,
        empty: t("console.roles.none"),
      }),
    ),
    configured === undefined ? null : configuredCard(view, configured),
    impersonations === null ? null : impersonationsCard(view, impersonations),
  )
}

type Configured = NonNullable<Props["configured"]>

const configuredCard = (view: ConsoleView, configured: Configured) => {
  const { t } = view.texts
  const title = t("console.administrators.configured")
  return card(
    title,
    {},
    html`<p>${t("console.administrators.configured.about")}</p>`,
    table({
      caption: title,
      columns: [
        { label: t("console.users.user"), cell: (one) => userCell(view, one) },
        { label: t("console.users.state"), cell: (one) => stateOf(view, one) },
      ],
      rows: configured,
      empty: t("console.administrators.configured.none"),
    }),
  )
}

const userCell = (view: ConsoleView, { email, user_id }: Configured[number]) => {
  const address = email === null ? undefined : leftToRight(email)
  if (user_id === null) return address ?? null
  return email === null ? id(user_id) : userLink(view, user_id, address)
}

const stateOf = ({ texts: { t } }: ConsoleView, { email, user_id, is_administrator }: Configured[number]) => {
  if (email === null || user_id === null) return badge("waiting", t("console.administrators.no_user"))
  return is_administrator ? badge("good", t("console.state.active")) : badge("open", t("console.state.unverified"))
}

const impersonationsCard = (view: ConsoleView, { impersonations, next_cursor = null, query }: Impersonations) => {
  const { t } = view.texts
  return tableCard(
    t("console.impersonations"),
    {
      columns: [
        { label: t("console.users.user"), cell: ({ user_id }) => userLink(view, user_id) },
        { label: t("console.impersonation.by"), cell: ({ impersonator_user_id }) => userLink(view, impersonator_user_id) },
        { label: t("console.confirm.reason"), cell: ({ reason }) => named(reason) },
        { label: t("console.started"), cell: ({ started_at }) => time(view, started_at) },
        {
          label: t("console.users.state"),
          cell: ({ state, session_id, ended_at }) =>
            state === "active" && view.may("sessions:revoke")
              ? form(view, { action: "end", submit: t("console.session.end"), look: "small danger", hidden: { session_id } })
              : html`${badge(state === "active" ? "waiting" : "stopped", t(`console.impersonation.${state}`))}${ended_at === null ? null : html` ${time(view, ended_at)}`}`,
        },
      ],
      rows: impersonations,
      empty: t("console.impersonations.none"),
    },
    paging(view, "/administrators", query, next_cursor),
  )
}

export const administrators: Screen = {
  path: "/administrators",
  permission: "users:read",
  needs: ["adminRolesList"],
  uses: ["adminImpersonationsList", "adminImpersonationsEnd"],
  section: { label: "console.administrators", group: "people" },
  show: Effect.gen(function* () {
    const { call, has, query } = yield* Visit
    const { view } = yield* Operator
    const isShown = has("adminImpersonationsList") && view.may("audit:read")
    const place = filtersIn(query, [])
    const [roles, found] = yield* Effect.all(
      [call("adminRolesList", { configured: true }), isShown ? call("adminImpersonationsList", place) : Effect.succeed(null)],
      { concurrency: 2 },
    )
    return {
      title: view.texts.t("console.administrators"),
      main: template(view, { ...roles, impersonations: found === null ? null : { ...found, query: place } }),
    }
  }),
  actions: {
    end: Effect.gen(function* () {
      const { call, form } = yield* Visit
      yield* call("adminImpersonationsEnd", { session_id: field(form, "session_id") })
      return yield* goTo("/administrators", "console.session.ended")
    }),
  },
}
