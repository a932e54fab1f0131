import { html, type SafeHtml } from "@remix-run/html-template"
import { paging as links } from "../../account/parts.ts"
import type { ConsoleView } from "../screen.ts"
import { card } from "./body.ts"

interface Column<A> {
  readonly label: string
  readonly cell: (row: A) => SafeHtml | string | null
}

interface Table<A> {
  readonly caption: string
  /** The first one names the row. */
  readonly columns: readonly [Column<A>, ...ReadonlyArray<Column<A>>]
  readonly rows: ReadonlyArray<A>
  /** In place of a table without rows. */
  readonly empty: SafeHtml | string
  /** What tells a row apart, for a script. */
  readonly key?: (row: A) => string
  /** A box before each row, by which the form around the table sends what is chosen. */
  readonly choice?: {
    readonly name: string
    readonly label: string
    readonly of: (row: A) => { readonly value: string; readonly label: string }
  }
}

/**
 * A table; on narrow pages a card for each row. The roles stay with the cards: browsers take those of a table away when its display changes.
 */
export const table = <A>({ caption, columns: [first, ...others], rows, empty, key, choice }: Table<A>) => {
  if (rows.length === 0) return typeof empty === "string" ? html`<p class="muted" data-empty>${empty}</p>` : empty
  const shown = shownColumns(others, rows)
  const cell = ({ label, cell: content }: Column<A>, row: A) =>
    html`<td role="cell"><span class="cell-label" aria-hidden="true">${label}</span><div>${content(row)}</div></td>`
  const box = (row: A) => {
    if (choice === undefined) return null
    const { value, label } = choice.of(row)
    return html`<td role="cell" class="box"><input type="checkbox" name="${choice.name}" value="${value}" aria-label="${label}"></td>`
  }
  const keyOf = (row: A) => (key === undefined ? null : html` data-key="${key(row)}"`)
  const boxHead =
    choice === undefined
      ? null
      : html`<th role="columnheader" scope="col" class="box"><span class="hidden-text">${choice.label}</span></th>`
  return html`<table class="rows" role="table"><caption class="hidden-text">${caption}</caption>
<thead role="rowgroup"><tr role="row">${boxHead}${[first, ...shown].map(({ label }) => html`<th role="columnheader" scope="col">${label}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row"${keyOf(row)}>${box(row)}<th role="rowheader" scope="row">${first.cell(row)}</th>${shown.map((column) => cell(column, row))}</tr>`)}</tbody></table>`
}

/** Without the columns that no row has anything for, such as the actions of a visitor who may only read. */
const shownColumns = <A>(columns: ReadonlyArray<Column<A>>, rows: ReadonlyArray<A>) =>
  columns.filter(({ cell }) => rows.some((row) => String(cell(row) ?? "") !== ""))

/** A card with a table of the same name, and what follows it. */
export const tableCard = <A>(
  title: string,
  { action = null, ...shown }: Omit<Table<A>, "caption"> & { readonly action?: SafeHtml | null },
  ...more: Array<SafeHtml | null>
) => card(title, { action }, table({ caption: title, ...shown }), ...more)

/** Links to the next page of a list, and back to the first one. `place`: the parameter of this list, on a page with several lists. */
export const paging = (
  view: ConsoleView,
  path: string,
  query: Readonly<Record<string, string>>,
  next: string | null,
  place: string = "cursor",
) => {
  const { [place]: cursor, ...filters } = query
  return links(view, {
    first: cursor === undefined ? null : view.at(path, filters),
    next: next === null ? null : view.at(path, { ...filters, [place]: next }),
  })
}

/** The same below a list of which each page examines a part only. `isPart`: the list goes on, although this page is not full. */
export const pagingOfPart = (
  view: ConsoleView,
  path: string,
  query: Readonly<Record<string, string>>,
  { next, isPart }: { readonly next: string | null; readonly isPart: boolean },
) => {
  if (next === null || !isPart) return paging(view, path, query, next)
  const { cursor, ...filters } = query
  const { t } = view.texts
  return html`<p class="muted">${t("console.filter.incomplete")}</p>
<p class="paging">${cursor === undefined ? null : html`<a href="${view.at(path, filters)}">${t("list.first")}</a>`} <a href="${view.at(path, { ...filters, cursor: next })}" rel="next">${t("console.filter.keep_looking")}</a></p>`
}
