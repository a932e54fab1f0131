import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { form } from "../../components/form.ts"
import { deviceName, roleName } from "../../components/names.ts"
import { field, type Output, Visit } from "../../page.ts"
import { body, card } from "../parts/body.ts"
import { details, id } from "../parts/details.ts"
import { part } from "../parts/part.ts"
import { table } from "../parts/table.ts"
import { time, timeOr } from "../parts/time.ts"
import { type ConsoleView, goTo, Operator, type Screen, type Template } from "../screen.ts"
import { stateOf } from "./users.ts"

type Shown = Output<"adminUsersShow">

interface Props {
  readonly shown: Shown
  /** The parts of the page, each of which can fail alone. */
  readonly parts: Array<SafeHtml>
}

/** One user, with all that an administrator can do. */
export const template: Template<Props> = (view, { shown, parts }) => {
  const { user } = shown
  const parent = { href: view.at("/users"), label: view.texts.t("console.users") }
  return body(view, { title: user.name ?? user.email, parent }, profile(view, shown), ...parts)
}

const profile = (view: ConsoleView, { user, ban }: Shown) => {
  const { t } = view.texts
  return card(
    t("console.user.profile"),
    {},
    details([
      [t("console.user.address"), leftToRight(user.email)],
      [t("console.users.state"), stateOf(view, user)],
      [t("console.user.suspended_until"), ban === null ? null : timeOr(view, ban.expires_at, t("console.user.no_end"))],
      [t("console.users.role"), roleName(view, user.role)],
      [t("console.user.id"), id(user.id)],
      [t("console.users.created"), time(view, user.created_at)],
    ]),
    view.may("users:suspend") ? html`<p class="actions">${suspension(view, user)}</p>` : null,
  )
}

const suspension = (view: ConsoleView, { id, banned }: Shown["user"]) => {
  const { t } = view.texts
  if (!banned) return html`<a class="button small danger" href="${view.at("/user/suspend", { id })}">${t("console.user.suspend")}</a>`
  return form(view, { action: "resume", submit: t("console.user.resume"), look: "small secondary" })
}

interface Sessions {
  readonly sessions: Output<"adminUsersSessions">["sessions"]
}

/** The sessions of the user. */
export const sessionsCard: Template<Sessions> = (view, { sessions }) => {
  const { t } = view.texts
  const end = (session_id: string) =>
    view.may("sessions:revoke")
      ? form(view, { action: "end", submit: t("console.session.end"), look: "small danger", hidden: { session_id } })
      : null
  return card(
    t("console.user.sessions"),
    {},
    table({
      caption: t("console.user.sessions"),
      columns: [
        { label: t("console.session.device"), cell: ({ user_agent }) => deviceName(view, user_agent) ?? t("device.unknown") },
        { label: t("console.session.address"), cell: ({ ip_address }) => (ip_address === null ? "–" : leftToRight(ip_address)) },
        { label: t("console.session.began"), cell: ({ created_at }) => time(view, created_at) },
        { label: t("console.session.used"), cell: ({ updated_at }) => time(view, updated_at) },
        { label: t("console.actions"), cell: ({ id }) => end(id) },
      ],
      rows: sessions,
      empty: t("console.user.sessions.none"),
    }),
  )
}

/** The user of this page, by the id in its address. */
export const userShown = Effect.gen(function* () {
  const { call, query } = yield* Visit
  return yield* call("adminUsersShow", { user_id: query.get("id") ?? "" })
})

const back = Effect.fnUntraced(function* backToUser(notice: Parameters<typeof goTo>[1]) {
  const { query } = yield* Visit
  return yield* goTo("/user", notice, { id: query.get("id") ?? "" })
})

export const user: Screen = {
  path: "/user",
  permission: "users:read",
  needs: ["adminUsersShow"],
  uses: ["adminUsersSessions", "adminUsersRevokeSession", "adminUsersResume"],
  section: "/users",
  show: Effect.gen(function* () {
    const { call } = yield* Visit
    const { view } = yield* Operator
    const shown = yield* userShown
    const { user } = shown
    const parts = view.may("sessions:read")
      ? [
          part(
            view,
            view.texts.t("console.user.sessions"),
            Effect.map(call("adminUsersSessions", { user_id: user.id }), ({ sessions }) => sessionsCard(view, { sessions })),
          ),
        ]
      : []
    return { title: user.name ?? user.email, main: template(view, { shown, parts: yield* Effect.all(parts) }) }
  }),
  actions: {
    resume: Effect.gen(function* () {
      const { call, query } = yield* Visit
      yield* call("adminUsersResume", { user_id: query.get("id") ?? "" })
      return yield* back("console.user.resumed")
    }),
    end: Effect.gen(function* () {
      const { call, query, form } = yield* Visit
      yield* call("adminUsersRevokeSession", { user_id: query.get("id") ?? "", session_id: field(form, "session_id") })
      return yield* back("console.session.ended")
    }),
  },
}
