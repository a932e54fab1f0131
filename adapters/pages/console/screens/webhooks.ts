import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { NotFound } from "../../../../domain/errors.ts"
import { leftToRight } from "../../components/direction.ts"
import { type Output, Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { badge } from "../parts/badge.ts"
import { body } from "../parts/body.ts"
import { id } from "../parts/details.ts"
import { table } from "../parts/table.ts"
import { timeOr } from "../parts/time.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"
import { newSecret, secretCard, showSecret } from "../secret.ts"

export type Webhook = Output<"adminWebhooksList">["webhooks"][number]

interface Props {
  readonly webhooks: ReadonlyArray<Webhook>
  readonly secret: string | null
  /** Whether each of them has a page, with its deliveries. */
  readonly isLinked: boolean
}

export const hostOf = ({ url }: Webhook) => URL.parse(url)?.host ?? url

/** The webhooks, with what they get and whether they work. */
export const template: Template<Props> = (view, { webhooks, secret, isLinked }) => {
  const { t } = view.texts
  return body(
    view,
    { title: t("console.webhooks") },
    secretCard(view, secret),
    html`<div class="card">${table({
      caption: t("console.webhooks"),
      columns: [
        {
          label: t("console.webhook"),
          cell: (webhook) =>
            html`${isLinked ? html`<a href="${view.at("/webhook", { id: webhook.id })}">${leftToRight(hostOf(webhook))}</a>` : leftToRight(hostOf(webhook))}<span class="line">${id(webhook.id)}</span>`,
        },
        { label: t("console.webhook.types"), cell: ({ types }) => html`${types.map((type) => html`<code dir="ltr">${type}</code> `)}` },
        { label: t("console.users.state"), cell: (webhook) => state(view, webhook) },
        { label: t("console.webhook.failing"), cell: ({ failing_since }) => timeOr(view, failing_since, "–") },
        { label: t("console.actions"), cell: (webhook) => actions(view, webhook) },
      ],
      rows: webhooks,
      empty: t("console.webhooks.none"),
    })}</div>`,
  )
}

/** Whether a webhook works. */
export const state = ({ texts: { t } }: ConsoleView, { disabled_at, failing_since }: Webhook) => {
  if (disabled_at !== null) return badge("stopped", t("console.webhook.disabled"))
  return failing_since === null ? badge("good", t("console.state.active")) : badge("failed", t("console.webhook.fails"))
}

const actions = (view: ConsoleView, { id, configured }: Webhook) => {
  const { t } = view.texts
  if (configured) return badge("open", t("console.configured"))
  if (!view.may("webhooks:write")) return null
  return html`<span class="actions"><a class="button small secondary" href="${view.at("/webhook/secret", { id })}">${t("console.webhook.rotate")}</a>
<a class="button small danger" href="${view.at("/webhook/delete", { id })}">${t("console.webhook.delete")}</a></span>`
}

export const webhooks: Screen = {
  path: "/webhooks",
  permission: "webhooks:read",
  needs: ["adminWebhooksList"],
  section: { label: "console.webhooks", group: "applications" },
  show: Effect.gen(function* () {
    const { call, has } = yield* Visit
    const { view } = yield* Operator
    const { webhooks } = yield* call("adminWebhooksList")
    const props = { webhooks, secret: yield* newSecret("/webhooks"), isLinked: has("adminWebhooksDeliveries") }
    return { title: view.texts.t("console.webhooks"), main: template(view, props) }
  }),
}

const subject = Effect.gen(function* () {
  const { call, query } = yield* Visit
  const { texts } = (yield* Operator).view
  const asked = query.get("id") ?? ""
  const { webhooks } = yield* call("adminWebhooksList")
  const webhook = webhooks.find((each) => each.id === asked)
  if (webhook === undefined) return yield* new NotFound()
  const shown: Subject = { id: asked, name: hostOf(webhook), about: [[texts.t("console.id"), id(asked)]], page: ["/webhooks"] }
  return shown
})

export const rotateWebhookSecret = confirmation({
  path: "/webhook/secret",
  permission: "webhooks:write",
  section: "/webhooks",
  needs: ["adminWebhooksList", "adminWebhooksRotateSecret"],
  title: "console.webhook.rotate",
  text: "console.webhook.rotate.text",
  asksReason: false,
  subject,
  run: Effect.fnUntraced(function* rotateSecret({ id: webhook_id }) {
    const { call } = yield* Visit
    const { secret } = yield* call("adminWebhooksRotateSecret", { webhook_id })
    return yield* showSecret(secret, "/webhooks", "console.client.rotated")
  }),
})

export const deleteWebhook = confirmation({
  path: "/webhook/delete",
  permission: "webhooks:write",
  section: "/webhooks",
  needs: ["adminWebhooksList", "adminWebhooksDelete"],
  title: "console.webhook.delete",
  text: "console.webhook.delete.text",
  asksReason: false,
  subject: Effect.map(subject, (shown): Subject => ({ ...shown, typed: shown.name })),
  run: Effect.fnUntraced(function* removeWebhook({ id: webhook_id }) {
    const { call } = yield* Visit
    yield* call("adminWebhooksDelete", { webhook_id })
    return "console.webhook.deleted" as const
  }),
})
