import { Effect } from "effect"
import { inputField } from "../../../components/fields.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { dayEnd } from "../../parts/days.ts"
import { type ConsoleView, calling } from "../../screen.ts"
import { userSubject } from "./subject.ts"

const untilField = (view: ConsoleView) => {
  const { t } = view.texts
  const label = t("field.attribute.optional", { label: t("console.user.suspend.until") })
  return inputField(view, { name: "until", label, hint: t("console.user.suspend.until.hint"), type: "date", required: false })
}

export const suspend = confirmation({
  path: "/user/suspend",
  permission: "users:suspend",
  section: "/users",
  needs: ["adminUsersShow", "adminUsersSuspend"],
  title: "console.user.suspend",
  text: "console.user.suspend.text",
  subject: userSubject,
  needsReason: true,
  fields: untilField,
  run: Effect.fnUntraced(function* suspendUser({ id: user_id }, { reason, version }) {
    const until = field((yield* Visit).form, "until")
    const input = { user_id, reason, expected_version: version, ...(until !== "" && { until: dayEnd(until) }) }
    return yield* calling("console.user.suspended", "adminUsersSuspend", input)
  }),
})
