import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { newPasswordField } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { field, page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { completeSignIn, orStartAgain, startAgain } from "./complete.ts"

/** The page of a sign-in that requires another password first. */
export const template: Template<{ readonly minimum: number; readonly maximum: number }> = (view, lengths) => {
  const { t } = view.texts
  const body = newPasswordField(view, lengths)
  return card(view, t("reset.title"), html`<p>${t("reset.text")}</p>${form(view, { action: "change", submit: t("reset.submit"), body })}`)
}

const change = Effect.gen(function* () {
  const { call, flow, form } = yield* Visit
  const { challenge } = flow()
  if (challenge?.kind !== "new_password") return yield* startAgain
  const input = { challenge_token: challenge.token, new_password: field(form, "new_password") }
  return yield* completeSignIn(yield* call("requiredActionsChangePassword", input))
})

export const newPassword = page({
  path: "/sign-in/new-password",
  needs: ["requiredActionsChangePassword"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, flow, site } = yield* Visit
    if (flow().challenge?.kind !== "new_password") return yield* startAgain
    const { min_password_length: minimum, max_password_length: maximum } = site.core.email_password
    return { title: view.texts.t("reset.title"), main: template(view, { minimum, maximum }) }
  }),
  actions: { change: orStartAgain(change) },
})
