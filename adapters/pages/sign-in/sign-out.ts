import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { MultiSessionListPayload } from "../../../client/operations.ts"
import { card, form } from "../components/form.ts"
import type { Flow } from "../flow.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { signedInUser } from "./complete.ts"

/** The page that asks before signing out: a link of another site must not sign anyone out. */
export const template: Template<{ readonly user: string }> = (view, { user }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("sign_out.title"),
    html`<p>${rich("sign_out.text", { user: html`<strong><bdi>${user}</bdi></strong>` })}</p>
${form(view, { action: "sign_out", submit: t("sign_out.submit") })}
<p class="after"><a href="${view.href("/account")}">${t("sign_out.stay")}</a></p>`,
  )
}

/** The page after signing out. */
export const doneTemplate: Template<{ readonly hasOthers: boolean }> = (view, { hasOthers }) => {
  const { t } = view.texts
  return card(
    view,
    t("sign_out.done.title"),
    html`<p>${t("sign_out.done.text")}</p>
<div class="stack"><a class="button" href="${view.href("/sign-in")}">${t("sign_in.submit")}</a>
${hasOthers ? html`<a class="button secondary" href="${view.href("/choose-account")}">${t("sign_out.done.others")}</a>` : null}</div>`,
  )
}

/** The parts of the flow that stay after a session has ended: the form token and the language. */
export const forgotten = {
  return_to: undefined,
  identifier: undefined,
  challenge: undefined,
  sent: undefined,
  token: undefined,
  invitation: undefined,
  enrolment: undefined,
  authenticator: undefined,
  recovery_codes: undefined,
  notice: undefined,
  problem: undefined,
} as const satisfies { readonly [Member in Exclude<keyof Flow, "browser" | "locale">]: undefined }

export const signOut = page({
  path: "/sign-out",
  needs: ["signOut"],
  access: "public",
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const user = yield* signedInUser
    if (user === null) return { to: view.href("/sign-out/done") }
    return { title: view.texts.t("sign_out.title"), main: template(view, { user: user.name ?? user.email }) }
  }),
  actions: {
    sign_out: Effect.gen(function* () {
      const { call, setFlow, view } = yield* Visit
      yield* call("signOut")
      setFlow(forgotten)
      return { to: view.href("/sign-out/done"), forget: true }
    }),
  },
})

export const signedOut = page({
  path: "/sign-out/done",
  needs: ["signOut"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, call, has } = yield* Visit
    const hasOthers = has("multiSessionList") && (yield* call<MultiSessionListPayload>("multiSessionList")).sessions.length > 0
    return { title: view.texts.t("sign_out.done.title"), main: doneTemplate(view, { hasOthers }) }
  }),
})
