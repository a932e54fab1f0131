import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { ConnectedApplication } from "../../../client/operations.ts"
import { leftToRight } from "../components/direction.ts"
import { form } from "../components/form.ts"
import { labelFor, named } from "../components/names.ts"
import { time } from "../components/time.ts"
import { field, Visit } from "../page.ts"
import { clientName, scopeText } from "../scopes.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard } from "./frame.ts"
import { confirmation, list, row } from "./parts.ts"

/** The applications that the user has allowed something. */
export const template: Template<{ readonly grants: ReadonlyArray<Omit<ConnectedApplication, "created_at">> }> = (view, { grants }) => {
  const { t } = view.texts
  const rows = grants.map((grant) => applicationRow(view, grant))
  return framed(
    view,
    { title: t("account.applications") },
    plainCard(grants.length === 0 ? null : html`<p>${t("account.applications.about")}</p>`, list(rows, t("account.applications.none"))),
  )
}

const applicationRow = (view: View, { client, scopes, granted_at }: Omit<ConnectedApplication, "created_at">) => {
  const { t, rich } = view.texts
  const host = client.agent?.host ?? null
  const unchecked =
    client.agent?.kind === "open" ? html`<p class="muted">${rich("consent.agent.name", { client: named(clientName(client)) })}</p>` : null
  const lines = html`${unchecked}${host === null ? null : html`<p class="muted">${leftToRight(host)}</p>`}
<ul class="scopes">${scopes.map((scope) => html`<li>${scopeText(view, scope)}</li>`)}</ul>
${rich("account.applications.since", { date: time(view, granted_at) })}`
  const revoke = form(view, {
    action: "revoke",
    submit: t("account.applications.revoke"),
    look: "small danger",
    hidden: { client_id: client.client_id },
  })
  const name = named(clientName(client))
  return row(name, lines, confirmation(labelFor(t("account.applications.revoke"), name), t("account.applications.revoke.about"), revoke))
}

export const applications = accountPage({
  path: "/account/applications",
  needs: ["oauth2Grants", "oauth2GrantsRevoke"],
  show: Effect.gen(function* () {
    const { view, call } = yield* Visit
    const { grants } = yield* call("oauth2Grants")
    return yield* inSection("applications", view.texts.t("account.applications"), template(view, { grants }))
  }),
  actions: {
    revoke: Effect.gen(function* () {
      const { call, form } = yield* Visit
      yield* call("oauth2GrantsRevoke", { client_id: field(form, "client_id") })
      return yield* goTo("/account/applications", "account.applications.revoked")
    }),
  },
})
