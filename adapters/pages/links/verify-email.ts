import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { strongLeftToRight } from "../components/direction.ts"
import { emailField } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import { signedInTarget, signedInUser } from "../sign-in/complete.ts"
import { sendTo } from "../sign-in/send.ts"
import type { Template } from "../view.ts"
import { redeem, showLink } from "./mailed-link.ts"

/** The page of a link that verifies an address, or changes to one. */
export const template: Template<{ readonly email: string }> = (view, { email }) => {
  const { t, rich } = view.texts
  const body = html`<p>${rich("verify.text", { address: strongLeftToRight(email) })}</p>${form(view, { action: "verify", submit: t("verify.submit") })}`
  return card(view, t("verify.title"), body)
}

/** The page without a link, or with one that is no longer valid. */
export const askTemplate: Template<{ readonly email: string }> = (view, { email }) => {
  const { t } = view.texts
  const body = emailField(view, { name: "email", label: t("field.email"), value: email })
  return card(
    view,
    t("verify.ask.title"),
    html`<p>${t("verify.ask.text")}</p>${form(view, { action: "send", submit: t("dead_link.submit"), body })}`,
  )
}

/** The page after the address is verified. */
export const doneTemplate: Template<{ readonly to: string; readonly isSignedIn: boolean }> = (view, { to, isSignedIn }) => {
  const { t } = view.texts
  return card(
    view,
    t("verify.done.title"),
    html`<p>${t(isSignedIn ? "verify.done.signed_in" : "verify.done.text")}</p>
<a class="button" href="${to}">${t(isSignedIn ? "continue.button" : "sign_in.submit")}</a>`,
  )
}

const path = "/verify-email"

export const verifyEmail = page({
  path,
  needs: ["verifyEmail", "verifyEmailShow"],
  access: "public",
  show: showLink("verify", path, "verifyEmailShow", (email) =>
    Effect.map(Visit, ({ view, flow }) => {
      const { t } = view.texts
      return email !== null
        ? { title: t("verify.title"), main: template(view, { email }) }
        : { title: t("verify.ask.title"), main: askTemplate(view, { email: flow().identifier ?? "" }) }
    }),
  ),
  actions: {
    verify: redeem("verify", path, (token) =>
      Effect.gen(function* () {
        const { call, setFlow, view } = yield* Visit
        yield* call("verifyEmail", { token })
        setFlow({ sent: undefined })
        return { to: view.href("/verify-email/done") }
      }),
    ),
    send: sendTo("verify", "email"),
  },
})

export const emailVerified = page({
  path: "/verify-email/done",
  needs: ["verifyEmail"],
  access: "public",
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const isSignedIn = (yield* signedInUser) !== null
    const to = isSignedIn ? yield* signedInTarget : view.href("/sign-in")
    return { title: view.texts.t("verify.done.title"), main: doneTemplate(view, { to, isSignedIn }) }
  }),
})
