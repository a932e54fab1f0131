import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../../components/form.ts"
import { deviceName } from "../../../components/names.ts"
import { field, type Output, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { actionLinks, type Has } from "../../parts/actions.ts"
import { tableCard } from "../../parts/table.ts"
import { ipAddress, time } from "../../parts/values.ts"
import { askedId, calling, type Template } from "../../screen.ts"
import { backToUser, userSubject } from "./subject.ts"

interface Props {
  readonly user_id: string
  readonly sessions: Output<"adminUsersSessions">["sessions"]
  readonly has: Has
}

/** The sessions of the user. */
export const sessionsCard: Template<Props> = (view, { user_id, sessions, has }) => {
  const { t } = view.texts
  const end = (session_id: string) =>
    view.may("sessions:revoke")
      ? form(view, { action: "end", submit: t("console.session.end"), look: "small danger", hidden: { session_id } })
      : null
  const all = actionLinks(view, has, { id: user_id }, [
    {
      path: "/user/sessions/end",
      label: "console.user.sessions.end",
      permission: "sessions:revoke",
      needs: "adminRevokeUserSessions",
      isDanger: true,
    },
  ])
  return tableCard(t("console.user.sessions"), {
    action: sessions.length === 0 ? null : html`${all}`,
    columns: [
      { label: t("console.session.device"), cell: ({ user_agent }) => deviceName(view, user_agent) ?? t("device.unknown") },
      { label: t("console.session.address"), cell: ({ ip_address }) => ipAddress(ip_address) },
      { label: t("console.started"), cell: ({ created_at }) => time(view, created_at) },
      { label: t("console.session.used"), cell: ({ updated_at }) => time(view, updated_at) },
      { label: t("console.actions"), cell: ({ id }) => end(id) },
    ],
    rows: sessions,
    empty: t("console.user.sessions.none"),
  })
}

export const sessionActions = {
  end: Effect.gen(function* () {
    const { call, form } = yield* Visit
    yield* call("adminUsersRevokeSession", { user_id: yield* askedId, session_id: field(form, "session_id") })
    return yield* backToUser("console.session.ended")
  }),
}

export const endSessions = confirmation({
  path: "/user/sessions/end",
  permission: "sessions:revoke",
  also: ["users:read"],
  section: "/users",
  needs: ["adminUsersShow", "adminRevokeUserSessions"],
  title: "console.user.sessions.end",
  text: "console.user.sessions.end.text",
  subject: userSubject,
  run: ({ id: user_id }) => calling("console.user.sessions.ended", "adminRevokeUserSessions", { user_id }),
})
