import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { strongLeftToRight } from "../components/direction.ts"
import { codeField } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { sendAgainForm } from "../components/send-again.ts"
import { enteredCode } from "../entered.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { completeSignIn, startAgain } from "./complete.ts"
import { secondsToAgain, sendAgain, sentFor } from "./send.ts"

interface Props {
  readonly to: string
  readonly by: "email" | "phone"
  /** Of the code. */
  readonly digits: number | null
  /** Seconds until the code can be sent again. */
  readonly wait: number
}

/** The page for the code of a mail or a short message. */
export const template: Template<Props> = (view, { to, by, digits, wait }) => {
  const { t, rich } = view.texts
  const address = strongLeftToRight(to)
  return card(
    view,
    t("code.title"),
    html`<p>${rich(by === "email" ? "code.sent_by_email" : "code.sent_by_phone", { to: address })}</p>
${form(view, { action: "code", submit: t("code.submit"), body: codeField(view, { hint: t("code.hint"), digits }) })}
<div class="after">${sendAgainForm(view, { submit: t("code.again"), wait })}</div>
<p class="after"><a href="${view.href("/sign-in")}">${t("code.other_way")}</a></p>`,
  )
}

/** Where the code was sent; null without one. */
const waiting = Effect.gen(function* () {
  const [email, phone] = [yield* sentFor("email_code"), yield* sentFor("phone_code")]
  if (email !== null) return { to: email, by: "email" } as const
  return phone === null ? null : ({ to: phone, by: "phone" } as const)
})

const signInByCode = Effect.gen(function* () {
  const { call } = yield* Visit
  const sent = yield* waiting
  if (sent === null) return yield* startAgain
  const otp = yield* enteredCode
  const body = yield* sent.by === "email" ? call("signInEmailOtp", { email: sent.to, otp }) : call("signInPhone", { phone: sent.to, otp })
  return yield* completeSignIn(body, sent.to, sent.by === "email" ? "email_code" : "phone_code")
})

export const code = page({
  path: "/sign-in/code",
  needs: [],
  uses: ["emailOtpSend", "signInEmailOtp", "phoneSendOtp", "signInPhone"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const sent = yield* waiting
    if (sent === null) return yield* startAgain
    const to = sent.by === "phone" ? yield* site.phoneShown(sent.to) : sent.to
    const main = template(view, { ...sent, to, digits: site.codeDigits[sent.by], wait: yield* secondsToAgain })
    return { title: view.texts.t("code.title"), main, scripts: ["countdown"] }
  }),
  actions: { code: signInByCode, again: sendAgain },
})
