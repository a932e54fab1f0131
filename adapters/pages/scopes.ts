import { html } from "@remix-run/html-template"
import type { ConsentRequest, OauthClient } from "../../client/operations.ts"
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
