import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { accountName, passwordField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { field, Visit } from "../page.ts"
import { forgotten } from "../sign-in/sign-out.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"

/** The confirmation before the account is deleted. Users with a password have to enter it. */
export const template: Template<{ readonly email: string; readonly hasPassword: boolean }> = (view, props) => {
  const { t } = view.texts
  const body = props.hasPassword ? html`${accountName(view, props.email)}${passwordField(view)}` : html``
  return framed(
    view,
    { title: t("account.delete.title"), parent: "profile" },
    plainCard(
      html`<p>${t("account.delete.warning")}</p>`,
      form(view, { action: "delete", submit: t("account.delete.submit"), look: "danger", body }),
      html`<p class="after"><a href="${view.href("/account")}">${t("account.cancel")}</a></p>`,
    ),
  )
}

export const deletion = accountPage({
  path: "/account/delete",
  needs: ["deleteUser"],
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const { user } = yield* signedIn
    const main = template(view, { email: user.email, hasPassword: yield* hasPassword })
    return yield* inSection("profile", view.texts.t("account.delete.title"), main)
  }),
  actions: {
    delete: Effect.gen(function* () {
      const { call, form, setFlow, view } = yield* Visit
      const password = field(form, "password")
      yield* call("deleteUser", "password" in form ? { password } : {})
      setFlow({ ...forgotten, notice: "account.deleted" })
      return { to: view.href("/sign-in"), forget: true }
    }),
  },
})
