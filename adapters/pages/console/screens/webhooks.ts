import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { NotFound } from "../../../../domain/errors.ts"
import { linkButton } from "../../account/parts.ts"
import { leftToRight } from "../../components/direction.ts"
import { type Output, Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { actionLink, actions } from "../parts/actions.ts"
import { body } from "../parts/body.ts"
import { table } from "../parts/table.ts"
import { badge, id, time, twoLines, words } from "../parts/values.ts"
import { askedId, type ConsoleView, calling, Operator, type Screen, type Template } from "../screen.ts"
import { newSecret, secretCard, showSecret } from "../secret.ts"

export type Webhook = Output<"adminWebhooksList">["webhooks"][number]

interface Props {
  readonly webhooks: ReadonlyArray<Webhook>
  readonly secret: string | null
  /** Whether each of them has a page, with its deliveries. */
  readonly isLinked: boolean
  readonly mayAdd: boolean
}

export const hostOf = ({ url }: Webhook) => URL.parse(url)?.host ?? url

/** The webhooks, with what they get and whether they work. */
export const template: Template<Props> = (view, { webhooks, secret, isLinked, mayAdd }) => {
  const { t } = view.texts
  return body(
    view,
    { title: t("console.webhooks"), action: mayAdd ? linkButton(view.at("/webhooks/new"), t("console.webhook.new")) : null },
    secretCard(view, secret),
    html`<div class="card">${table({
      caption: t("console.webhooks"),
      columns: [
        {
          label: t("console.webhook"),
          cell: (webhook) => {
            const host = leftToRight(hostOf(webhook))
            const shown = isLinked ? html`<a href="${view.at("/webhook", { id: webhook.id })}">${host}</a>` : host
            return twoLines(shown, id(webhook.id))
          },
        },
        { label: t("console.webhook.types"), cell: ({ types }) => words(types) },
        { label: t("console.users.state"), cell: (webhook) => state(view, webhook) },
        { label: t("console.webhook.failing"), cell: ({ failing_since }) => time(view, failing_since) },
        { label: t("console.actions"), cell: (webhook) => actionsOf(view, webhook) },
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

const actionsOf = (view: ConsoleView, { id, configured }: Webhook) => {
  const { t } = view.texts
  if (configured) return badge("open", t("console.configured"))
  return actions(...links.map((link) => actionLink(view, { id }, link)))
}

const links = [
  { path: "/webhook/edit", label: "console.edit", permission: "webhooks:write" },
  { path: "/webhook/secret", label: "console.secret.rotate", permission: "webhooks:write" },
  { path: "/webhook/delete", label: "console.webhook.delete", permission: "webhooks:write", isDanger: true },
] as const

export const webhooks: Screen = {
  path: "/webhooks",
  permission: "webhooks:read",
  needs: ["adminWebhooksList"],
  section: { label: "console.webhooks", group: "applications", key: "w" },
  show: Effect.gen(function* () {
    const { call, has } = yield* Visit
    const { view } = yield* Operator
    const { webhooks } = yield* call("adminWebhooksList")
    const props = {
      webhooks,
      secret: yield* newSecret("/webhooks"),
      isLinked: has("adminWebhooksDeliveries"),
      mayAdd: view.may("webhooks:write"),
    }
    return { title: view.texts.t("console.webhooks"), main: template(view, props) }
  }),
}

/** The webhook of this page, by the id in its address. */
export const webhookShown = Effect.gen(function* () {
  const { call } = yield* Visit
  const { webhooks } = yield* call("adminWebhooksList")
  const own = yield* askedId
  return webhooks.find((each) => each.id === own) ?? (yield* new NotFound())
})

const subject = Effect.gen(function* () {
  const { texts } = (yield* Operator).view
  const webhook = yield* webhookShown
  const about = [[texts.t("console.id"), id(webhook.id)]] as const
  return { id: webhook.id, name: hostOf(webhook), about, page: ["/webhooks"] } satisfies Subject
})

export const rotateWebhookSecret = confirmation({
  path: "/webhook/secret",
  permission: "webhooks:write",
  section: "/webhooks",
  needs: ["adminWebhooksList", "adminWebhooksRotateSecret"],
  title: "console.secret.rotate",
  text: "console.webhook.rotate.text",
  subject,
  run: Effect.fnUntraced(function* rotateSecret({ id: webhook_id }) {
    const { call } = yield* Visit
    const { secret } = yield* call("adminWebhooksRotateSecret", { webhook_id })
    return yield* showSecret(secret, "/webhooks", "console.secret.rotated")
  }),
})

export const deleteWebhook = confirmation({
  path: "/webhook/delete",
  permission: "webhooks:write",
  section: "/webhooks",
  needs: ["adminWebhooksList", "adminWebhooksDelete"],
  title: "console.webhook.delete",
  text: "console.webhook.delete.text",
  subject: Effect.map(subject, (shown): Subject => ({ ...shown, typed: shown.name })),
  run: ({ id: webhook_id }) => calling("console.webhook.deleted", "adminWebhooksDelete", { webhook_id }),
})
