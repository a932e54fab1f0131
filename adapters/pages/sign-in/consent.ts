import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { ConsentRequest } from "../../../client/operations.ts"
import { strongLeftToRight } from "../components/direction.ts"
import { button, card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import { avatar, type Picture, pictureOf } from "../picture.ts"
import { clientName, clientPolicies, scopeList } from "../scopes.ts"
import type { Template } from "../view.ts"
import { closedRequest, keepClient, otherAccount, requestUri } from "./request.ts"

interface Props {
  readonly request: ConsentRequest
  readonly logo: Picture | null
  readonly email: string
}

/** The page on which a user allows or denies what an application requests. */
export const template: Template<Props> = (view, { request, logo, email }) => {
  const { t, rich } = view.texts
  const client = clientName(request.client)
  const [granted, missing] = [request.scopes.filter((each) => each.granted), request.scopes.filter((each) => !each.granted)]
  const organization = html`<strong><bdi>${request.organization?.name}</bdi></strong>`
  const site = strongLeftToRight(request.destination)
  return card(
    view,
    t("consent.title", { client }),
    html`<div class="person">${avatar(client, logo)}<p>${rich("consent.site", { client, site })}</p></div>
${request.organization === null ? null : html`<p>${rich("consent.organization", { organization })}</p>`}
${scopeList(view, t("consent.scopes"), missing)}
${scopeList(view, t("consent.granted"), granted)}
${clientPolicies(view, request.client)}
${form(view, { action: "allow", submit: t("consent.allow"), more: button(t("consent.deny"), "deny") })}
${otherAccount(view, email)}`,
  )
}

const show = Effect.gen(function* () {
  const { view, call, site, session } = yield* Visit
  const request = yield* call("oauth2Consent", { request_uri: yield* requestUri })
  yield* keepClient(request.client)
  const logo = pictureOf(site, request.client.logo_uri)
  const main = template(view, { request, logo, email: session?.user.email ?? "" })
  return { title: view.texts.t("consent.title", { client: clientName(request.client) }), main, picture: logo }
})

const answer = (endpoint: "oauth2ConsentAllow" | "oauth2ConsentDeny") =>
  Effect.gen(function* () {
    const { call } = yield* Visit
    const { redirect } = yield* call(endpoint, { request_uri: yield* requestUri })
    return { to: redirect }
  })

/** The address keeps the request: another tab of the browser can have another request. */
export const consent = page({
  path: "/consent",
  needs: ["oauth2Consent", "oauth2ConsentAllow", "oauth2ConsentDeny"],
  access: "session",
  wide: false,
  show: Effect.catchTag(show, "invalid_state", () => closedRequest),
  actions: { allow: answer("oauth2ConsentAllow"), deny: answer("oauth2ConsentDeny") },
})
