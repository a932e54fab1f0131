import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { id } from "../parts/details.ts"
import { Operator } from "../screen.ts"
import { userShown } from "./user.ts"

/** A user, as the subject of an action that has to be confirmed. */
export const userSubject = Effect.gen(function* () {
  const { user, version } = yield* userShown
  const { texts } = (yield* Operator).view
  const subject: Subject = {
    id: user.id,
    name: user.name ?? user.email,
    about: [
      [texts.t("console.user.address"), leftToRight(user.email)],
      [texts.t("console.user.id"), id(user.id)],
    ],
    page: ["/user", { id: user.id }],
    version,
  }
  return subject
})

export const suspend = confirmation({
  path: "/user/suspend",
  permission: "users:suspend",
  section: "/users",
  needs: ["adminUsersShow", "adminUsersSuspend"],
  title: "console.user.suspend",
  text: "console.user.suspend.text",
  subject: userSubject,
  run: Effect.fnUntraced(function* suspendUser({ id: user_id }, { reason, version }) {
    const { call } = yield* Visit
    yield* call("adminUsersSuspend", { user_id, reason, expected_version: version })
    return "console.user.suspended" as const
  }),
})
