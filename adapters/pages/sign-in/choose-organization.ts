import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { OrganizationRequest } from "../../../client/operations.ts"
import { leftToRight } from "../components/direction.ts"
import { card, form } from "../components/form.ts"
import { roleName } from "../components/names.ts"
import { field, page, Visit } from "../page.ts"
import { clientName } from "../scopes.ts"
import type { Template, View } from "../view.ts"
import { closedRequest, keepClient, otherAccount, requestUri } from "./request.ts"

interface Props {
  readonly request: OrganizationRequest
  readonly email: string
}

/** The page on which a user chooses the organization for an application. */
export const template: Template<Props> = (view, { request: { client, organizations }, email }) => {
  const { t } = view.texts
  return card(
    view,
    t("choose_organization.title", { client: clientName(client) }),
    html`<p>${t("choose_organization.text", { client: clientName(client) })}</p>
<ul class="accounts">${organizations.map((each) => html`<li>${choice(view, each)}</li>`)}</ul>
${otherAccount(view, email)}`,
  )
}

/** The slug is unique, the name is not. */
const choice = (view: View, { id, name, slug, role }: OrganizationRequest["organizations"][number]) => {
  const mark = html`<span class="tag">${roleName(view, role)}</span>`
  const submit = html`<span><bdi>${name}</bdi> ${mark}<br><span class="muted">${leftToRight(slug)}</span></span>`
  return form(view, { action: "choose", submit, look: "choice", hidden: { organization_id: id } })
}

const show = Effect.gen(function* () {
  const { view, call, session } = yield* Visit
  const request = yield* call("oauth2Organizations", { request_uri: yield* requestUri })
  yield* keepClient(request.client)
  if (request.organizations.length === 0) return yield* closedRequest
  const title = view.texts.t("choose_organization.title", { client: clientName(request.client) })
  return { title, main: template(view, { request, email: session?.user.email ?? "" }) }
})

const choose = Effect.gen(function* () {
  const { form, call } = yield* Visit
  const chosen = { request_uri: yield* requestUri, organization_id: field(form, "organization_id") }
  const { redirect } = yield* call("oauth2SelectOrganization", chosen)
  return { to: redirect }
})

/** The address keeps the request: another tab of the browser can have another request. */
export const chooseOrganization = page({
  path: "/choose-organization",
  needs: ["oauth2Organizations", "oauth2SelectOrganization", "organizationList"],
  access: "session",
  wide: false,
  problems: { forbidden: "choose_organization.stale" },
  show: Effect.catchTag(show, "invalid_state", () => closedRequest),
  actions: { choose },
})
