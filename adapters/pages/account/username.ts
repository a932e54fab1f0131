import { Effect } from "effect"
import { identifierField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { field, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard } from "./frame.ts"

/** The form for another user name. */
export const template: Template<{ readonly username: string | null }> = (view, { username }) => {
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
          { name: "username", label: t("account.username.new"), hint: t("account.username.hint"), value: username ?? "" },
          { passkeys: false },
        ),
      }),
    ),
  )
}

export const username = accountPage({
  path: "/account/username",
  needs: ["usernameSet", "usernameShow"],
  show: Effect.gen(function* () {
    const { view, call } = yield* Visit
    return yield* inSection("profile", view.texts.t("account.username.title"), template(view, yield* call("usernameShow")))
  }),
  actions: {
    save: Effect.gen(function* () {
      const { call, form } = yield* Visit
      yield* call("usernameSet", { username: field(form, "username").trim() })
      return yield* goTo("/account", "account.username.changed")
    }),
  },
})
