import { html, type SafeHtml } from "@remix-run/html-template"
import type { ConsoleView } from "../screen.ts"

interface Choice {
  readonly name: string
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
  /** The label of no choice. */
  readonly all?: string
}

/** The filters of a list that are set, by their names, from the query of the page. */
export const filtersIn = (query: URLSearchParams, names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries([...names, "cursor"].flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])))

/** A field to search by. */
export const searchFilter = ({
  name,
  label,
  hint,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly value: string
}) =>
  html`<div class="field search-field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="search" value="${value}" aria-describedby="${name}-hint" maxlength="254" autocomplete="off" spellcheck="false"><p class="hint" id="${name}-hint">${hint}</p></div>`

/** A list of the values of a filter, with `all` for none. */
export const choiceFilter = (
  view: ConsoleView,
  { name, label, options, all: none = view.texts.t("console.filter.all") }: Choice,
  value: string,
) => {
  const all = [["", none] as const, ...options]
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${all.map(([each, text]) => html`<option value="${each}"${each === value ? html.raw` selected` : null}>${text}</option>`)}</select></div>`
}

/** The form with the filters of a list. The script applies a change at once, by replacing the element `results`. */
export const filters = (view: ConsoleView, path: string, ...fields: Array<SafeHtml>) =>
  html`<form class="filters" method="get" action="${view.at(path)}" data-filters>${fields}<button class="small secondary" type="submit">${view.texts.t("console.filter.apply")}</button></form>`

/** The part of a page that the filters change. */
export const results = (...content: Array<SafeHtml | null>) => html`<div class="card" id="results">${content}</div>`
