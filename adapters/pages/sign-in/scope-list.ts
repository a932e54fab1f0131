import { html } from "@remix-run/html-template"
import type { ConsentRequest } from "../../../client/operations.ts"
import { scopeText } from "../scopes.ts"
import type { View } from "../view.ts"

/** What a client requests, in words. */
export const scopeList = (view: View, title: string, scopes: ConsentRequest["scopes"]) =>
  scopes.length === 0
    ? null
    : html`<h2>${title}</h2><ul class="scopes">${scopes.map(({ scope }) => html`<li>${scopeText(view, scope)}</li>`)}</ul>`
