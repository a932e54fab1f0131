import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { OauthClient } from "../../../client/operations.ts"
import { strongLeftToRight } from "../components/direction.ts"
import { card } from "../components/form.ts"
import { Visit } from "../page.ts"
import { clientName } from "../scopes.ts"
import type { Template, View } from "../view.ts"

// What the pages for the request of a client have in common.

/** The reference of the request, from the address of the page. */
export const requestUri = Effect.map(Visit, ({ query }) => query.get("request_uri") ?? "")

/** The longest URL that the cookie of the flow has room for. */
const maxSite = 500

/** Keeps the client's site, to which the page of the closed request leads. */
export const keepClient = Effect.fnUntraced(function* keepClient(client: OauthClient) {
  const { setFlow } = yield* Visit
  const site = client.client_uri
  if (site === null || site.length > maxSite) return setFlow({ client: undefined })
  // Of an agent, only the host is certain.
  setFlow({ client: { request_uri: yield* requestUri, name: client.agent?.host ?? clientName(client), site } })
})

/** The page for a request that has expired or was answered. `client` is null where it is unknown, or has no site. */
export const closedTemplate: Template<{ readonly client: { readonly name: string; readonly site: string } | null }> = (
  view,
  { client },
) => {
  const { t, rich } = view.texts
  const back =
    client === null
      ? null
      : html`<a class="button" href="${client.site}"><span>${rich("consent.closed.back", { client: client.name })}</span></a>`
  return card(view, t("consent.closed.title"), html`<p>${t("consent.closed.text")}</p>${back}`)
}

export const closedRequest = Effect.gen(function* () {
  const { view, flow } = yield* Visit
  const { client } = flow()
  const isOfRequest = client?.request_uri === (yield* requestUri)
  const main = closedTemplate(view, { client: client !== undefined && isOfRequest ? client : null })
  return { title: view.texts.t("consent.closed.title"), main, status: 400 }
})

/** The address of the signed-in user, and the way to another account. */
export const otherAccount = (view: View, email: string) => {
  const { t, rich } = view.texts
  const user = strongLeftToRight(email)
  return html`<p class="after">${rich("signed_in.text", { user })} <a href="${view.href("/sign-in", { another: "yes", return_to: view.here })}">${t("signed_in.other")}</a></p>`
}
