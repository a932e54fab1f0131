import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Key } from "../../../texts/texts.ts"
import { form } from "../../components/form.ts"
import { Visit } from "../../page.ts"
import { body, card } from "../parts/body.ts"
import { details } from "../parts/values.ts"
import { goTo, Operator, type Place, type Screen, type Template } from "../screen.ts"

const keys: ReadonlyArray<readonly [key: string, does: Key]> = [
  ["/", "console.shortcuts.find"],
  ["j", "console.shortcuts.next"],
  ["k", "console.shortcuts.previous"],
  ["x", "console.shortcuts.choose"],
  ["Enter", "console.shortcuts.open"],
  ["e", "console.edit"],
  ["?", "console.shortcuts"],
]

const shownKeys = (...pressed: ReadonlyArray<string>) => html`<span dir="ltr">${pressed.map((key) => html`<kbd>${key}</kbd> `)}</span>`

/** The keyboard shortcuts, and the switch for people whom they disturb (WCAG 2.2, 2.1.4). */
export const template: Template<{ readonly places: ReadonlyArray<Place> }> = (view, { places }) => {
  const { t } = view.texts
  const change = view.hasKeys
    ? ({ action: "off", submit: t("console.shortcuts.off") } as const)
    : ({ action: "on", submit: t("console.shortcuts.on") } as const)
  const screens = places.flatMap(({ key, label }) => (key === undefined ? [] : [[label, shownKeys("g", key)] as const]))
  return body(
    view,
    { title: t("console.shortcuts") },
    html`<div class="card"><p>${t("console.shortcuts.about")}</p>${form(view, { ...change, look: "small secondary" })}</div>`,
    card(t("console.shortcuts.page"), {}, details(keys.map(([key, does]) => [t(does), shownKeys(key)]))),
    screens.length === 0 ? null : card(t("console.shortcuts.screens"), {}, details(screens)),
  )
}

const switched = (on: boolean) =>
  Effect.gen(function* () {
    ;(yield* Visit).setKeys(on)
    return yield* goTo("/shortcuts", on ? "console.shortcuts.on.done" : "console.shortcuts.off.done")
  })

export const shortcuts: Screen = {
  path: "/shortcuts",
  permission: null,
  needs: [],
  section: "/shortcuts",
  show: Effect.gen(function* () {
    const { view, places } = yield* Operator
    return { title: view.texts.t("console.shortcuts"), main: template(view, { places }) }
  }),
  actions: { on: switched(true), off: switched(false) },
}
