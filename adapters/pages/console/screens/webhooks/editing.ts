import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../../components/form.ts"
import { field, Visit } from "../../../page.ts"
import { body, editing } from "../../parts/body.ts"
import { plainField } from "../../parts/field.ts"
import { enteredOr, linesField } from "../../parts/inputs.ts"
import { requireSame, versionOf } from "../../parts/version.ts"
import { type ConsoleView, goTo, Operator, type Screen, type Template } from "../../screen.ts"
import { showSecret } from "../../secret.ts"
import { hostOf, type Webhook, webhookShown } from "../webhooks.ts"

/** What the form changes. */
const writtenOf = ({ url, types }: Webhook) => ({ url, types })

const webhookForm = (view: ConsoleView, webhook: Webhook | null) => {
  const { t } = view.texts
  const url = plainField(view, {
    name: "url",
    label: t("console.webhook.url"),
    value: enteredOr(view, "url", webhook?.url ?? ""),
    maxlength: 2048,
  })
  const types = linesField(view, {
    name: "types",
    label: t("console.webhook.types"),
    hint: t("console.webhook.types.hint"),
    values: webhook?.types ?? ["*"],
  })
  const submit = t(webhook === null ? "console.create" : "account.save")
  const hidden = webhook === null ? {} : { version: versionOf(writtenOf(webhook)) }
  return form(view, { action: "save", submit, hidden, body: html`${url}${types}` })
}

export const newTemplate: Template<null> = (view) => {
  const { t } = view.texts
  const parent = { href: view.at("/webhooks"), label: t("console.webhooks") }
  return body(view, { title: t("console.webhook.new"), parent }, html`<div class="card">${webhookForm(view, null)}</div>`)
}

export const editTemplate: Template<Webhook> = (view, webhook) => {
  const { t } = view.texts
  const parent = { href: view.at("/webhooks"), label: t("console.webhooks") }
  const enables = webhook.disabled_at === null ? null : html`<p>${t("console.webhook.edit.enables")}</p>`
  return body(view, { ...editing(view, hostOf(webhook)), parent }, html`<div class="card">${enables}${webhookForm(view, webhook)}</div>`)
}

/** Types on lines of their own, or separated by commas. The endpoint refuses an empty list, which its type rules out. */
const typesIn = (text: string) => {
  const types: ReadonlyArray<string> = text.split(/[\s,]+/).filter((type) => type !== "")
  return types as readonly [string, ...ReadonlyArray<string>]
}

const entered = Effect.map(Visit, ({ form }) => ({ url: field(form, "url").trim(), types: typesIn(field(form, "types")) }))

export const newWebhook: Screen = {
  path: "/webhooks/new",
  permission: "webhooks:write",
  needs: ["adminWebhooksCreate"],
  section: "/webhooks",
  show: Effect.map(Operator, ({ view }) => ({ title: view.texts.t("console.webhook.new"), main: newTemplate(view, null) })),
  actions: {
    save: Effect.gen(function* () {
      const { call } = yield* Visit
      const { secret } = yield* call("adminWebhooksCreate", yield* entered)
      return yield* showSecret(secret, "/webhooks", "console.secret.rotated")
    }),
  },
}

export const editWebhook: Screen = {
  path: "/webhook/edit",
  permission: "webhooks:write",
  needs: ["adminWebhooksList", "adminWebhooksUpdate"],
  section: "/webhooks",
  show: Effect.gen(function* () {
    const { view } = yield* Operator
    const webhook = yield* webhookShown
    return { title: view.texts.t("console.edit.at", { name: hostOf(webhook) }), main: editTemplate(view, webhook) }
  }),
  actions: {
    save: Effect.gen(function* () {
      const { call } = yield* Visit
      const webhook = yield* webhookShown
      yield* requireSame(writtenOf(webhook))
      yield* call("adminWebhooksUpdate", { webhook_id: webhook.id, ...(yield* entered) })
      return yield* goTo("/webhooks", "account.saved")
    }),
  },
}
