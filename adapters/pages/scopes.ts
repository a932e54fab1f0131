import { html } from "@remix-run/html-template"
import type { ConsentRequest, OauthClient } from "../../client/operations.ts"
import { labelFor, named } from "./components/names.ts"
import type { View } from "./view.ts"

/** What a scope permits, in words; scopes of the operator's own by their names. */
export const scopeText = ({ texts }: View, scope: string) =>
  texts.find(`scope.${scope}`) ?? texts.rich("scope_other", { scope: html`<code dir="ltr">${scope}</code>` })

/** What a client requests, in words. */
export const scopeList = (view: View, title: string, scopes: ConsentRequest["scopes"]) =>
  scopes.length === 0
    ? null
    : html`<h2>${title}</h2><ul class="scopes">${scopes.map(({ scope }) => html`<li>${scopeText(view, scope)}</li>`)}</ul>`

/** The name of a client. */
export const clientName = ({ client_name, client_id }: Pick<OauthClient, "client_name" | "client_id">) => client_name ?? client_id

/** Links to the privacy policy and the terms of a client, as far as it has them. */
export const clientPolicies = ({ texts: { t } }: View, client: OauthClient) => {
  const all = [
    [client.policy_uri, t("layout.privacy")],
    [client.tos_uri, t("layout.terms")],
  ] as const
  const name = named(clientName(client))
  const links = all.flatMap(([href, label]) => (href === null ? [] : [html`<a href="${href}">${labelFor(label, name)}</a>`]))
  return links.length === 0
    ? null
    : html`<p class="muted">${name}: ${links.map((link, index) => html`${index === 0 ? null : " · "}${link}`)}</p>`
}
