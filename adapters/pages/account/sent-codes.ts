import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Key } from "../../texts/texts.ts"
import { strongLeftToRight } from "../components/direction.ts"
import { accountName, codeField, passwordField } from "../components/fields.ts"
import { button, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import { field, Visit } from "../page.ts"
import { isOwnCodeSent, ownCodes, sendOwnCode, sentTexts } from "../sent-codes.ts"
import type { SentMethod } from "../sign-in/sent-methods.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, signedIn } from "./frame.ts"
import { hasPassword, passwordProblems } from "./identity.ts"
import { linkButton } from "./parts.ts"
import type { Owner } from "./second-factor.ts"

/** The page of each method, its texts, and where users add what it needs. */
export const sentCodePages = {
  email: {
    path: "/account/email-codes",
    title: "account.email_codes",
    about: "account.email_codes.about",
    before: "account.email_codes.before",
    beforeDisabling: "account.email_codes.disable.about",
    enabled: "account.email_codes.enabled",
    disabled: "account.email_codes.disabled",
    missing: { path: "/account", label: "account.check_up.verify" },
  },
  sms: {
    path: "/account/sms-codes",
    title: "account.sms_codes",
    about: "account.sms_codes.about",
    before: "account.sms_codes.before",
    beforeDisabling: "account.sms_codes.disable.about",
    enabled: "account.sms_codes.enabled",
    disabled: "account.sms_codes.disabled",
    missing: { path: "/account/phone", label: "account.phone.add" },
  },
} as const satisfies Readonly<Record<SentMethod, Readonly<Record<string, Key | `/${string}` | object>>>>

interface Props extends Owner {
  readonly method: SentMethod
  readonly state: "missing" | "off" | "sent" | "on"
  /** Where codes go, masked. */
  readonly to: string
}

/** The page on which sent codes are turned on, with a code that was just sent, or off. */
export const template: Template<Props> = (view, props) =>
  framed(
    view,
    { title: view.texts.t(sentCodePages[props.method].title), parent: "security" },
    plainCard(...forms[props.state](view, props)),
  )

const password = (view: View, { email, hasPassword }: Owner) =>
  hasPassword ? html`${accountName(view, email)}${passwordField(view)}` : html``

const needsRecipient = (view: View, { method }: Props) => {
  const { about, missing } = sentCodePages[method]
  return [html`<p>${view.texts.t(about)}</p>`, linkButton(view.href(missing.path), view.texts.t(missing.label))]
}

const offer = (view: View, { method }: Props) => {
  const { t } = view.texts
  return [html`<p>${t(sentCodePages[method].before)}</p>`, form(view, { action: "send", submit: t(sentTexts[method].send) })]
}

const confirm = (view: View, { method, to, ...owner }: Props) => {
  const { t, rich } = view.texts
  const body = html`${codeField(view, { hint: t("code.hint"), digits: null })}${password(view, owner)}`
  return [
    html`<p>${rich(sentTexts[method].sent, { to: strongLeftToRight(to) })}</p>`,
    form(view, { action: "enable", submit: t("account.email_codes.enable"), body, more: button(t("code.again"), "send") }),
  ]
}

const end = (view: View, { method, ...owner }: Props) => {
  const { t } = view.texts
  return [
    html`<p>${t(sentCodePages[method].beforeDisabling)}</p>`,
    form(view, { action: "disable", submit: t("account.authenticator.disable"), look: "danger", body: password(view, owner) }),
    html`<p class="after"><a href="${view.href("/account/security")}">${t("account.cancel")}</a></p>`,
  ]
}

const forms = { missing: needsRecipient, off: offer, sent: confirm, on: end } as const

const given = Effect.map(Visit, ({ form }) => ("password" in form ? { password: field(form, "password") } : {}))

const stateOf = Effect.fnUntraced(function* stateOf(
  method: SentMethod,
  { enabled, recipient }: { enabled: boolean; recipient: string | null },
) {
  if (enabled) return "on"
  if (recipient === null) return "missing"
  return (yield* isOwnCodeSent(method)) ? "sent" : "off"
})

const pageOf = (method: SentMethod) => {
  const { path, title, enabled, disabled } = sentCodePages[method]
  return accountPage({
    path,
    needs: ["twoFactorCodesStatus", "twoFactorCodesSend", "twoFactorCodesEnable", "twoFactorCodesDisable"],
    problems: passwordProblems,
    show: Effect.gen(function* () {
      const { view } = yield* Visit
      const { user } = yield* signedIn
      const own = (yield* ownCodes).find((each) => each.method === method)
      if (own === undefined) return yield* goTo("/account/security")
      const state = yield* stateOf(method, own)
      const props = { method, state, to: own.recipient ?? "", email: user.email, hasPassword: yield* hasPassword } as const
      return yield* inSection("security", view.texts.t(title), template(view, props))
    }),
    actions: {
      send: Effect.andThen(sendOwnCode(method), goTo(path)),
      enable: Effect.gen(function* () {
        const { call, setFlow } = yield* Visit
        yield* call("twoFactorCodesEnable", { method, code: yield* enteredCode, ...(yield* given) })
        setFlow({ sent_code: undefined })
        return yield* goTo("/account/security", enabled)
      }),
      disable: Effect.gen(function* () {
        const { call } = yield* Visit
        yield* call("twoFactorCodesDisable", { method, ...(yield* given) })
        return yield* goTo("/account/security", disabled)
      }),
    },
  })
}

export const emailCodes = pageOf("email")
export const smsCodes = pageOf("sms")
