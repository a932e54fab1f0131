import { html, type SafeHtml } from "@remix-run/html-template"
import { Clock, Effect } from "effect"
import { NotFound } from "../../../../../domain/errors.ts"
import { Visit } from "../../../page.ts"
import { body, card } from "../../parts/body.ts"
import { part } from "../../parts/part.ts"
import { code, time } from "../../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../../screen.ts"
import { attention, type State } from "./attention.ts"
import { charts } from "./charts.ts"
import { type RangeName, rangeNamed, ranges, requestsOf } from "./ranges.ts"
import { type Figures, figureTiles, tiles, waitingTiles } from "./tiles.ts"

/** Any of them makes it the first page. */
const anyOf = ["figures:read", "health:read"] as const

/** The overview, of the parts that the visitor may see. */
export const template: Template<ReadonlyArray<SafeHtml>> = (view, parts) =>
  body(view, { title: view.texts.t("console.overview") }, ...parts)

/** What needs attention, and what waits. */
export const now = (view: ConsoleView, state: State) =>
  html`${attention(view, state)}${card(view.texts.t("console.overview.now"), {}, tiles(waitingTiles(view, state.health)))}`

interface FiguresShown {
  readonly range: RangeName
  readonly current: Figures
  readonly earlier: Figures
  /** The moment of the request, milliseconds since 1970. */
  readonly at: number
}

/** The figures of a time, compared to the time before it as far as that was counted. */
export const figures: Template<FiguresShown> = (view, { range, current, earlier, at }) => {
  const { t } = view.texts
  const isCounted = ({ points: [first] }: Figures) =>
    first !== undefined && current.counted_since !== null && current.counted_since <= first.at
  return html`${card(
    t("console.overview.figures"),
    { action: choice(view, range) },
    isCounted(current) ? null : html`<p>${incomplete(view, current, at)}</p>`,
    tiles(figureTiles(view, current, isCounted(earlier) ? earlier : null)),
  )}${charts(view, range, current)}`
}

/** Figures are complete from a whole hour on, which is the next one if counting began in this one. */
const incomplete = (view: ConsoleView, { counted_since }: Figures, at: number) => {
  const { t, rich } = view.texts
  if (counted_since === null) return t("console.overview.empty")
  if (Date.parse(counted_since) > at) return t("console.overview.begun")
  return rich("console.overview.since", { time: html`${time(view, counted_since)}` })
}

/** Links to the other times. */
const choice = (view: ConsoleView, chosen: RangeName) => {
  const { t } = view.texts
  const links = Object.entries(ranges).map(
    ([name, { label }]) =>
      html`<a class="button small secondary" href="${view.at("/", { range: name })}"${name === chosen ? html.raw` aria-current="true"` : null}>${t(label)}</a>`,
  )
  return html`<nav class="actions" aria-label="${t("console.overview.range")}">${links}</nav>`
}

/** In place of the figures of a service that counts none. */
export const off = (view: ConsoleView) => {
  const { t, rich } = view.texts
  return card(t("console.overview.figures"), {}, html`<p>${rich("console.overview.off", { key: code("modules.figures") })}</p>`)
}

const shownFigures = Effect.gen(function* () {
  const { call, query } = yield* Visit
  const { view } = yield* Operator
  const range = rangeNamed(query.get("range"))
  const at = yield* Clock.currentTimeMillis
  const requests = requestsOf(range, at)
  const asked = [call("adminFigures", requests.current), call("adminFigures", requests.earlier)] as const
  const [current, earlier] = yield* Effect.all(asked, { concurrency: 2 })
  return figures(view, { range, current, earlier, at })
})

const shownState = Effect.gen(function* () {
  const { call, has } = yield* Visit
  const { view } = yield* Operator
  const mayOutbox = view.may("outbox:read") && has("adminOutboxList")
  const mayWebhooks = view.may("webhooks:read") && has("adminWebhooksList")
  const mayKeys = view.may("keys:rotate") && has("adminKeysList")
  const [health, { messages }, { webhooks }, { keys }] = yield* Effect.all(
    [
      call("adminHealth"),
      mayOutbox ? call("adminOutboxList", { state: "dead", limit: 1 }) : Effect.succeed({ messages: [] }),
      mayWebhooks ? call("adminWebhooksList") : Effect.succeed({ webhooks: [] }),
      mayKeys ? call("adminKeysList") : Effect.succeed({ keys: [] }),
    ],
    { concurrency: 4 },
  )
  const moment = yield* Clock.currentTimeMillis
  return now(view, {
    health,
    hasDead: messages.length > 0,
    webhooks: webhooks.filter(({ disabled_at, failing_since }) => disabled_at !== null || failing_since !== null),
    due: keys.filter(({ due_at }) => due_at !== null && Date.parse(due_at) <= moment),
  })
})

/** The first page. It leads visitors who may see nothing of it to the first screen that they may see. */
export const overview: Screen = {
  path: "/",
  permission: null,
  anyOf,
  needs: [],
  uses: ["adminFigures", "adminHealth", "adminKeysList", "adminOutboxList", "adminWebhooksList"],
  section: { label: "console.overview", group: null, key: "o" },
  show: Effect.gen(function* () {
    const { has } = yield* Visit
    const { view, places } = yield* Operator
    const { t } = view.texts
    if (!anyOf.some(view.may)) {
      const [first] = places
      return first === undefined ? yield* new NotFound() : { to: view.at(first.path) }
    }
    const counted = has("adminFigures") ? part(view, t("console.overview.figures"), shownFigures) : Effect.succeed(off(view))
    const parts = [
      ...(view.may("health:read") && has("adminHealth") ? [part(view, t("console.overview.now"), shownState)] : []),
      ...(view.may("figures:read") ? [counted] : []),
    ]
    return { title: t("console.overview"), main: template(view, yield* Effect.all(parts, { concurrency: parts.length })) }
  }),
}
