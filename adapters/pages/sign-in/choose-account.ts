import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../components/direction.ts"
import { button, card, form } from "../components/form.ts"
import { field, type Output, page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { keepReturnTarget, signedInTarget } from "./complete.ts"

type Account = Output<"multiSessionList">["sessions"][number]

/** The page with the accounts that are signed in in this browser. */
export const template: Template<{ readonly accounts: ReadonlyArray<Account> }> = (view, { accounts }) => {
  const { t } = view.texts
  const items = accounts.map(({ session_id, user, active }) => {
    const name = user.name === null ? leftToRight(user.email) : html`<bdi>${user.name}</bdi>`
    const mark = active ? html` <span class="tag">${t("choose.active")}</span>` : null
    const submit = html`<span>${name}${mark}${user.name === null ? null : html`<br><span class="muted">${leftToRight(user.email)}</span>`}</span>`
    const remove = button(t("choose.remove"), "remove", "link")
    return html`<li>${form(view, { action: "choose", submit, look: "choice", hidden: { session_id }, more: remove })}</li>`
  })
  // A client waits for the choice, so that the visitor is sent back after the sign-in.
  const returnTo = view.here.includes("request_uri=") ? { return_to: view.here } : undefined
  return card(
    view,
    t("choose.title"),
    html`${accounts.length === 0 ? html`<p>${t("choose.none")}</p>` : html`<ul class="accounts">${items}</ul>`}
<div class="after"><a class="button secondary" href="${view.href("/sign-in", { another: "yes", ...returnTo })}">${t("choose.add")}</a></div>`,
  )
}

const choose = Effect.gen(function* () {
  const { form, call, query } = yield* Visit
  yield* call("multiSessionSetActive", { session_id: field(form, "session_id") })
  const request_uri = query.get("request_uri")
  if (request_uri === null) return { to: yield* signedInTarget }
  const { redirect } = yield* call("oauth2SelectAccount", { request_uri })
  return { to: redirect }
})

const remove = Effect.gen(function* () {
  const { form, call, view, setFlow } = yield* Visit
  yield* call("multiSessionRevoke", { session_id: field(form, "session_id") })
  setFlow({ notice: "choose.removed" })
  return { to: view.here, forget: true }
})

export const chooseAccount = page({
  path: "/choose-account",
  needs: ["multiSessionList", "multiSessionSetActive", "multiSessionRevoke"],
  uses: ["oauth2SelectAccount"],
  access: "public",
  problems: { session_not_found: "choose.stale", invalid_state: "consent.closed.text" },
  show: Effect.gen(function* () {
    const { view, call } = yield* Visit
    yield* keepReturnTarget
    const { sessions } = yield* call("multiSessionList")
    return { title: view.texts.t("choose.title"), main: template(view, { accounts: sessions }) }
  }),
  actions: { choose, remove },
})
