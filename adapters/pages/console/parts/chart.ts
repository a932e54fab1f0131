import { html } from "@remix-run/html-template"
import type { ConsoleView } from "../screen.ts"

/** The values of one name, in the order of the times. */
export interface Series {
  readonly label: string
  readonly values: ReadonlyArray<number>
}

interface Chart {
  /** Begins the ids of its elements, so it is another one for each chart of a page. */
  readonly id: string
  readonly title: string
  /** At most four. Each has a colour and a pattern. */
  readonly series: ReadonlyArray<Series>
  /** The times of the bars. */
  readonly times: ReadonlyArray<string>
}

/** The size of the drawing. It is stretched to its place. */
const [width, height] = [720, 100]
/** The number of bars above which they have no gaps: their patterns would be too narrow. */
const dense = 60

/** A chart of bars, stacked in the order of the series, with their sums as legend and all numbers in a table. */
export const chart = (view: ConsoleView, { id, title, series, times }: Chart) => {
  const { t, rich, tag } = view.texts
  const totals = series.map(({ label, values }) => ({ label, count: sum(values) }))
  const highest = Math.max(...times.map((_, at) => sum(series.map(({ values }) => values[at] ?? 0))), 0)
  const sentence = new Intl.ListFormat(tag).format(totals.map((total) => t("console.chart.series", total)))
  return html`<figure class="chart">
<p class="muted axis" dir="ltr"><span>${t("console.number", { count: highest })}</span></p>
<svg role="img" aria-labelledby="${id}-title ${id}-text" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><title id="${id}-title">${title}</title><desc id="${id}-text">${sentence}</desc>${patterns(id)}${paths(series, highest).map((path, at) => html`<path class="series-${at}" fill="${fillOf(id, at)}" d="${path}"/>`)}</svg>
<p class="muted axis" dir="ltr"><bdi>${times[0]}</bdi><bdi>${times.at(-1)}</bdi></p>
<ul class="legend">${totals.map((total, at) => html`<li><svg class="swatch" viewBox="0 0 16 16" aria-hidden="true"><rect class="series-${at}" fill="${fillOf(id, at)}" width="16" height="16"/></svg> ${rich("console.chart.series", total)}</li>`)}</ul>
${numbers(view, title, series, times)}
</figure>`
}

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

const fillOf = (id: string, at: number) => (at === 0 ? "currentColor" : `url(#${id}-pattern-${at})`)

/** The patterns of the series after the first, whose bars are filled. */
const patterns = (id: string) => html`<defs>
<pattern id="${id}-pattern-1" class="series-1" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M-2 2 2-2M0 8 8 0M6 10 10 6" stroke="currentColor" stroke-width="3"/></pattern>
<pattern id="${id}-pattern-2" class="series-2" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="2.2" fill="currentColor"/></pattern>
<pattern id="${id}-pattern-3" class="series-3" width="8" height="5" patternUnits="userSpaceOnUse"><path d="M0 1.5H8" stroke="currentColor" stroke-width="3"/></pattern>
</defs>`

/** One path for each series, with all of its bars. */
const paths = (series: ReadonlyArray<Series>, highest: number) => {
  const count = series[0]?.values.length ?? 0
  const step = width / count
  const bar = count > dense ? step : step * 0.8
  const below = new Array<number>(count).fill(0)
  const y = (value: number) => round(height - (highest === 0 ? 0 : (value / highest) * height))
  return series.map(({ values }) =>
    values
      .map((value, at) => {
        const from = below[at] ?? 0
        below[at] = from + value
        return value === 0 ? "" : `M${round(at * step)} ${y(from)}V${y(from + value)}H${round(at * step + bar)}V${y(from)}Z`
      })
      .join(""),
  )
}

const round = (value: number) => Math.round(value * 100) / 100

/** All numbers. A table of up to 168 rows stays one on small screens, in its own scroll area. */
const numbers = ({ texts: { t } }: ConsoleView, title: string, series: ReadonlyArray<Series>, times: ReadonlyArray<string>) =>
  html`<details><summary>${t("console.chart.numbers")}</summary><section class="scroll" tabindex="0" aria-label="${title}"><table class="numbers"><thead><tr><th scope="col">${t("console.chart.time")}</th>${series.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${times.map((time, at) => html`<tr><th scope="row">${time}</th>${series.map(({ values }) => html`<td>${t("console.number", { count: values[at] ?? 0 })}</td>`)}</tr>`)}</tbody></table></section></details>`
