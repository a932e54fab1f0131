import { Effect } from "effect"
import { Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { userSubject } from "./subject.ts"

export const suspend = confirmation({
  path: "/user/suspend",
  permission: "users:suspend",
  section: "/users",
  needs: ["adminUsersShow", "adminUsersSuspend"],
  title: "console.user.suspend",
  text: "console.user.suspend.text",
  subject: userSubject,
  asksReason: true,
  run: Effect.fnUntraced(function* suspendUser({ id: user_id }, { reason, version }) {
    const { call } = yield* Visit
    yield* call("adminUsersSuspend", { user_id, reason, expected_version: version })
    return "console.user.suspended" as const
  }),
})
