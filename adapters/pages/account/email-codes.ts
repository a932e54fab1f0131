import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { strongLeftToRight } from "../components/direction.ts"
import { accountName, codeField, passwordField } from "../components/fields.ts"
import { button, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import { mailOwnCode } from "../own-code.ts"
import { field, Visit } from "../page.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"
import type { Owner } from "./second-factor.ts"

interface Props extends Owner {
  readonly state: "off" | "mailed" | "on"
}

/** The page on which mailed codes are turned on, with a code that was just mailed, or off. */
export const template: Template<Props> = (view, { state, ...owner }) =>
  framed(view, { title: view.texts.t("account.email_codes"), parent: "security" }, plainCard(...forms[state](view, owner)))

const password = (view: View, { email, hasPassword }: Owner) =>
  hasPassword ? html`${accountName(view, email)}${passwordField(view)}` : html``

const offer = (view: View) => {
  const { t } = view.texts
  return [html`<p>${t("account.email_codes.before")}</p>`, form(view, { action: "send", submit: t("step_up.send") })]
}

const confirm = (view: View, owner: Owner) => {
  const { t, rich } = view.texts
  const body = html`${codeField(view, { hint: t("code.hint"), digits: null })}${password(view, owner)}`
  return [
    html`<p>${rich("code.sent_by_email", { to: strongLeftToRight(owner.email) })}</p>`,
    form(view, { action: "enable", submit: t("account.email_codes.enable"), body, more: button(t("code.again"), "send") }),
  ]
}

const end = (view: View, owner: Owner) => {
  const { t } = view.texts
  return [
    html`<p>${t("account.email_codes.disable.about")}</p>`,
    form(view, { action: "disable", submit: t("account.authenticator.disable"), look: "danger", body: password(view, owner) }),
    html`<p class="after"><a href="${view.href("/account/security")}">${t("account.cancel")}</a></p>`,
  ]
}

const forms = { off: offer, mailed: confirm, on: end } as const

const given = Effect.map(Visit, ({ form }) => ("password" in form ? { password: field(form, "password") } : {}))

const state = Effect.gen(function* () {
  const { call, flow } = yield* Visit
  const { user } = yield* signedIn
  if ((yield* call("twoFactorCodesStatus")).methods.some(({ enabled }) => enabled)) return "on"
  return flow().mailed_code === user.id ? "mailed" : "off"
})

export const emailCodes = accountPage({
  path: "/account/email-codes",
  needs: ["twoFactorCodesStatus", "twoFactorCodesSend", "twoFactorCodesEnable", "twoFactorCodesDisable"],
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const { user } = yield* signedIn
    const main = template(view, { state: yield* state, email: user.email, hasPassword: yield* hasPassword })
    return yield* inSection("security", view.texts.t("account.email_codes"), main)
  }),
  actions: {
    send: Effect.andThen(mailOwnCode, goTo("/account/email-codes")),
    enable: Effect.gen(function* () {
      const { call, setFlow } = yield* Visit
      yield* call("twoFactorCodesEnable", { method: "email", code: yield* enteredCode, ...(yield* given) })
      setFlow({ mailed_code: undefined })
      return yield* goTo("/account/security", "account.email_codes.enabled")
    }),
    disable: Effect.gen(function* () {
      const { call } = yield* Visit
      yield* call("twoFactorCodesDisable", { method: "email", ...(yield* given) })
      return yield* goTo("/account/security", "account.email_codes.disabled")
    }),
  },
})
