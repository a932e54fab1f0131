import { html, type SafeHtml } from "@remix-run/html-template"
import { inputField } from "../components/fields.ts"
import type { View } from "../view.ts"

/** A line of a list: its name, what it is, and what can be done with it. */
export const row = (label: SafeHtml | string, value: SafeHtml | string | null, ...actions: Array<SafeHtml | null>) =>
  html`<li><div class="grow"><p class="label">${label}</p>${value === null ? null : html`<div class="muted">${value}</div>`}</div>
${actions.some((action) => action !== null) ? html`<div class="actions">${actions}</div>` : null}</li>`

/** A list of lines, or a sentence where there is none. */
export const list = (rows: Array<SafeHtml>, empty: string) =>
  rows.length === 0 ? html`<p class="muted">${empty}</p>` : html`<ul class="list">${rows}</ul>`

/** A link that looks like a button. */
export const linkButton = (href: string, label: string | SafeHtml, look: "secondary" | "danger" = "secondary") =>
  html`<a class="button small ${look}" href="${href}">${label}</a>`

/** An action that cannot be undone, behind a button that opens it. */
export const confirmation = (label: string | SafeHtml, text: string, form: SafeHtml) =>
  html`<details class="confirm"><summary class="button small danger">${label}</summary><div><p>${text}</p>${form}</div></details>`

export const tag = (label: string) => html`<span class="tag">${label}</span>`

/** The number of lines on a page of a list. */
export const pageSize = 20

/** Links to the next page of a list, and back to the first one. */
export const paging = (view: View, { first, next }: { readonly first: string | null; readonly next: string | null }) =>
  first === null && next === null
    ? null
    : html`<p class="paging">${first === null ? null : html`<a href="${first}">${view.texts.t("list.first")}</a>`} ${next === null ? null : html`<a href="${next}" rel="next">${view.texts.t("list.next")}</a>`}</p>`

/** The email address of another person, which browsers must not fill in with the visitor's own. */
export const othersEmailField = (view: View, hint?: string) =>
  inputField(view, {
    name: "email",
    label: view.texts.t("field.email"),
    ...(hint === undefined ? {} : { hint }),
    type: "email",
    attributes: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "254", enterkeyhint: "next", dir: "ltr" },
  })
