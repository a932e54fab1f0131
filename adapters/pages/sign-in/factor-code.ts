import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight, strongLeftToRight } from "../components/direction.ts"
import { codeField, sixDigits } from "../components/fields.ts"
import { button, card, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import { page, Visit } from "../page.ts"
import { sentTexts } from "../sent-codes.ts"
import type { Template, View } from "../view.ts"
import { orStartAgain, startAgain } from "./complete.ts"
import { type SentMethod, sentMethodIn } from "./sent-methods.ts"
import { answer, challenge, otherAccount, remember, sentCodeLinks, sentIn } from "./two-factor.ts"

interface Props {
  readonly method: SentMethod
  /** Where codes go, masked. */
  readonly to: string
  readonly isSent: boolean
  readonly hasApp: boolean
  /** The other ways to get a code. */
  readonly others: ReadonlyArray<SentMethod>
  readonly account: string | null
  readonly rememberDays: number | null
}

/** The page for a sent code as the second factor. Its button sends the code, since opening a page changes nothing. */
export const template: Template<Props> = (view, props) => {
  const { t } = view.texts
  return card(
    view,
    t("two_factor.title"),
    html`${props.isSent ? codeForm(view, props) : sendForm(view, props)}
${props.hasApp ? html`<p class="after"><a href="${view.href("/sign-in/two-factor")}">${t("recovery_code.back")}</a></p>` : null}
${sentCodeLinks(view, props.others)}
${otherAccount(view, props.account)}`,
  )
}

const sendForm = (view: View, { method, to }: Props) => {
  const { t, rich } = view.texts
  return html`<p>${t(sentTexts[method].ask)}</p>
${form(view, { action: "send", submit: html`<span>${rich("factor_code.send", { to: leftToRight(to) })}</span>` })}`
}

const codeForm = (view: View, { method, to, rememberDays }: Props) => {
  const { t, rich } = view.texts
  const field = codeField(view, { hint: t("code.hint"), digits: rememberDays === null ? sixDigits : null })
  const more = button(t("code.again"), "send")
  return html`<p>${rich(sentTexts[method].sent, { to: strongLeftToRight(to) })}</p>
${form(view, { action: "code", submit: t("two_factor.submit"), body: html`${field}${remember(view, rememberDays)}`, more })}`
}

/** The pending sign-in, and the method of the page; undefined if the sign-in takes no sent code. */
const chosen = Effect.gen(function* () {
  const { query } = yield* Visit
  const pending = yield* challenge
  const offered = sentIn(pending)
  const named = sentMethodIn(query.get("method"))
  const method = offered.find((each) => each === named) ?? offered[0]
  const to = method === undefined ? undefined : pending?.recipients?.[method]
  if (pending === undefined || method === undefined || to === undefined) return undefined
  return { pending, method, to, others: offered.filter((each) => each !== method) }
})

const send = Effect.gen(function* () {
  const { call, setFlow, view } = yield* Visit
  const found = yield* chosen
  if (found === undefined) return yield* startAgain
  const { pending, method } = found
  yield* call("twoFactorCodesSend", { method, challenge_token: pending.token })
  setFlow({ challenge: { ...pending, sent_by: method } })
  return { to: view.here }
})

const typed = Effect.gen(function* () {
  const found = yield* chosen
  return { [`${found?.method ?? "email"}_code`]: yield* enteredCode }
})

export const factorCode = page({
  path: "/sign-in/factor-code",
  needs: ["twoFactorTotpChallenge", "twoFactorCodesSend"],
  access: "public",
  problems: { rate_limited: "factor_code.locked" },
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const found = yield* chosen
    if (found === undefined) return yield* startAgain
    const { pending, ...sent } = found
    const { sent_by, methods, account = null, remember_days: rememberDays = null } = pending
    const isSent = sent_by === sent.method
    const main = template(view, { ...sent, isSent, hasApp: methods.includes("totp"), account, rememberDays })
    return { title: view.texts.t("two_factor.title"), main }
  }),
  actions: { code: answer(typed), send: orStartAgain(send) },
})
