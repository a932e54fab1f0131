import { html, type SafeHtml } from "@remix-run/html-template"
import type { Permission } from "../../../../domain/administration/permissions.ts"
import type { Key } from "../../../texts/texts.ts"
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
    .filter(({ permission, needs }) => view.may(permission) && has(needs))
    .map(({ path, label, isDanger = false }) => {
      const look = isDanger ? "danger" : "secondary"
      return html`<a class="button small ${look}" href="${view.at(path, query)}">${view.texts.t(label)}</a>`
    })

/** A line of buttons; nothing without any. */
export const actions = (...shown: Array<SafeHtml | null>) => {
  const present = shown.filter((each) => each !== null)
  return present.length === 0 ? null : html`<div class="actions">${present}</div>`
}

/** An action of which a button opens the form in its place. It is open while one of its fields has a fault. */
export const inPlace = (view: ConsoleView, label: string, fields: ReadonlyArray<string>, ...content: Array<SafeHtml | null>) => {
  const open = fields.some((name) => faultOf(view, name) !== undefined) ? html.raw` open` : null
  return html`<details class="confirm"${open}><summary class="button small secondary">${label}</summary><div>${content}</div></details>`
}
