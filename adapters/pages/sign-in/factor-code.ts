import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight, strongLeftToRight } from "../components/direction.ts"
import { codeField, sixDigits } from "../components/fields.ts"
import { button, card, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import { page, Visit } from "../page.ts"
import type { Template, View } from "../view.ts"
import { orStartAgain, startAgain } from "./complete.ts"
import { answer, challenge, otherAccount, remember } from "./two-factor.ts"

interface Props {
  /** Where codes go, masked. */
  readonly to: string
  readonly isMailed: boolean
  readonly hasApp: boolean
  readonly account: string | null
  readonly rememberDays: number | null
}

/** The page for a mailed code as the second factor. Its button mails the code, since opening a page changes nothing. */
export const template: Template<Props> = (view, { to, isMailed, hasApp, account, rememberDays }) => {
  const { t } = view.texts
  return card(
    view,
    t("two_factor.title"),
    html`${isMailed ? codeForm(view, to, rememberDays) : sendForm(view, to)}
${hasApp ? html`<p class="after"><a href="${view.href("/sign-in/two-factor")}">${t("recovery_code.back")}</a></p>` : null}
${otherAccount(view, account)}`,
  )
}

const sendForm = (view: View, to: string) => {
  const { t, rich } = view.texts
  return html`<p>${t("factor_code.text")}</p>
${form(view, { action: "send", submit: html`<span>${rich("factor_code.send", { to: leftToRight(to) })}</span>` })}`
}

const codeForm = (view: View, to: string, rememberDays: number | null) => {
  const { t, rich } = view.texts
  const field = codeField(view, { hint: t("code.hint"), digits: rememberDays === null ? sixDigits : null })
  const more = button(t("code.again"), "send")
  return html`<p>${rich("code.sent_by_email", { to: strongLeftToRight(to) })}</p>
${form(view, { action: "code", submit: t("two_factor.submit"), body: html`${field}${remember(view, rememberDays)}`, more })}`
}

const send = Effect.gen(function* () {
  const { call, setFlow, view } = yield* Visit
  const pending = yield* challenge
  if (pending?.email === undefined) return yield* startAgain
  yield* call("twoFactorCodesSend", { method: "email", challenge_token: pending.token })
  setFlow({ challenge: { ...pending, is_mailed: true } })
  return { to: view.here }
})

export const factorCode = page({
  path: "/sign-in/factor-code",
  needs: ["twoFactorTotpChallenge", "twoFactorCodesSend"],
  access: "public",
  problems: { rate_limited: "factor_code.locked" },
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const pending = yield* challenge
    if (pending?.email === undefined) return yield* startAgain
    const { email: to, is_mailed: isMailed = false, methods, account = null, remember_days: rememberDays = null } = pending
    const main = template(view, { to, isMailed, hasApp: methods.includes("totp"), account, rememberDays })
    return { title: view.texts.t("two_factor.title"), main }
  }),
  actions: { code: answer("email_code", enteredCode), send: orStartAgain(send) },
})
