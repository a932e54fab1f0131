import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../components/direction.ts"
import { card } from "../components/form.ts"
import { Visit } from "../page.ts"
import type { Template, View } from "../view.ts"

// What the pages for the request of a client have in common.

/** The reference of the request, from the address of the page. */
export const requestUri = Effect.map(Visit, ({ query }) => query.get("request_uri") ?? "")

/** The page for a request that has expired or was answered. */
export const closedTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(view, t("consent.closed.title"), html`<p>${t("consent.closed.text")}</p>`)
}

export const closedRequest = Effect.map(Visit, ({ view }) => ({
  title: view.texts.t("consent.closed.title"),
  main: closedTemplate(view, null),
  status: 400,
}))

/** The address of the signed-in user, and the way to another account. */
export const otherAccount = (view: View, email: string) => {
  const { t, rich } = view.texts
  const user = html`<strong>${leftToRight(email)}</strong>`
  return html`<p class="after">${rich("signed_in.text", { user })} <a href="${view.href("/sign-in", { another: "yes", return_to: view.here })}">${t("signed_in.other")}</a></p>`
}
