import { confirmation } from "../../confirmation.ts"
import { calling } from "../../screen.ts"
import { userSubject } from "./subject.ts"

export const suspend = confirmation({
  path: "/user/suspend",
  permission: "users:suspend",
  section: "/users",
  needs: ["adminUsersShow", "adminUsersSuspend"],
  title: "console.user.suspend",
  text: "console.user.suspend.text",
  subject: userSubject,
  needsReason: true,
  run: ({ id: user_id }, { reason, version }) =>
    calling("console.user.suspended", "adminUsersSuspend", { user_id, reason, expected_version: version }),
})
