import { html } from "@remix-run/html-template"
import { signInMethodName } from "../../../components/credential-kinds.ts"
import { card } from "../../parts/body.ts"
import { chart, type Series } from "../../parts/chart.ts"
import type { ConsoleView } from "../../screen.ts"
import { namesOfTimes, type RangeName, ranges } from "./ranges.ts"
import type { Figures } from "./tiles.ts"

const outcomes = [
  ["sign_in.succeeded", "console.chart.succeeded"],
  ["sign_in.failed", "console.chart.failed"],
  ["sign_in.challenged", "console.chart.challenged"],
  ["sign_in.locked", "console.chart.locked"],
] as const

const valuesOf = ({ points }: Figures, name: string) => points.map(({ counts }) => counts[name] ?? 0)
const total = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0)

/** Series together, one number for each time. */
const sums = ([first = [], ...others]: ReadonlyArray<ReadonlyArray<number>>) =>
  first.map((value, at) => others.reduce((sum, each) => sum + (each[at] ?? 0), value))

/** Those of extensions have their own names. */
const methodName = (view: ConsoleView, method: string) => signInMethodName(view, method) ?? method

/** Methods with a series of their own. */
const mostMethods = 3
const succeededBy = "sign_in.succeeded/"

/** The methods by which most users signed in, and all others together. */
const methodsOf = (view: ConsoleView, figures: Figures): ReadonlyArray<Series> => {
  const names = new Set(figures.points.flatMap(({ counts }) => Object.keys(counts).filter((name) => name.startsWith(succeededBy))))
  const byLabel = Map.groupBy(names, (name) => methodName(view, name.slice(succeededBy.length)))
  const all = [...byLabel].map(([label, same]) => ({ label, values: sums(same.map((name) => valuesOf(figures, name))) }))
  const [first, ...rest] = all.toSorted((one, other) => total(other.values) - total(one.values) || (one.label < other.label ? -1 : 1))
  if (first === undefined) return []
  const [shown, others] = [[first, ...rest.slice(0, mostMethods - 1)], rest.slice(mostMethods - 1)]
  if (others.length === 0) return shown
  return [...shown, { label: view.texts.t("console.chart.others"), values: sums(others.map(({ values }) => values)) }]
}

/** The charts of a time. */
export const charts = (view: ConsoleView, name: RangeName, figures: Figures) => {
  const { t, tag } = view.texts
  const times = namesOfTimes(
    tag,
    ranges[name].step,
    figures.points.map(({ at }) => at),
  )
  const methods = methodsOf(view, figures)
  const byOutcome = outcomes.map(([type, label]) => ({ label: t(label), values: valuesOf(figures, type) }))
  const added = { label: t("console.overview.new_users"), values: valuesOf(figures, "user.created") }
  const drawn = (id: string, title: string, series: ReadonlyArray<Series>) => chart(view, { id, title, series, times })
  const [byOutcomeTitle, byMethodTitle, newTitle] = [
    t("console.chart.outcomes"),
    t("console.chart.methods"),
    t("console.overview.new_users"),
  ]
  return html`<div class="charts">${card(byOutcomeTitle, {}, drawn("outcomes", byOutcomeTitle, byOutcome))}
${methods.length === 0 ? null : card(byMethodTitle, {}, drawn("methods", byMethodTitle, methods))}
${card(newTitle, {}, html`<p class="muted">${t("console.chart.imported")}</p>`, drawn("new", newTitle, [added]))}</div>`
}
