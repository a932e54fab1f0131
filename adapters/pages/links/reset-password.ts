import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { accountName, checkbox, emailField, newPasswordField } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { field, page, Visit } from "../page.ts"
import { completeSignIn } from "../sign-in/complete.ts"
import { sendTo } from "../sign-in/send.ts"
import type { Template } from "../view.ts"
import { deadLinkTemplate, redeem, showLink } from "./mailed-link.ts"

/** The page with a field for the address of an account whose password is forgotten. */
export const askTemplate: Template<{ readonly email: string }> = (view, { email }) => {
  const { t } = view.texts
  const body = emailField(view, { name: "email", label: t("field.email"), value: email })
  return card(
    view,
    t("forgot.title"),
    html`<p>${t("forgot.text")}</p>${form(view, { action: "send", submit: t("forgot.submit"), body })}
<p class="after"><a href="${view.href("/sign-in")}">${t("forgot.back")}</a></p>`,
  )
}

interface Props {
  readonly minimum: number
  readonly maximum: number
  /** The address of the user. */
  readonly email: string
}

/** The page of a link that sets a new password. */
export const template: Template<Props> = (view, { email, ...lengths }) => {
  const { t } = view.texts
  const body = html`${accountName(view, email)}${newPasswordField(view, lengths)}
${checkbox(view, { name: "remove_others", label: t("reset.remove_others") })}`
  return card(view, t("reset.choose"), html`<p>${t("reset.text")}</p>${form(view, { action: "reset", submit: t("reset.submit"), body })}`)
}

/** The page after a reset. */
export const doneTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(
    view,
    t("reset.done.title"),
    html`<p>${t("reset.done.sessions")}</p><p class="muted">${t("reset.done.mail")}</p>
<a class="button" href="${view.href("/sign-in")}">${t("sign_in.submit")}</a>`,
  )
}

const path = "/reset-password"

export const forgotPassword = page({
  path: "/forgot-password",
  needs: ["requestPasswordReset"],
  access: "public",
  show: Effect.map(Visit, ({ view, flow }) => ({
    title: view.texts.t("forgot.title"),
    main: askTemplate(view, { email: flow().identifier ?? "" }),
  })),
  actions: { send: sendTo("reset", "email") },
})

/** Sets the password and signs in with it, like a visitor who enters it: second factors, bans and limits hold. */
const reset = Effect.fnUntraced(function* resetAndSignIn(token: string) {
  const { form, call, setFlow, view } = yield* Visit
  const password = field(form, "new_password")
  const { email } = yield* call("resetPasswordShow", { token })
  yield* call("resetPassword", { token, new_password: password, remove_other_credentials: field(form, "remove_others") === "yes" })
  setFlow({ sent: undefined })
  const done = { to: view.href("/reset-password/done") }
  const signIn = Effect.flatMap(call("signInEmail", { email, password }), (body) => completeSignIn(body, email, "password"))
  const shown = yield* Effect.catch(signIn, () => Effect.succeed(done))
  if ("to" in shown && shown.to === view.href("/account")) setFlow({ notice: "reset.signed_in" })
  return shown
})

export const resetPassword = page({
  path,
  needs: ["resetPassword", "resetPasswordShow", "signInEmail"],
  access: "public",
  show: showLink("reset", path, "resetPasswordShow", (email) =>
    Effect.map(Visit, ({ view, flow, site }) => {
      const { t } = view.texts
      const { identifier = "" } = flow()
      const { min_password_length: minimum, max_password_length: maximum } = site.core.email_password
      return email !== null
        ? { title: t("reset.choose"), main: template(view, { minimum, maximum, email }) }
        : {
            title: t("dead_link.title"),
            main: deadLinkTemplate(view, { text: t("dead_link.text"), email: identifier, submit: t("dead_link.submit") }),
          }
    }),
  ),
  actions: {
    reset: redeem("reset", path, reset),
    send: sendTo("reset", "email"),
  },
})

export const passwordReset = page({
  path: "/reset-password/done",
  needs: ["resetPassword"],
  access: "public",
  show: Effect.map(Visit, ({ view }) => ({ title: view.texts.t("reset.done.title"), main: doneTemplate(view, null) })),
})
