import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { strongLeftToRight } from "../components/direction.ts"
import { card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { redeem, showLink } from "./mailed-link.ts"

/** The page of a link in a mail about a sign-in. A button reports it, so that a program that opens the links of mails does not. */
export const template: Template<{ readonly email: string }> = (view, { email }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("account.activity.not_you"),
    html`<p>${rich("report_sign_in.text", { address: strongLeftToRight(email) })}</p>
<p>${t("report_sign_in.kept")}</p>
${form(view, { action: "report", submit: t("report_sign_in.submit"), look: "danger" })}`,
  )
}

/** The page of a link that has expired or was used. */
export const deadTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(
    view,
    t("dead_link.title"),
    html`<p>${t("report_sign_in.dead")}</p>
<a class="button" href="${view.href("/account/sessions")}">${t("account.sessions")}</a>`,
  )
}

/** The page after the report. `isSent`: whether a link for a new password was mailed. */
export const doneTemplate: Template<{ readonly isSent: boolean }> = (view, { isSent }) => {
  const { t } = view.texts
  return card(
    view,
    t("report_sign_in.done.title"),
    html`<p>${t(isSent ? "report_sign_in.done.sent" : "report_sign_in.done.not_sent")}</p><p>${t("report_sign_in.done.check")}</p>
<a class="button" href="${view.href("/sign-in")}">${t("sign_in.submit")}</a>`,
  )
}

const path = "/report-sign-in"
const needs = ["reportSignIn", "reportSignInShow"] as const

export const reportSignIn = page({
  path,
  needs,
  access: "public",
  show: showLink("report_sign_in", path, "reportSignInShow", (email) =>
    Effect.map(Visit, ({ view }) =>
      email === null
        ? { title: view.texts.t("dead_link.title"), main: deadTemplate(view, null) }
        : { title: view.texts.t("account.activity.not_you"), main: template(view, { email }) },
    ),
  ),
  actions: {
    report: redeem("report_sign_in", path, (token) =>
      Effect.gen(function* () {
        const { call, view } = yield* Visit
        const { reset_sent } = yield* call("reportSignIn", { token })
        return { to: view.href("/report-sign-in/done", reset_sent ? { reset: "sent" } : {}) }
      }),
    ),
  },
})

export const reportDone = page({
  path: "/report-sign-in/done",
  needs,
  access: "public",
  show: Effect.map(Visit, ({ view, query }) => ({
    title: view.texts.t("report_sign_in.done.title"),
    main: doneTemplate(view, { isSent: query.get("reset") === "sent" }),
  })),
})
