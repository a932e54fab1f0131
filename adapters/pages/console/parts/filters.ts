import { html, type SafeHtml } from "@remix-run/html-template"
import { option } from "../../components/fields.ts"
import { named } from "../../components/names.ts"
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

/** A field to search by; `options` are suggested. */
export const searchFilter = ({
  name,
  label,
  hint,
  value,
  options = [],
}: {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly options?: ReadonlyArray<string>
}) => {
  const suggested = options.map((each) => html`<option value="${each}"></option>`)
  const list = options.length === 0 ? null : html`<datalist id="${name}-options">${suggested}</datalist>`
  return html`<div class="field search-field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="search" value="${value}" dir="auto" aria-describedby="${name}-hint" maxlength="254" autocomplete="off" spellcheck="false"${list === null ? null : html.raw` list="${name}-options"`}>${list}<p class="hint" id="${name}-hint">${hint}</p></div>`
}

/** A list of the values of a filter, with `all` for none. */
export const choiceFilter = (
  view: ConsoleView,
  { name, label, options, all: none = view.texts.t("console.filter.all") }: Choice,
  value: string,
) => {
  const all = [["", none] as const, ...options]
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${all.map((each) => option(each, value))}</select></div>`
}

/** The form with the filters of a list. The script applies a change at once, by replacing the element `results`. */
export const filters = (view: ConsoleView, path: string, ...fields: Array<SafeHtml | null>) =>
  html`<form class="filters" method="get" action="${view.at(path)}" data-filters>${fields}<button class="small secondary" type="submit">${view.texts.t("console.filter.apply")}</button></form>`

/** A field for an id or another exact value. */
export const textFilter = ({ name, label, value }: { readonly name: string; readonly label: string; readonly value: string }) =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="text" value="${value}" maxlength="254" dir="ltr" autocomplete="off" autocapitalize="none" spellcheck="false"></div>`

/** A field for a day. */
export const dayFilter = ({ name, label, value }: { readonly name: string; readonly label: string; readonly value: string }) =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${value}" autocomplete="off"></div>`

/** Further filters, which are hidden until one of them is set. */
export const moreFilters = (view: ConsoleView, isOpen: boolean, ...fields: Array<SafeHtml | null>) =>
  html`<details class="more-filters"${isOpen ? html.raw` open` : null}><summary>${view.texts.t("console.filter.more")}</summary><div class="filter-fields">${fields}</div></details>`

/** A filter that is set, in words. */
export interface SetFilter {
  /** Its parameters. */
  readonly names: ReadonlyArray<string>
  readonly label: string
  readonly value: string
}

/** In place of a list without rows: why, and each filter as a link that removes it. */
export const nothingFound = (
  view: ConsoleView,
  path: string,
  query: Readonly<Record<string, string>>,
  { text, set }: { readonly text: string; readonly set: ReadonlyArray<SetFilter> },
) => {
  if (set.length === 0) return html`<p class="muted">${text}</p>`
  const without = (names: ReadonlyArray<string>) =>
    view.at(path, Object.fromEntries(Object.entries(query).filter(([name]) => name !== "cursor" && !names.includes(name))))
  const link = ({ names, label, value }: SetFilter) =>
    html`<li><a class="button small secondary" href="${without(names)}"><span>${view.texts.rich("console.filter.remove", { filter: html`${label}: ${named(value)}` })}</span></a></li>`
  return html`<p class="muted">${text}</p><ul class="set-filters">${set.map(link)}</ul>`
}

/** The part of a page that the filters change. */
export const results = (...content: Array<SafeHtml | null>) => html`<div class="card" id="results">${content}</div>`
