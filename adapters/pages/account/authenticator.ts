import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { authenticatorSetup } from "../components/authenticator-setup.ts"
import { accountName, passwordField } from "../components/fields.ts"
import { button, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import { field, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"
import { isEnabled, type Owner } from "./second-factor.ts"

/** The first step of the setup, with a field for the password of users who have one. */
export const template: Template<Owner> = (view, owner) => {
  const { t } = view.texts
  const body = owner.hasPassword ? html`${accountName(view, owner.email)}${passwordField(view)}` : html``
  return framed(
    view,
    { title: t("account.authenticator.set_up"), parent: "security" },
    plainCard(
      html`<p>${t("account.authenticator.before")}</p>`,
      form(view, { action: "begin", submit: t("account.authenticator.begin"), body }),
    ),
  )
}

/** The secret for the app, and the field for a first code. */
export const confirmTemplate: Template<{ readonly secret: string; readonly totp_uri: string }> = (view, app) => {
  const { t } = view.texts
  const more = button(t("account.authenticator.restart"), "restart")
  return framed(
    view,
    { title: t("account.authenticator.set_up"), parent: "security" },
    plainCard(authenticatorSetup(view, { ...app, more })),
  )
}

/** The setup that this browser has begun for the user; undefined without one. */
const begun = Effect.gen(function* () {
  const { flow } = yield* Visit
  const { user } = yield* signedIn
  const { authenticator } = flow()
  return authenticator?.user_id === user.id ? authenticator : undefined
})

const begin = Effect.gen(function* () {
  const { call, form, setFlow, view } = yield* Visit
  const { user } = yield* signedIn
  const proof = "password" in form ? { password: field(form, "password") } : {}
  const app = yield* call("twoFactorTotpEnable", proof)
  setFlow({ authenticator: { user_id: user.id, secret: app.secret, totp_uri: app.totp_uri, backup_codes: app.backup_codes } })
  return { to: view.href("/account/authenticator") }
})

const confirm = Effect.gen(function* () {
  const { call, setFlow } = yield* Visit
  const app = yield* begun
  if (app === undefined) return yield* goTo("/account/authenticator")
  yield* call("twoFactorTotpConfirm", { code: yield* enteredCode })
  setFlow({ authenticator: undefined, recovery_codes: { user_id: app.user_id, codes: app.backup_codes } })
  return yield* goTo("/account/recovery-codes", "account.authenticator.enabled")
})

const restart = Effect.gen(function* () {
  const { setFlow } = yield* Visit
  setFlow({ authenticator: undefined })
  return yield* goTo("/account/authenticator")
})

export const authenticator = accountPage({
  path: "/account/authenticator",
  needs: ["twoFactorTotpEnable", "twoFactorTotpConfirm", "twoFactorTotpStatus"],
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    if (yield* isEnabled) return yield* goTo("/account/security")
    const { user } = yield* signedIn
    const app = yield* begun
    const main = app === undefined ? template(view, { email: user.email, hasPassword: yield* hasPassword }) : confirmTemplate(view, app)
    return yield* inSection("security", view.texts.t("account.authenticator.set_up"), main)
  }),
  actions: { begin, confirm, restart },
})
