import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { selectField } from "../../../components/fields.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { userSubject } from "./subject.ts"

const minutes = [5, 15, 30, 60]

export const impersonate = confirmation({
  path: "/user/impersonate",
  permission: "users:impersonate",
  section: "/users",
  needs: ["adminUsersShow", "adminImpersonateStart"],
  title: "console.user.impersonate",
  text: "console.user.impersonate.text",
  subject: userSubject,
  needsReason: true,
  fields: (view) => {
    const { t } = view.texts
    return html`${selectField(view, {
      name: "mode",
      label: t("console.user.impersonate.mode"),
      value: "read",
      options: [
        ["read", t("console.user.impersonate.read")],
        ["act", t("console.user.impersonate.act")],
      ],
    })}${selectField(view, {
      name: "minutes",
      label: t("console.user.impersonate.minutes"),
      value: "30",
      options: minutes.map((each) => [String(each), String(each)]),
    })}`
  },
  run: Effect.fnUntraced(function* impersonateUser({ id: user_id }, { reason }) {
    const { call, form, view } = yield* Visit
    const mode = field(form, "mode") === "act" ? "act" : "read"
    yield* call("adminImpersonateStart", { user_id, reason, mode, seconds: Number(field(form, "minutes")) * 60 })
    return { to: view.href("/account") }
  }),
})
