import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { codeField } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { completeSignIn, startAgain } from "./complete.ts"
import { sendAgain, sentFor } from "./send.ts"

/** The page for the code of a mail or a short message. */
export const template: Template<{ readonly to: string; readonly by: "email" | "phone" }> = (view, { to, by }) => {
  const { t, rich } = view.texts
  const address = html`<strong><bdi dir="ltr">${to}</bdi></strong>`
  return card(
    view,
    t("code.title"),
    html`<p>${rich(by === "email" ? "code.sent_by_email" : "code.sent_by_phone", { to: address })}</p>
${form(view, { action: "code", submit: t("code.submit"), body: codeField(view, { hint: t("code.hint") }) })}
<div class="after">${form(view, { action: "again", submit: t("code.again"), look: "secondary" })}</div>
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
  return yield* completeSignIn(body)
})

export const code = page({
  path: "/sign-in/code",
  needs: [],
  access: "public",
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const sent = yield* waiting
    return sent === null ? yield* startAgain : { title: view.texts.t("code.title"), main: template(view, sent) }
  }),
  actions: { code: signInByCode, again: sendAgain },
})
