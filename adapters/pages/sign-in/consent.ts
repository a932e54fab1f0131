import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { ConsentRequest } from "../../../client/operations.ts"
import { headingLeftToRight, leftToRight, strongLeftToRight } from "../components/direction.ts"
import { button, card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import { avatar, type Picture, pictureOf } from "../picture.ts"
import { clientName, clientPolicies, scopeList } from "../scopes.ts"
import type { Template, View } from "../view.ts"
import { closedRequest, keepClient, otherAccount, requestUri } from "./request.ts"

interface Props {
  readonly request: ConsentRequest
  readonly logo: Picture | null
  readonly email: string
}

/** The title of the page. Only the host of an agent is certain: anyone can choose the name of another application. */
const titleOf = ({ texts: { t } }: View, { client }: ConsentRequest): string => {
  if (client.agent === undefined) return t("consent.title", { client: clientName(client) })
  return client.agent.host === null ? t("consent.agent.anonymous") : t("consent.title", { client: client.agent.host })
}

/** Which client asks, and where the answer goes. */
const ofRegistered = (view: View, { client, destination }: ConsentRequest, logo: Picture | null) => {
  const name = clientName(client)
  const site = strongLeftToRight(destination)
  return html`<div class="person">${avatar(name, logo)}<p>${view.texts.rich("consent.site", { client: name, site })}</p></div>`
}

/** The same of an agent, with what is not verified. */
const ofAgent = (view: View, { client, destination, on_device, resource }: ConsentRequest) => {
  const { t, rich } = view.texts
  const name = client.client_name === null ? null : html`<bdi>${client.client_name}</bdi>`
  const server = html`<strong><bdi>${resource?.name}</bdi></strong> (${leftToRight(resource?.resource ?? "")})`
  return html`${name === null ? null : html`<p>${rich("consent.agent.name", { client: name })}</p>`}
${resource === undefined ? null : html`<p>${rich("consent.agent.resource", { resource: server })}</p>`}
<p>${on_device === true ? t("consent.agent.device") : rich("consent.agent.site", { site: strongLeftToRight(destination) })}</p>`
}

/** The page on which a user allows or denies what an application requests. */
export const template: Template<Props> = (view, { request, logo, email }) => {
  const { t, rich } = view.texts
  const [granted, missing] = [request.scopes.filter((each) => each.granted), request.scopes.filter((each) => !each.granted)]
  const organization = html`<strong><bdi>${request.organization?.name}</bdi></strong>`
  const host = request.client.agent?.host ?? null
  return card(
    view,
    host === null ? titleOf(view, request) : rich("consent.title", { client: headingLeftToRight(host) }),
    html`${request.client.agent === undefined ? ofRegistered(view, request, logo) : ofAgent(view, request)}
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
  return { title: titleOf(view, request), main, picture: logo }
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
