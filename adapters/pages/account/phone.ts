import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../components/direction.ts"
import { codeField, phoneField } from "../components/fields.ts"
import { button, form } from "../components/form.ts"
import { enteredCode } from "../entered.ts"
import { field, Visit } from "../page.ts"
import { phoneNumber, send, sendAgain, sentFor } from "../sign-in/send.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard } from "./frame.ts"

const purpose = "link_phone"

const frameOf = ({ texts }: View) => ({ title: texts.t("account.phone.title"), parent: "profile" }) as const

/** The form for another number. */
export const template: Template<object> = (view) => {
  const { t } = view.texts
  const body = phoneField(view, { name: "phone", label: t("account.phone.new"), hint: t("account.phone.hint") })
  return framed(view, frameOf(view), plainCard(form(view, { action: "send", submit: t("account.phone.send"), body })))
}

/** The form for the code that was sent to the number. */
export const codeTemplate: Template<{ readonly to: string; readonly digits: number | null }> = (view, { to, digits }) => {
  const { t, rich } = view.texts
  return framed(
    view,
    frameOf(view),
    plainCard(
      html`<p>${rich("account.phone.sent", { phone: leftToRight(to) })}</p>`,
      form(view, {
        action: "verify",
        submit: t("account.phone.verify"),
        body: codeField(view, { digits }),
        more: button(t("account.phone.again"), "again"),
      }),
      html`<p class="after"><a href="${view.href("/account/phone")}">${t("account.phone.other")}</a></p>`,
    ),
  )
}

const needs = ["phoneSendOtp", "phoneVerify"] as const

export const phone = accountPage({
  path: "/account/phone",
  needs,
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    return yield* inSection("profile", frameOf(view).title, template(view, {}))
  }),
  actions: {
    send: Effect.gen(function* () {
      const { form } = yield* Visit
      return yield* send(purpose, yield* phoneNumber(field(form, "phone")))
    }),
  },
})

export const phoneCode = accountPage({
  path: "/account/phone/code",
  needs,
  show: Effect.gen(function* () {
    const { view, site } = yield* Visit
    const sent = yield* sentFor(purpose)
    if (sent === null) return yield* goTo("/account/phone")
    const to = yield* site.phoneShown(sent)
    return yield* inSection("profile", frameOf(view).title, codeTemplate(view, { to, digits: site.codeDigits.phone }))
  }),
  actions: {
    verify: Effect.gen(function* () {
      const { call, setFlow } = yield* Visit
      const to = yield* sentFor(purpose)
      if (to === null) return yield* goTo("/account/phone")
      yield* call("phoneVerify", { phone: to, otp: yield* enteredCode })
      setFlow({ sent: undefined })
      return yield* goTo("/account", "account.phone.linked")
    }),
    again: sendAgain,
  },
})
