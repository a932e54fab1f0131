import { html, type SafeHtml } from "@remix-run/html-template"
import type { Permission } from "../../../../domain/administration/permissions.ts"
import type { Key } from "../../../texts/texts.ts"
import { linkButton } from "../../account/parts.ts"
import type { Operation } from "../../page.ts"
import { faultOf } from "../../view.ts"
import type { ConsoleView } from "../screen.ts"

/** Whether the service has an operation. */
export type Has = (operation: Operation) => boolean

/** A link to the page of an action. */
export interface ActionLink {
  readonly path: string
  readonly label: Key
  readonly permission: Permission
  /** Without it, the service has no such page. */
  readonly needs: Operation
  readonly isDanger?: boolean
}

/** The links to those actions that the service has and the visitor may take. */
export const actionLinks = (view: ConsoleView, has: Has, query: Readonly<Record<string, string>>, links: ReadonlyArray<ActionLink>) =>
  links
    .filter(({ needs }) => has(needs))
    .map((link) => actionLink(view, query, link))
    .filter((link) => link !== null)

/** The link to an action that the service has with its list; null if the visitor may not take it. */
export const actionLink = (
  view: ConsoleView,
  query: Readonly<Record<string, string>>,
  { path, label, permission, isDanger = false }: Omit<ActionLink, "needs">,
) => {
  if (!view.may(permission)) return null
  const [href, text] = [view.at(path, query), view.texts.t(label)]
  return label === "console.edit" ? editLink(href, text) : linkButton(href, text, isDanger ? "danger" : "secondary")
}

/** The link that the key `e` opens. */
const editLink = (href: string, text: string) => html`<a class="button small secondary" href="${href}" data-edit>${text}</a>`

/** A line of buttons; nothing without any. */
export const actions = (...shown: Array<SafeHtml | null>) => {
  const present = shown.filter((each) => each !== null)
  return present.length === 0 ? null : html`<div class="actions">${present}</div>`
}

/** An action of which a button opens the form in its place. It stays open after a refusal, by its fields. */
export const inPlace = (view: ConsoleView, label: string, fields: ReadonlyArray<string>, ...content: Array<SafeHtml | null>) =>
  opened(view, label, null, fields, content)

/** The form of what the page shows, which the key `e` opens. */
export const editInPlace = (view: ConsoleView, fields: ReadonlyArray<string>, content: SafeHtml) =>
  opened(view, view.texts.t("console.edit"), html.raw` data-edit`, fields, [content])

const opened = (
  view: ConsoleView,
  label: string,
  mark: SafeHtml | null,
  fields: ReadonlyArray<string>,
  content: Array<SafeHtml | null>,
) => {
  const open = fields.some((name) => view.entered(name) !== "" || faultOf(view, name) !== undefined) ? html.raw` open` : null
  return html`<details class="confirm"${open}><summary class="button small secondary"${mark}>${label}</summary><div>${content}</div></details>`
}
