import { html } from "@remix-run/html-template"
import { Effect, Record, Struct } from "effect"
import { card, form } from "../components/form.ts"
import { Flow } from "../flow.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { signedInUser } from "./complete.ts"

/** The confirmation of a sign-out: a link on another site must not sign a user out. */
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

/** The page after signing out while the browser loads pages of clients in frames. */
export const leavingTemplate: Template<{ readonly to: string }> = (view, { to }) => {
  const { t } = view.texts
  return card(
    view,
    t("sign_out.done.title"),
    html`<p>${t("sign_out.done.text")}</p><a class="button" href="${to}">${t("continue.button")}</a>`,
  )
}

/** After a session has ended, only the form token and the language stay of the flow. */
export const forgotten = Record.map(Struct.omit(Flow.fields, ["browser", "locale"]), () => undefined)

/** Ends the session: for a client that waits for it, and with the pages of clients that the browser has to load. */
const end = Effect.gen(function* () {
  const { call, has, query } = yield* Visit
  const logout_request = query.get("logout_request")
  if (has("oauth2LogoutConfirm")) return yield* call("oauth2LogoutConfirm", logout_request === null ? {} : { logout_request })
  yield* call("signOut")
  return { redirect: null, frames: [] }
})

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
      const { setFlow, view } = yield* Visit
      const { redirect, frames } = yield* end
      setFlow(forgotten)
      const to = redirect ?? view.href("/sign-out/done")
      if (frames.length === 0) return { to, forget: true }
      return { title: view.texts.t("sign_out.done.title"), main: leavingTemplate(view, { to }), frames, refresh: to }
    }),
  },
})

export const signedOut = page({
  path: "/sign-out/done",
  needs: ["signOut"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, call, has } = yield* Visit
    const hasOthers = has("multiSessionList") && (yield* call("multiSessionList")).sessions.length > 0
    return { title: view.texts.t("sign_out.done.title"), main: doneTemplate(view, { hasOthers }) }
  }),
})
