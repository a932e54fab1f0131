import { html, type SafeHtml } from "@remix-run/html-template"
import { errorSummary, notice } from "../../components/form.ts"
import type { ConsoleView } from "../screen.ts"

interface Head {
  readonly title: string
  /** The heading as HTML, if it is not the title only. */
  readonly heading?: SafeHtml
  /** The page above this one. */
  readonly parent?: { readonly href: string; readonly label: string }
  /** Beside the heading: a link to a page on which something is added. */
  readonly action?: SafeHtml | null
  /** Below the heading. */
  readonly note?: SafeHtml | null
}

/** The content of a page of the console: what has happened, the heading, and cards. */
export const body = (view: ConsoleView, { title, heading, parent, action = null, note = null }: Head, ...content: Array<SafeHtml | null>) =>
  html`${errorSummary(view)}${notice(view)}${parent === undefined ? null : html`<p class="back"><a href="${parent.href}"><bdi>${parent.label}</bdi></a></p>`}
<div class="heading"><h1>${heading ?? html`<bdi>${title}</bdi>`}</h1>${action}</div>${note}
${content}`

/** The title and the heading of a page on which something with this name is changed. */
export const editing = ({ texts: { t, rich } }: ConsoleView, name: string) => ({
  title: t("console.edit.at", { name }),
  heading: rich("console.edit.at", { name }),
})

/** A card with a heading, and a link or button beside it. */
export const card = (title: string, { action = null }: { readonly action?: SafeHtml | null }, ...content: Array<SafeHtml | null>) =>
  html`<section class="card"><div class="heading"><h2>${title}</h2>${action}</div>${content}</section>`
