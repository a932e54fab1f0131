import { DateTime, Effect, Schema } from "effect"
import { IdempotencyKeyReused, InvalidRequest } from "../../../domain/errors.ts"
import type { EventKinds } from "../../../domain/events/event-types.ts"
import { insert, orFail, remove, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../service/idempotency.ts"
import { WebhookNotFound } from "./errors.ts"
import { patternsOf, type Settings, WebhookUrl } from "./settings.ts"
import { States, type StoredWebhook, Webhooks } from "./tables.ts"
import { newSecret, openSecrets, sealSecrets, statesOf } from "./webhooks.ts"

const Shown = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  types: Schema.Array(Schema.String),
  /** Whether the webhook is in the configuration, where only the operator can change it. */
  configured: Schema.Boolean,
  failing_since: Schema.NullOr(Schema.DateTimeUtc),
  disabled_at: Schema.NullOr(Schema.DateTimeUtc),
}).annotate({ identifier: "Webhook" })

const One = { webhook_id: Schema.String }

const fresh = { failing_since: null, disabled_at: null }
const shown = ({ id, url, types }: Pick<StoredWebhook, "id" | "url" | "types">): typeof Shown.Type => ({
  id,
  url,
  types,
  configured: false,
  ...fresh,
})

const storedWebhook = Effect.fnUntraced(function* storedWebhook(id: string) {
  return yield* orFail((yield* Store).read(Webhooks, { id }), () => new WebhookNotFound())
})

const Creation = { url: WebhookUrl, ...IdempotencyKey }
const WithSecret = Schema.Struct({ webhook: Shown, secret: Schema.String })

const Rotation = Schema.Struct({ ...One, ...IdempotencyKey })
const NewSecret = Schema.Struct({ secret: Schema.String })

const create = (settings: Settings, events: EventKinds) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/webhooks/create",
    summary: "Adds a webhook. Only this response has its secret.",
    access: { permission: "webhooks:write" },
    input: Schema.Struct({ ...Creation, types: patternsOf(events) }),
    output: WithSecret,
    errors: [IdempotencyKeyReused],
    handler: idempotent(
      WithSecret,
      Effect.fnUntraced(function* eventsCreate(
        { url, types }: { readonly url: string; readonly types: ReadonlyArray<string> },
        keep: Keep<typeof WithSecret.Type>,
      ) {
        const { commit, list } = yield* Store
        if ((yield* list(Webhooks, {}, { limit: settings.max_webhooks })).length >= settings.max_webhooks)
          return yield* new InvalidRequest({ message: `there are ${settings.max_webhooks} webhooks already` })
        const secret = yield* newSecret
        const now = yield* DateTime.now
        const row = { id: yield* newId, url, types, sealed_secrets: yield* sealSecrets([secret]), created_at: now, updated_at: now }
        const answer = { webhook: shown(row), secret }
        yield* commit([...(yield* keep(answer)), insert(Webhooks, row)])
        return Endpoint.reply(answer)
      }, retryOnConflict),
    ),
  })

const list = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/webhooks/list",
    summary: "All webhooks with their state, those of the configuration first.",
    access: { permission: "webhooks:read" },
    output: Schema.Struct({ webhooks: Schema.Array(Shown) }),
    handler: Effect.fnUntraced(function* eventsList() {
      const states = new Map((yield* statesOf(settings)).map((state) => [state.id, state]))
      const stored = yield* (yield* Store).list(Webhooks, {}, { limit: settings.max_webhooks, order: "id" })
      const all = [...settings.webhooks.map((each) => ({ ...shown(each), configured: true })), ...stored.map(shown)]
      return Endpoint.reply({
        webhooks: all.map((each) => {
          const { failing_since, disabled_at } = states.get(each.id) ?? fresh
          return { ...each, failing_since, disabled_at }
        }),
      })
    }),
  })

const change = (events: EventKinds) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/webhooks/update",
    summary: "Changes the URL or the types of a webhook, and enables it again if it was disabled.",
    access: { permission: "webhooks:write" },
    input: Schema.Struct({ ...One, url: Schema.optionalKey(WebhookUrl), types: Schema.optionalKey(patternsOf(events)) }),
    output: Schema.Struct({ webhook: Shown }),
    errors: [WebhookNotFound],
    handler: Effect.fnUntraced(function* eventsUpdate({ webhook_id, ...changes }) {
      const webhook = yield* storedWebhook(webhook_id)
      const next = { ...webhook.row, ...changes, updated_at: yield* DateTime.now }
      yield* (yield* Store).commit([update(Webhooks, webhook, next), remove(States, webhook_id)])
      return Endpoint.reply({ webhook: shown(next) })
    }, retryOnConflict),
  })

const rotateSecret = Endpoint.make({
  method: "POST",
  path: "/admin/webhooks/rotate-secret",
  summary: "Gives a webhook a new secret. The previous one signs too, until the next rotation.",
  access: { permission: "webhooks:write" },
  input: Rotation,
  output: NewSecret,
  errors: [WebhookNotFound, IdempotencyKeyReused],
  takesReason: true,
  handler: idempotent(
    NewSecret,
    Effect.fnUntraced(function* eventsRotateSecret({ webhook_id }: typeof Rotation.Type, keep: Keep<typeof NewSecret.Type>) {
      const webhook = yield* storedWebhook(webhook_id)
      const secret = yield* newSecret
      const [previous] = yield* openSecrets(webhook.row)
      const secrets = previous === undefined ? [secret] : [secret, previous]
      const changes = { sealed_secrets: yield* sealSecrets(secrets), updated_at: yield* DateTime.now }
      yield* (yield* Store).commit([...(yield* keep({ secret })), update(Webhooks, webhook, changes)])
      return Endpoint.reply({ secret })
    }, retryOnConflict),
  ),
})

const removal = Endpoint.make({
  method: "POST",
  path: "/admin/webhooks/delete",
  summary: "Removes a webhook. Deliveries that wait are set aside.",
  access: { permission: "webhooks:write" },
  input: Schema.Struct(One),
  output: Endpoint.Success,
  errors: [WebhookNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* eventsDelete({ webhook_id }) {
    const webhook = yield* storedWebhook(webhook_id)
    yield* Effect.orDie((yield* Store).commit([remove(Webhooks, webhook.row.id), remove(States, webhook_id)]))
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

export const endpoints = (settings: Settings, events: EventKinds) =>
  [create(settings, events), list(settings), change(events), rotateSecret, removal] as const
