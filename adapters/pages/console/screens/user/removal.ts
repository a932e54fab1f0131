import { Effect } from "effect"
import { selectField } from "../../../components/fields.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { calling, goTo } from "../../screen.ts"
import { typedUserSubject } from "./subject.ts"

const common = { permission: "users:delete", section: "/users", subject: typedUserSubject } as const

export const removeUser = confirmation({
  ...common,
  path: "/user/remove",
  needs: ["adminUsersShow", "adminRemoveUser"],
  title: "console.user.remove",
  text: "console.user.remove.text",
  run: Effect.fnUntraced(function* removeUser({ id: user_id }) {
    const { call } = yield* Visit
    yield* call("adminRemoveUser", { user_id })
    return yield* goTo("/users", "console.user.removed")
  }),
})

/** The days after which an erasure can be done. */
const waits = [0, 7, 14, 30]

export const eraseUser = confirmation({
  ...common,
  path: "/user/erase",
  needs: ["adminUsersShow", "adminUsersErase"],
  title: "console.user.erase",
  text: "console.user.erase.text",
  fields: (view) =>
    selectField(view, {
      name: "after_days",
      label: view.texts.t("console.user.erase.when"),
      value: "0",
      options: waits.map((days) => [String(days), view.texts.t("console.user.erase.days", { days })]),
    }),
  run: Effect.fnUntraced(function* eraseUser({ id: user_id, typed: confirm }) {
    const { call, form } = yield* Visit
    const { erased } = yield* call("adminUsersErase", { user_id, confirm, after_days: Number(field(form, "after_days")) })
    return erased ? yield* goTo("/users", "console.user.erased") : ("console.user.erase.scheduled" as const)
  }),
})

export const cancelErasure = confirmation({
  ...common,
  path: "/user/erase/cancel",
  needs: ["adminUsersShow", "adminUsersCancelErasure"],
  title: "console.user.erase.cancel",
  text: "console.user.erase.cancel.text",
  run: ({ id: user_id }) => calling("console.user.erase.cancelled", "adminUsersCancelErasure", { user_id }),
})
