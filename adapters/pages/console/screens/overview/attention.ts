import { html, type SafeHtml } from "@remix-run/html-template"
import { leftToRight } from "../../../components/direction.ts"
import type { Output } from "../../../page.ts"
import { card } from "../../parts/body.ts"
import { code, counted, time } from "../../parts/values.ts"
import type { ConsoleView } from "../../screen.ts"
import { age } from "../health.ts"
import { hostOf } from "../webhooks.ts"
import type { Health } from "./tiles.ts"

/** What the overview knows of the service now. */
export interface State {
  readonly health: Health
  /** Webhooks that get nothing any more, or whose receivers refuse what they get. */
  readonly webhooks: ReadonlyArray<Output<"adminWebhooksList">["webhooks"][number]>
  /** Keys that should have been replaced by now. */
  readonly due: Output<"adminKeysList">["keys"]
  /** Whether messages were given up. */
  readonly hasDead: boolean
}

/** Seconds that a record may wait for its seal, and a message for its delivery. */
const mostSeal = 7200
const mostWait = 3600

/** What an operator has to look at, each with a link to the page that shows more. */
export const attention = (view: ConsoleView, state: State) => {
  const { t } = view.texts
  const found = [sealed, queued, webhooks, dead, due, warnings].flatMap((itemsOf) => itemsOf(view, state))
  const shown =
    found.length === 0 ? html`<p class="muted">${t("console.overview.attention.none")}</p>` : html`<ul class="attention">${found}</ul>`
  return card(t("console.overview.attention"), {}, shown)
}

const item = (view: ConsoleView, path: string, text: SafeHtml | string, query: Readonly<Record<string, string>> = {}) =>
  html`<li><a href="${view.at(path, query)}">${text}</a></li>`

const sealed = (view: ConsoleView, { health: { seal_age_s } }: State) =>
  seal_age_s !== null && seal_age_s > mostSeal
    ? [item(view, "/health", view.texts.t("console.overview.attention.seal", { age: age(view, seal_age_s) }))]
    : []

const queued = (view: ConsoleView, { health: { queues } }: State) =>
  queues
    .filter(({ capped, oldest_s }) => capped || oldest_s > mostWait)
    .map(({ receiver, waiting, capped, oldest_s }) => {
      const values = { queue: code(receiver), count: counted(view, waiting, capped), age: age(view, oldest_s) }
      return item(view, "/health", view.texts.rich("console.overview.attention.queue", values))
    })

const webhooks = (view: ConsoleView, state: State) =>
  state.webhooks.map((webhook) => {
    const { disabled_at } = webhook
    const text = disabled_at === null ? "console.overview.attention.webhook_failing" : "console.overview.attention.webhook"
    return item(view, "/webhooks", view.texts.rich(text, { host: leftToRight(hostOf(webhook)) }))
  })

const dead = (view: ConsoleView, { hasDead }: State) =>
  hasDead ? [item(view, "/outbox", view.texts.t("console.overview.attention.dead"), { state: "dead" })] : []

const due = (view: ConsoleView, state: State) =>
  state.due.map(({ algorithm, due_at }) => {
    const values = { algorithm: leftToRight(algorithm), time: html`${time(view, due_at)}` }
    return item(view, "/keys", view.texts.rich("console.overview.attention.key", values))
  })

/** Their texts are English, as in the terminal. */
const warnings = (view: ConsoleView, { health: { findings } }: State) =>
  findings
    .filter(({ severity }) => severity === "warning")
    .map(({ text }) => item(view, "/health", html`<span lang="en" dir="ltr">${text}</span>`))
