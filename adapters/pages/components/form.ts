import { html, type SafeHtml } from "@remix-run/html-template"
import type { View } from "../view.ts"

interface Form {
  /** The value of the button that submits the form with the Enter key. */
  readonly action: string
  readonly body?: SafeHtml
  readonly submit: string | SafeHtml
  readonly look?: "primary" | "secondary" | "danger" | "small secondary" | "small danger" | "small" | "link" | "choice"
  /** Words on the border of the first button; null without any. */
  readonly mark?: string | null
  /** The id by which buttons outside of the form belong to it. */
  readonly id?: string
  /** Values that the form repeats. */
  readonly hidden?: Readonly<Record<string, string>>
  /** Further buttons. */
  readonly more?: SafeHtml
}

/** A form that sends its fields to the current page. */
export const form = (view: View, { action, body, submit, look = "primary", mark = null, id, hidden = {}, more }: Form) =>
  html`<form${id === undefined ? null : html` id="${id}"`} method="post" action="${view.here}" novalidate>
<input type="hidden" name="form_token" value="${view.token}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${body}
${more === undefined ? button(submit, action, look, { mark }) : html`<div class="stack">${button(submit, action, look, { mark })}${more}</div>`}
</form>`

interface Button {
  /** The form, for a button outside of it. */
  readonly formId?: string
  readonly mark?: string | null
}

/** A button that submits its form with this action. */
export const button = (label: string | SafeHtml, action: string, look: Form["look"] = "secondary", { formId, mark = null }: Button = {}) =>
  html`<button type="submit"${formId === undefined ? null : html` form="${formId}"`} name="action" value="${action}" class="${look}"${describedBy(mark)}>${label}${marked(mark)}</button>`

const markId = "mark"

/** The attribute of an element with a mark. */
export const describedBy = (mark: string | null) => (mark === null ? null : html` aria-describedby="${markId}"`)

/** Words on the border of one button or link of the page. They describe it, and are no part of its name. */
export const marked = (mark: string | null) =>
  mark === null ? null : html`<span class="mark" id="${markId}" aria-hidden="true">${mark}</span>`

/** The faults of a refused form, first in the page, with a link to the field. */
export const errorSummary = ({ problem, texts }: View) => {
  if (problem === null) return null
  const shown = [problem, ...(problem.more ?? [])].map(
    ({ field, message }) => html`<p>${field === null ? message : html`<a href="#${field}">${message}</a>`}</p>`,
  )
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${texts.t("problem.title")}</h2>${shown}</div>`
}

/** Shown by the script of a button whose request failed. */
export const scriptFault = ({ texts }: View) => html`<p class="fault" role="alert" hidden data-failed>${texts.t("error.unknown")}</p>`

/** A sentence about what has just been done. The keyboard goes on from there. */
export const notice = ({ notice: text }: View) =>
  text === null ? null : html`<div class="notice" role="status" tabindex="-1" autofocus><p>${text}</p></div>`

/** A page with one heading and its content in a card. */
export const card = (view: View, title: string | SafeHtml, content: SafeHtml) =>
  html`<div class="card">${errorSummary(view)}${notice(view)}<h1>${title}</h1>${content}</div>`

export const or = ({ texts }: View) => html`<p class="or">${texts.t("or")}</p>`
