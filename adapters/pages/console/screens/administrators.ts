import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../components/form.ts"
import { field, type Output, Visit } from "../../page.ts"
import { badge } from "../parts/badge.ts"
import { body, card } from "../parts/body.ts"
import { id } from "../parts/details.ts"
import { table } from "../parts/table.ts"
import { time } from "../parts/time.ts"
import { type ConsoleView, goTo, Operator, type Screen, type Template } from "../screen.ts"

interface Props {
  readonly roles: Output<"adminRolesList">["roles"]
  /** Null where administrators cannot act in the name of users, or the visitor may not see it. */
  readonly impersonations: Output<"adminImpersonationsList">["impersonations"] | null
}

/** The roles of administrators, and the sessions in which they act in the name of users. */
export const template: Template<Props> = (view, { roles, impersonations }) => {
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
            label: t("console.users.role"),
            cell: ({ name }) => html`<a href="${view.at("/users", { role: name })}"><bdi>${name}</bdi></a>`,
          },
          {
            label: t("console.roles.permissions"),
            cell: ({ permissions }) => html`${permissions.map((each) => html`<code dir="ltr">${each}</code> `)}`,
          },
        ],
        rows: roles,
        empty: t("console.roles.none"),
      }),
    ),
    impersonations === null ? null : impersonationsCard(view, impersonations),
  )
}

const impersonationsCard = (view: ConsoleView, impersonations: NonNullable<Props["impersonations"]>) => {
  const { t } = view.texts
  const userOf = (user_id: string) => html`<a href="${view.at("/user", { id: user_id })}">${id(user_id)}</a>`
  return card(
    t("console.impersonations"),
    {},
    table({
      caption: t("console.impersonations"),
      columns: [
        { label: t("console.users.user"), cell: ({ user_id }) => userOf(user_id) },
        { label: t("console.impersonation.by"), cell: ({ impersonator_user_id }) => userOf(impersonator_user_id) },
        { label: t("console.confirm.reason"), cell: ({ reason }) => html`<bdi>${reason}</bdi>` },
        { label: t("console.session.began"), cell: ({ started_at }) => time(view, started_at) },
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
    }),
  )
}

export const administrators: Screen = {
  path: "/administrators",
  permission: "users:read",
  needs: ["adminRolesList"],
  uses: ["adminImpersonationsList", "adminImpersonationsEnd"],
  section: { label: "console.administrators", group: "people" },
  show: Effect.gen(function* () {
    const { call, has } = yield* Visit
    const { view } = yield* Operator
    const { roles } = yield* call("adminRolesList")
    const isShown = has("adminImpersonationsList") && view.may("audit:read")
    const impersonations = isShown ? (yield* call("adminImpersonationsList")).impersonations : null
    return { title: view.texts.t("console.administrators"), main: template(view, { roles, impersonations }) }
  }),
  actions: {
    end: Effect.gen(function* () {
      const { call, form } = yield* Visit
      yield* call("adminImpersonationsEnd", { session_id: field(form, "session_id") })
      return yield* goTo("/administrators", "console.impersonation.ended_now")
    }),
  },
}
