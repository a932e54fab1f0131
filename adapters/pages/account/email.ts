import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { isSynthetic } from "../../../domain/values/text.ts"
import { leftToRight } from "../components/direction.ts"
import { emailField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { field, Visit } from "../page.ts"
import { remember, sendAgain, sentFor } from "../sign-in/send.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"

const purpose = "change_email"

/** The form for another address. `current` is null for users without an address of their own. */
export const template: Template<{ readonly current: string | null; readonly isConfirmed: boolean }> = (view, { current, isConfirmed }) => {
  const { t, rich } = view.texts
  return framed(
    view,
    { title: t("account.email.title"), parent: "profile" },
    plainCard(
      current === null ? null : html`<p>${rich("account.email.current", { email: leftToRight(current) })}</p>`,
      isConfirmed ? html`<p>${t("account.email.confirmed")}</p>` : null,
      form(view, {
        action: "change",
        submit: t("account.email.submit"),
        body: emailField(view, { name: "email", label: t("account.email.new") }),
      }),
    ),
  )
}

/** The change waits for a click in the mailbox of the new address. */
export const sentTemplate: Template<{ readonly to: string }> = (view, { to }) => {
  const { t, rich } = view.texts
  return framed(
    view,
    { title: t("account.email.check"), parent: "profile" },
    plainCard(
      html`<p>${rich("account.email.waiting", { email: leftToRight(to) })}</p>`,
      html`<div class="stack">${form(view, { action: "again", submit: t("account.email.again"), look: "secondary" })}</div>
<p class="after"><a href="${view.href("/account/email")}">${t("account.email.other")}</a></p>`,
    ),
  )
}

const change = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const new_email = field(form, "email").trim()
  const changed = yield* call("changeEmail", { new_email })
  if ("user" in changed) return yield* goTo("/account", "account.email.changed")
  if ("success" in changed) return yield* goTo("/account", "account.email.same")
  return yield* remember(purpose, new_email)
})

export const email = accountPage({
  path: "/account/email",
  needs: ["changeEmail"],
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const { user } = yield* signedIn
    const current = isSynthetic(user.email) ? null : user.email
    const main = template(view, { current, isConfirmed: site.core.email_password.require_email_verification })
    return yield* inSection("profile", view.texts.t("account.email.title"), main)
  }),
  actions: { change },
})

export const emailSent = accountPage({
  path: "/account/email/sent",
  needs: ["changeEmail"],
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const to = yield* sentFor(purpose)
    if (to === null) return yield* goTo("/account/email")
    return yield* inSection("profile", view.texts.t("account.email.check"), sentTemplate(view, { to }))
  }),
  actions: { again: sendAgain },
})
