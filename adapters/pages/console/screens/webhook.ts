import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { form } from "../../components/form.ts"
import { named } from "../../components/names.ts"
import { field, type Output, Visit } from "../../page.ts"
import { actions } from "../parts/actions.ts"
import { body, card } from "../parts/body.ts"
import { choiceFilter, filters, filtersIn } from "../parts/filters.ts"
import { part } from "../parts/part.ts"
import { paging, table } from "../parts/table.ts"
import { details, id, namedOr, time, twoLines, word, words } from "../parts/values.ts"
import { askedId, type ConsoleView, goTo, Operator, type Screen, type Template } from "../screen.ts"
import { deliveryState } from "./outbox.ts"
import { hostOf, state, type Webhook, webhookShown } from "./webhooks.ts"

type Delivery = Output<"adminWebhooksDeliveries">["deliveries"][number]
type Test = Output<"adminWebhooksTest">

interface Props {
  readonly webhook: Webhook
  readonly deliveries: SafeHtml
  /** The answer to the message of a test; null without one. */
  readonly test: Test | null
}

/** One webhook, with its deliveries. */
export const template: Template<Props> = (view, { webhook, deliveries, test }) => {
  const { t } = view.texts
  return body(
    view,
    { title: hostOf(webhook), parent: { href: view.at("/webhooks"), label: t("console.webhooks") } },
    test === null ? null : answerCard(view, test),
    card(
      t("console.webhook"),
      {},
      details([
        [t("console.webhook.url"), leftToRight(webhook.url)],
        [t("console.users.state"), state(view, webhook)],
        [t("console.webhook.failing"), time(view, webhook.failing_since)],
        [t("console.webhook.types"), words(webhook.types)],
        [t("console.id"), id(webhook.id)],
      ]),
      actions(view.may("webhooks:write") ? action(view, webhook) : null),
    ),
    deliveries,
  )
}

/** A webhook that is disabled gets no message, also none of a test. */
const action = (view: ConsoleView, { disabled_at }: Webhook) => {
  const { t } = view.texts
  return disabled_at === null
    ? form(view, { action: "test", submit: t("console.webhook.test"), look: "small secondary" })
    : form(view, { action: "enable", submit: t("console.webhook.enable"), look: "small secondary" })
}

const answerCard = (view: ConsoleView, { accepted, status, reason, ms }: Test) => {
  const { t } = view.texts
  return html`<div role="status">${card(
    t(accepted ? "console.webhook.test.accepted" : "console.webhook.test.refused"),
    {},
    details([
      [t("console.webhook.test.status"), status === null ? null : String(status)],
      [t("console.delivery.error"), reason === null ? null : named(reason)],
      [t("console.webhook.test.time"), t("console.health.ms", { count: ms })],
    ]),
  )}</div>`
}

interface Deliveries {
  readonly deliveries: ReadonlyArray<Delivery>
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
}

/** The deliveries that wait, or those that failed for good. */
export const deliveriesCard: Template<Deliveries> = (view, { deliveries, query, next }) => {
  const { t } = view.texts
  return card(
    t("console.deliveries"),
    {},
    stateFilter(view, query),
    html`<div id="results">${table({
      caption: t("console.deliveries"),
      columns: [
        {
          label: t("console.audit.type"),
          cell: ({ type, event_id }) => twoLines(word(type), id(event_id)),
        },
        { label: t("console.users.state"), cell: (delivery) => deliveryState(view, delivery.state) },
        { label: t("console.delivery.attempts"), cell: ({ attempts }) => String(attempts) },
        { label: t("console.delivery.error"), cell: ({ reason }) => namedOr(reason) },
        { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
        { label: t("console.delivery.due"), cell: ({ due_at }) => time(view, due_at) },
        { label: t("console.actions"), cell: (delivery) => replay(view, delivery) },
      ],
      rows: deliveries,
      empty: t("console.deliveries.none"),
    })}${paging(view, "/webhook", query, next)}</div>`,
  )
}

const stateFilter = (view: ConsoleView, { id = "", state = "" }: Readonly<Record<string, string>>) => {
  const { t } = view.texts
  const label = t("console.users.state")
  const choice = choiceFilter(
    view,
    { name: "state", label, options: [["dead", t("console.delivery.dead")]], all: t("console.delivery.waiting") },
    state,
  )
  return filters(view, "/webhook", html`<input type="hidden" name="id" value="${id}">`, choice)
}

const replay = (view: ConsoleView, { event_id, state }: Delivery) => {
  if (!view.may("webhooks:write")) return null
  const submit = view.texts.t(state === "dead" ? "console.send_again" : "console.outbox.retry")
  return form(view, { action: "replay", submit, look: "small secondary", hidden: { event_id } })
}

const shownDeliveries = Effect.gen(function* () {
  const { call, query } = yield* Visit
  const { view } = yield* Operator
  const chosen = filtersIn(query, ["id", "state"])
  const { cursor } = chosen
  const state = chosen["state"] === "dead" ? "dead" : "waiting"
  const request = { webhook_id: yield* askedId, state, limit: 50, ...(cursor && { cursor }) } as const
  const { deliveries, next_cursor = null } = yield* call("adminWebhooksDeliveries", request)
  return deliveriesCard(view, { deliveries, query: chosen, next: next_cursor })
})

const shown = Effect.fnUntraced(function* shownWebhook(test: Test | null) {
  const { view } = yield* Operator
  const webhook = yield* webhookShown
  const deliveries = yield* part(view, view.texts.t("console.deliveries"), shownDeliveries)
  return { title: hostOf(webhook), main: template(view, { webhook, deliveries, test }) }
})

export const webhook: Screen = {
  path: "/webhook",
  permission: "webhooks:read",
  needs: ["adminWebhooksList", "adminWebhooksDeliveries"],
  uses: ["adminWebhooksTest", "adminWebhooksEnable", "adminWebhooksReplay"],
  section: "/webhooks",
  show: shown(null),
  actions: {
    test: Effect.gen(function* () {
      const { call } = yield* Visit
      return yield* shown(yield* call("adminWebhooksTest", { webhook_id: yield* askedId }))
    }),
    enable: Effect.gen(function* () {
      const { call } = yield* Visit
      const webhook_id = yield* askedId
      yield* call("adminWebhooksEnable", { webhook_id })
      return yield* goTo("/webhook", "console.webhook.enabled", { id: webhook_id })
    }),
    replay: Effect.gen(function* () {
      const { call, form, query } = yield* Visit
      const request = { webhook_id: yield* askedId, event_ids: [field(form, "event_id")] } as const
      const { queued } = yield* call("adminWebhooksReplay", request)
      return yield* goTo(
        "/webhook",
        queued === 0 ? "console.webhook.replayed.none" : "console.webhook.replayed",
        filtersIn(query, ["id", "state"]),
      )
    }),
  },
}
