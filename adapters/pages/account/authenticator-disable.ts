import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../components/form.ts"
import { Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"
import { isEnabled, type Owner, proofFields, proofOf } from "./second-factor.ts"

/** The confirmation before the second factor is removed. */
export const template: Template<Owner> = (view, owner) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("account.authenticator.disable.title"), parent: "security" },
    plainCard(
      html`<p>${t("account.authenticator.disable.about")}</p>`,
      form(view, { action: "disable", submit: t("account.authenticator.disable"), look: "danger", body: proofFields(view, owner) }),
      html`<p class="after"><a href="${view.href("/account/security")}">${t("account.cancel")}</a></p>`,
    ),
  )
}

export const authenticatorDisable = accountPage({
  path: "/account/authenticator/disable",
  needs: ["twoFactorTotpDisable", "twoFactorTotpStatus"],
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    if (!(yield* isEnabled)) return yield* goTo("/account/security")
    const { user } = yield* signedIn
    const main = template(view, { email: user.email, hasPassword: yield* hasPassword })
    return yield* inSection("security", view.texts.t("account.authenticator.disable.title"), main)
  }),
  actions: {
    disable: Effect.gen(function* () {
      const { call } = yield* Visit
      yield* call("twoFactorTotpDisable", yield* proofOf)
      return yield* goTo("/account/security", "account.authenticator.disabled")
    }),
  },
})
