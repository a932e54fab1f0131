import { html } from "@remix-run/html-template"
import type { Key } from "../../../../texts/texts.ts"
import type { Output } from "../../../page.ts"
import { counted, nothing } from "../../parts/values.ts"
import type { ConsoleView } from "../../screen.ts"

export type Figures = Output<"adminFigures">
export type Health = Output<"adminHealth">

/** A number with its name, and how it was before. */
export interface Tile {
  readonly label: string
  readonly value: string
  readonly change: string | null
}

/** How often events of these names happened in a time. */
export const totalOf = ({ points }: Figures, ...names: ReadonlyArray<string>) =>
  points.reduce((total, { counts }) => names.reduce((sum, name) => sum + (counts[name] ?? 0), total), 0)

/** The share of sign-ins that were refused; null without a sign-in. Those that ask for a second step end as one of the others. */
const failedShare = (figures: Figures) => {
  const failed = totalOf(figures, "sign_in.failed", "sign_in.locked")
  const all = failed + totalOf(figures, "sign_in.succeeded")
  return all === 0 ? null : failed / all
}

const counts = [
  ["console.overview.sign_ins", (figures) => totalOf(figures, "sign_in.succeeded")],
  ["console.overview.new_users", (figures) => totalOf(figures, "user.created")],
  ["console.overview.lockouts", (figures) => totalOf(figures, "sign_in.locked", "limit.reached")],
  ["console.overview.active.week", ({ active }) => active.week],
  ["console.overview.active.month", ({ active }) => active.month],
] as const satisfies ReadonlyArray<readonly [Key, (figures: Figures) => number]>

/** The figures of a time; `earlier`: those of the time before it, null if they are not complete. */
export const figureTiles = ({ texts: { t } }: ConsoleView, current: Figures, earlier: Figures | null): ReadonlyArray<Tile> => {
  const before = (count: number) => t("console.overview.before", { before: t("console.number", { count }) })
  const changeOf = (now: number, then: number) =>
    then === 0 ? before(then) : t("console.overview.change", { change: now / then - 1, before: t("console.number", { count: then }) })
  const share = (value: number | null) => (value === null ? nothing : t("console.overview.share", { share: value }))
  const [signIns, ...others] = counts.map(([label, of]): Tile => {
    const value = of(current)
    return { label: t(label), value: t("console.number", { count: value }), change: earlier && changeOf(value, of(earlier)) }
  }) as [Tile, ...ReadonlyArray<Tile>]
  const failed: Tile = {
    label: t("console.overview.failed"),
    value: share(failedShare(current)),
    change: earlier && t("console.overview.before", { before: share(failedShare(earlier)) }),
  }
  // Today is not over, so a percentage would mislead.
  const today: Tile = {
    label: t("console.overview.active.day"),
    value: t("console.number", { count: current.active.day }),
    change: earlier && before(earlier.active.day),
  }
  return [signIns, failed, ...others.slice(0, 2), today, ...others.slice(2)]
}

const queueTiles = [
  ["mail", "console.overview.mails"],
  ["webhook", "console.overview.deliveries"],
] as const

/** What waits to be sent now. */
export const waitingTiles = (view: ConsoleView, { queues }: Health): ReadonlyArray<Tile> =>
  queueTiles.map(([receiver, label]) => {
    const { waiting, capped } = queues.find((queue) => queue.receiver === receiver) ?? { waiting: 0, capped: false }
    return { label: view.texts.t(label), value: counted(view, waiting, capped), change: null }
  })

export const tiles = (shown: ReadonlyArray<Tile>) =>
  html`<dl class="tiles">${shown.map(({ label, value, change }) => html`<div><dt>${label}</dt><dd>${value}</dd>${change === null ? null : html`<dd class="muted">${change}</dd>`}</div>`)}</dl>`
