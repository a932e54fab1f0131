import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { TwoFactorTotpEnablePayload, TwoFactorTotpStatusPayload } from "../../../client/operations.ts"
import { accountName, codeField, letterCodeField, passwordField } from "../components/fields.ts"
import { button, form } from "../components/form.ts"
import { qrCode } from "../components/qr.ts"
import { enteredCode } from "../entered.ts"
import { field, page, Visit } from "../page.ts"
import type { Template, View } from "../view.ts"
import { framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"

interface Owner {
  readonly email: string
  readonly hasPassword: boolean
}

/** The begin of the setup, which asks for the password of users who have one. */
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

/** The secret for the app, as a QR code and as text, and the field for a first code. */
export const confirmTemplate: Template<{ readonly secret: string; readonly totp_uri: string }> = (view, { secret, totp_uri }) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("account.authenticator.set_up"), parent: "security" },
    plainCard(
      html`<p>${t("account.authenticator.scan")}</p>${qrCode(totp_uri, t("account.authenticator.qr"))}
<p class="label">${t("account.authenticator.secret")}</p><p><code class="secret" dir="ltr">${spaced(secret)}</code></p>`,
      form(view, {
        action: "confirm",
        submit: t("account.authenticator.confirm"),
        body: codeField(view, { hint: t("account.authenticator.code.hint") }),
        more: button(t("account.authenticator.restart"), "restart"),
      }),
    ),
  )
}

/** In groups of four, as people copy it. */
const spaced = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, "$1 ")

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
  const app = yield* call<TwoFactorTotpEnablePayload>("twoFactorTotpEnable", proof)
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

/** Whether the caller has an authenticator app. */
export const isEnabled = Effect.gen(function* () {
  const { call } = yield* Visit
  return (yield* call<TwoFactorTotpStatusPayload>("twoFactorTotpStatus")).enabled
})

export const authenticator = page({
  path: "/account/authenticator",
  needs: ["twoFactorTotpEnable", "twoFactorTotpConfirm", "twoFactorTotpStatus"],
  access: "session",
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

/** The proof that changes of the second factor need: the password, or a code for users without one. */
export const proofFields = (view: View, owner: Owner) => {
  const { t } = view.texts
  return owner.hasPassword
    ? html`${accountName(view, owner.email)}${passwordField(view)}`
    : letterCodeField(view, { name: "code", label: t("account.proof.code"), hint: t("account.proof.code.hint") })
}

/** The proof that a form contains. */
export const proofOf = Effect.map(Visit, ({ form }) =>
  "password" in form ? { password: field(form, "password") } : { code: field(form, "code").trim() },
)

/** Asks before the second factor is removed. */
export const disableTemplate: Template<Owner> = (view, owner) => {
  const { t } = view.texts
  return framed(
    view,
    { title: t("account.authenticator.disable"), parent: "security" },
    plainCard(
      html`<p>${t("account.authenticator.disable.about")}</p>`,
      form(view, { action: "disable", submit: t("account.authenticator.disable"), look: "danger", body: proofFields(view, owner) }),
      html`<p class="after"><a href="${view.href("/account/security")}">${t("account.cancel")}</a></p>`,
    ),
  )
}

export const authenticatorDisable = page({
  path: "/account/authenticator/disable",
  needs: ["twoFactorTotpDisable", "twoFactorTotpStatus"],
  access: "session",
  problems: passwordProblems,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    if (!(yield* isEnabled)) return yield* goTo("/account/security")
    const { user } = yield* signedIn
    const main = disableTemplate(view, { email: user.email, hasPassword: yield* hasPassword })
    return yield* inSection("security", view.texts.t("account.authenticator.disable"), main)
  }),
  actions: {
    disable: Effect.gen(function* () {
      const { call } = yield* Visit
      yield* call("twoFactorTotpDisable", yield* proofOf)
      return yield* goTo("/account/security", "account.authenticator.disabled")
    }),
  },
})
