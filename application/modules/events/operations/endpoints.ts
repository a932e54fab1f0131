import { Clock, DateTime, Effect, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { consume } from "../../../../domain/limits/limits.ts"
import { retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { WebhookSender } from "../../../../domain/ports/webhook-sender.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { WebhookNotFound } from "../errors.ts"
import { enable } from "../replay.ts"
import type { Settings } from "../settings.ts"
import { deliveryList } from "./deliveries.ts"
import { enabledWebhook, isKnown } from "./known.ts"
import { replayEndpoint } from "./replay.ts"
import { noted } from "./table.ts"

const One = Schema.Struct({ webhook_id: Schema.String })

const enabling = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/webhooks/enable",
    summary:
      "Enables a webhook that was disabled, also one of the configuration, and forgets its failures. Succeeds as well if it has none.",
    access: { permission: "webhooks:write" },
    input: One,
    output: Endpoint.Success,
    errors: [WebhookNotFound],
    handler: Effect.fnUntraced(function* eventsEnable({ webhook_id }) {
      if (!(yield* isKnown(settings, webhook_id))) return yield* new WebhookNotFound()
      yield* enable(webhook_id, ofPrincipal)
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

/** Tests of one webhook: each sends a request to its receiver. */
const budget = { name: "webhook_tests", limit: 10, window: 60 }

const test = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/webhooks/test",
    summary: "Sends a message of the type `webhook.test` to a webhook, once, and returns the answer. 10 a minute.",
    access: { permission: "webhooks:write" },
    input: One,
    output: Schema.Struct({
      accepted: Schema.Boolean,
      status: Schema.NullOr(Schema.Int).pipe(Schema.annotateKey({ description: "Null without an answer." })),
      reason: Schema.NullOr(Schema.String),
      ms: Schema.Int,
    }),
    errors: [WebhookNotFound],
    handler: Effect.fnUntraced(function* eventsTest({ webhook_id }) {
      const { url, secrets } = yield* enabledWebhook(settings, webhook_id)
      yield* consume(budget, webhook_id)
      yield* retryOnConflict(testNoted(webhook_id))
      const id = yield* newId
      const timestamp = DateTime.formatIso(yield* DateTime.now)
      const body = JSON.stringify({ type: "webhook.test", timestamp, data: { id, subject: { kind: "webhook", id: webhook_id } } })
      const begun = yield* Clock.currentTimeMillis
      const answer = yield* (yield* WebhookSender).send({ id, url, secrets, body, allow_private: settings.allow_private_addresses })
      const ms = (yield* Clock.currentTimeMillis) - begun
      const reason = answer.isAccepted ? null : answer.reason
      return Endpoint.reply({ accepted: answer.isAccepted, status: answer.status, reason, ms })
    }),
  })

const testNoted = Effect.fnUntraced(function* testNoted(webhook_id: string) {
  const unchanged = yield* ofPrincipal(null)
  yield* (yield* Store).commit([...unchanged, yield* noted(webhook_id, "test", 0)])
})

export const operationEndpoints = (settings: Settings) =>
  [deliveryList(settings), replayEndpoint(settings), enabling(settings), test(settings)] as const
