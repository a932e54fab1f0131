import { Effect } from "effect"
import { inputField } from "../../../components/fields.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { dayEnd } from "../../parts/days.ts"
import { type ConsoleView, calling } from "../../screen.ts"
import { userSubject } from "./subject.ts"

/** The field for the end of a suspension, which can have none. */
export const untilField = (view: ConsoleView) => {
  const { t } = view.texts
  const label = t("field.attribute.optional", { label: t("console.user.suspend.until") })
  return inputField(view, { name: "until", label, hint: t("console.user.suspend.until.hint"), type: "date", required: false })
}

/** The end that was entered, as a member of an input. */
export const enteredEnd = Effect.map(Visit, ({ form }) => {
  const until = field(form, "until")
  return until === "" ? {} : { until: dayEnd(until) }
})

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
    const input = { user_id, reason, expected_version: version, ...(yield* enteredEnd) }
    return yield* calling("console.user.suspended", "adminUsersSuspend", input)
  }),
})
