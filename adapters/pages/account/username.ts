import { Effect } from "effect"
import { identifierField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { field, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard } from "./frame.ts"

/** The form for another user name. The current one is not shown, since no endpoint returns it. */
export const template: Template<object> = (view) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("account.username.title"), parent: "profile" },
    plainCard(
      form(view, {
        action: "save",
        submit: t("account.username.submit"),
        body: identifierField(
          view,
          { name: "username", label: t("account.username.new"), hint: t("account.username.hint") },
          { passkeys: false },
        ),
      }),
    ),
  )
}

export const username = accountPage({
  path: "/account/username",
  needs: ["usernameSet"],
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    return yield* inSection("profile", view.texts.t("account.username.title"), template(view, {}))
  }),
  actions: {
    save: Effect.gen(function* () {
      const { call, form } = yield* Visit
      yield* call("usernameSet", { username: field(form, "username").trim() })
      return yield* goTo("/account", "account.username.changed")
    }),
  },
})
