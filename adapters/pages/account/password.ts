import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { NotFound } from "../../../domain/errors.ts"
import { isSynthetic } from "../../../domain/values/text.ts"
import { leftToRight } from "../components/direction.ts"
import { accountName, checkbox, newPasswordField, passwordField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { field, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"

interface Props {
  readonly email: string
  readonly minimum: number
  readonly maximum: number
}

/** The form to change the password. */
export const template: Template<Props> = (view, { email, ...lengths }) => {
  const { t } = view.texts
  const fields = html`${accountName(view, email)}${passwordField(view, { label: t("account.password.current") })}${newPasswordField(view, lengths)}
${checkbox(view, { name: "sign_out_others", label: t("account.password.others"), ...(view.problem === null ? { isTicked: true } : {}) })}`
  return framed(
    view,
    { title: t("account.password.title"), parent: "security" },
    plainCard(form(view, { action: "change", submit: t("account.password.submit"), body: fields })),
  )
}

/** For users without a password: a mail with a link sets one. `email` is null for users without an address. */
export const noneTemplate: Template<{ readonly email: string | null }> = (view, { email }) => {
  const { t, rich } = view.texts
  const content =
    email === null
      ? html`<p>${t("account.password.no_address")}</p><a class="button" href="${view.href("/account/email")}">${t("account.email.add")}</a>`
      : html`<p>${rich("account.password.none", { email: leftToRight(email) })}</p>${form(view, { action: "set", submit: t("account.password.send") })}`
  return framed(view, { title: t("account.password.set"), parent: "security" }, plainCard(content))
}

const change = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const input = {
    current_password: field(form, "password"),
    new_password: field(form, "new_password"),
    revoke_other_sessions: field(form, "sign_out_others") === "yes",
  }
  yield* call("changePassword", input)
  return yield* goTo("/account/security", input.revoke_other_sessions ? "account.password.changed_alone" : "account.password.changed")
})

const set = Effect.gen(function* () {
  const { call } = yield* Visit
  const { user } = yield* signedIn
  yield* call("requestPasswordReset", { email: user.email })
  return yield* goTo("/account/security", "account.password.sent")
})

export const password = accountPage({
  path: "/account/password",
  needs: ["changePassword"],
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const { email } = (yield* signedIn).user
    const { enabled, min_password_length: minimum, max_password_length: maximum } = site.core.email_password
    if (yield* hasPassword)
      return yield* inSection("security", view.texts.t("account.password.title"), template(view, { email, minimum, maximum }))
    if (!enabled) return yield* new NotFound()
    const main = noneTemplate(view, { email: isSynthetic(email) ? null : email })
    return yield* inSection("security", view.texts.t("account.password.set"), main)
  }),
  actions: { change, set },
})
